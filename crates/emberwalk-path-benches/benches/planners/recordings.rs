//! How much slower a search is when it is recorded.

use std::hint::black_box;
use std::time::Instant;

use emberwalk_path::trace::Recording;
use emberwalk_path::{Algorithm, Options, Planner, RouteQuery};

use emberwalk_path_benches::bench_maps;

/// The number of rounds in which each query is answered without and with a recording. The best time of each counts.
const ROUNDS: usize = 7;

/// Prints the mean time of a query without and with a recording, in microseconds, as Markdown.
pub fn print() {
    println!("| map | algorithm | events | plain µs | recorded µs | ratio |");
    println!("|---|---|--:|--:|--:|--:|");
    for bench_map in bench_maps::with_side_512() {
        for algorithm in [Algorithm::Auto, Algorithm::AStar, Algorithm::Dijkstra] {
            let options = Options::default().with_algorithm(algorithm);
            let (grid, mut planner) = (&bench_map.grid, Planner::new());
            planner.prepare(grid, &options);
            let (mut plain, mut recorded, mut events) = (0.0, 0.0, 0);
            for &(from, to) in &bench_map.queries {
                let query = RouteQuery::new(from, to).with_options(options);
                let mut best = [f64::INFINITY; 2];
                for _ in 0..ROUNDS {
                    let begun = Instant::now();
                    let cost = black_box(planner.plan(grid, &query)).expect("both ends are passable").cost();
                    best[0] = best[0].min(begun.elapsed().as_secs_f64());
                    let begun = Instant::now();
                    let recording = Recording::new(&mut planner, grid, &query).expect("both ends are passable");
                    best[1] = best[1].min(begun.elapsed().as_secs_f64());
                    assert_eq!(recording.result().cost(), cost);
                    events = events.max(black_box(recording).len());
                }
                plain += best[0];
                recorded += best[1];
            }
            let [plain, recorded] = [plain, recorded].map(|sum| sum * 1e6 / bench_map.queries.len() as f64);
            let ratio = recorded / plain;
            println!("| {} | {algorithm} | {events} | {plain:.1} | {recorded:.1} | {ratio:.1} |", bench_map.name);
        }
    }
}
