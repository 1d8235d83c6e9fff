//! Compares the planner with other pathfinding crates on the same queries; `README.md` of this package has the results.
//!
//! `cargo bench -p emberwalk-path-benches --bench planners` measures with criterion. With `-- --table`, `-- --changes`,
//! `-- --agents`, `-- --ahead`, `-- --crowds`, `-- --lifelong`, `-- --fields` or `-- --recordings` after it, the command prints the
//! tables of the README. `-- --count` is for tools that count instructions.

mod agents;
mod ahead;
mod bordered;
mod changes;
mod count;
mod crowds;
mod fields;
mod lifelong;
mod pibt;
mod recordings;
mod rival;
mod rivals;
mod step_rival;
mod table;

use std::hint::black_box;
use std::time::Duration;

use changes::ChangeBench;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode};
use emberwalk_path_benches::bench_maps::{self, TRIAL_SIDE};

fn main() {
    let mut args = std::env::args();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--table" => return table::print(&args.next().filter(|arg| !arg.starts_with('-')).unwrap_or_default()),
            "--changes" => return table::print_changes(),
            "--agents" => return agents::print(),
            "--ahead" => return ahead::print(),
            "--crowds" => return crowds::print(),
            "--lifelong" => return lifelong::print(),
            "--fields" => return fields::print(),
            "--recordings" => return recordings::print(),
            "--count" => {
                return count::run(args).unwrap_or_else(|error| {
                    eprintln!("{error}");
                    std::process::exit(2);
                });
            }
            _ => {}
        }
    }
    let mut criterion = Criterion::default().configure_from_args();
    // `cargo test` runs benchmarks too, to check that they work. Small maps are enough for that.
    let max_side = if std::env::args().any(|arg| arg == "--bench") { u32::MAX } else { TRIAL_SIDE };
    measure_queries(&mut criterion, max_side);
    measure_changes(&mut criterion, max_side);
    criterion.final_summary();
}

/// Measures how long each planner takes for all queries of each map.
fn measure_queries(criterion: &mut Criterion, max_side: u32) {
    for bench_map in bench_maps::all(max_side) {
        let mut rivals = rivals::all(&bench_map);
        rivals::check(&mut rivals, &bench_map);
        let mut group = group(criterion, bench_map.name.clone());
        for rival in &mut rivals {
            group.bench_function(rival.name(), |bencher| {
                bencher.iter(|| {
                    for &(from, to) in &bench_map.queries {
                        black_box(rival.plan(from, to));
                    }
                });
            });
        }
    }
}

/// Measures how long it takes to plan again after each kind of event.
fn measure_changes(criterion: &mut Criterion, max_side: u32) {
    let bench_map = bench_maps::all(max_side.min(512)).filter(|bench_map| bench_map.name.starts_with("islands")).last();
    let mut bench = ChangeBench::new(&bench_map.expect("there are islands"));
    for (what, event) in changes::EVENTS {
        let mut group = group(criterion, format!("islands, {what}"));
        for (name, approach) in changes::APPROACHES {
            group.bench_function(name, |bencher| {
                bencher.iter_custom(|rounds| {
                    let queries = (0..bench.query_count()).cycle().take(rounds as usize);
                    queries.map(|number| bench.time(number, event, approach).0).sum()
                });
            });
        }
    }
}

fn group(criterion: &mut Criterion, name: String) -> BenchmarkGroup<'_, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(600));
    group
}
