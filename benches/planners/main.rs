//! The planner beside the crates that one would otherwise take, on the same queries; see `benches/README.md`.
//!
//! `cargo bench --no-default-features --bench planners` measures with criterion, and with `-- --table` after it prints
//! the table of the README.

mod arenas;
mod changes;
mod rivals;
mod table;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, SamplingMode};

fn main() {
    let given = |flag: &str| std::env::args().any(|arg| arg == flag);
    if given("--table") {
        return table::print();
    }
    if given("--changes") {
        return table::print_changes();
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
    criterion.final_summary();
}
