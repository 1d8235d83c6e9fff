//! The planner beside the crates that one would otherwise take, on the same queries; see `benches/README.md`.
//!
//! `cargo bench --no-default-features --bench planners` measures with criterion, and with `-- --table` or `-- --changes`
//! after it prints the tables of the README. `-- --count` is for tools that count instructions.

mod arenas;
mod changes;
mod count;
mod rivals;
mod table;

use std::hint::black_box;
use std::time::Duration;

use changes::Stage;
use criterion::{Criterion, SamplingMode};

fn main() {
    let given = |flag: &str| std::env::args().any(|arg| arg == flag);
    if given("--table") {
        return table::print();
    }
    if given("--changes") {
        return table::print_changes();
    }
    let mut args = std::env::args();
    if args.any(|arg| arg == "--count") {
        if let Err(error) = count::run(args) {
            eprintln!("{error}");
            std::process::exit(2);
        }
        return;
    }
    let mut criterion = Criterion::default().configure_from_args();
    // `cargo test` runs benchmarks too, to see that they work: small maps show that.
    let largest = if given("--bench") { u32::MAX } else { 64 };
    for arena in arenas::all(largest) {
        let mut rivals = rivals::all(&arena);
        rivals::check(&mut rivals, &arena);
        let mut group = criterion.benchmark_group(&arena.name);
        group.sampling_mode(SamplingMode::Flat).sample_size(10);
        group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(600));
        for rival in &mut rivals {
            group.bench_function(rival.name(), |bencher| {
                bencher.iter(|| {
                    for &(from, to) in &arena.queries {
                        black_box(rival.plan(from, to));
                    }
                });
            });
        }
    }
    replan(&mut criterion, largest);
    criterion.final_summary();
}

/// Measures what planning again takes after each kind of change.
fn replan(criterion: &mut Criterion, largest: u32) {
    let arena = arenas::all(largest.min(512)).filter(|arena| arena.name.starts_with("islands")).last();
    let mut stage = Stage::new(&arena.expect("there are islands"));
    for (what, event) in changes::EVENTS {
        let mut group = criterion.benchmark_group(format!("islands, {what}"));
        group.sampling_mode(SamplingMode::Flat).sample_size(10);
        group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(600));
        for (name, who) in changes::WHO {
            group.bench_function(name, |bencher| {
                bencher.iter_custom(|rounds| {
                    let queries = (0..stage.queries()).cycle().take(rounds as usize);
                    queries.map(|number| stage.time(number, event, who).0).sum()
                });
            });
        }
    }
}
