//! Prints the tables of this package's `README.md`.

use std::collections::BTreeMap;
use std::time::Instant;

use emberwalk_path::{Options, Planner};

use crate::changes::{self, Approach, ChangeBench};
use crate::rival::NAMES;
use crate::rivals;
use emberwalk_path_benches::bench_maps::{self, BenchMap, KINDS};

/// The number of rounds in which the planners take turns. The best time of each query counts.
const ROUNDS: usize = 3;

/// How many times a planner answers all queries when it is its turn.
const PASSES: usize = 3;

/// How many times a change and a preparation are measured. The best time counts.
const TIMES: usize = 5;

/// Prints how many times faster than the first planner the others are, as Markdown, on the maps whose names begin with
/// `start`.
pub fn print(start: &str) {
    let [first, others @ ..] = NAMES;
    println!("| map | {first} µs | {} | preparation of auto, ms | bytes per cell |", others.join(" | "));
    println!("|---|--:|{}--:|--:|", "--:|".repeat(others.len()));
    let mut ratios: BTreeMap<(&str, usize), Vec<f64>> = BTreeMap::new();
    for bench_map in bench_maps::all(u32::MAX).filter(|bench_map| bench_map.name.starts_with(start)) {
        let means = means(&bench_map);
        let mut cells = vec![bench_map.name.clone(), format!("{:.1}", means[NAMES[0]])];
        for (k, name) in NAMES.iter().enumerate().skip(1) {
            let ratio = means.get(name).map(|mean| means[NAMES[0]] / mean);
            cells.push(ratio.map_or(String::new(), one_digit));
            if !bench_map.is_small() {
                ratios.entry((bench_map.kind(), k)).or_default().extend(ratio);
            }
        }
        let (seconds, bytes) = preparation(&bench_map);
        cells.extend([
            format!("{:.2}", seconds * 1e3),
            format!("{:.0}", bytes as f64 / bench_map.grid.size().area() as f64),
        ]);
        println!("| {} |", cells.join(" | "));
    }
    for kind in KINDS {
        let mean = |k| geometric_mean(ratios.get(&(kind, k))?).map(one_digit);
        let means: Vec<_> = (1..NAMES.len()).map(|k| mean(k).unwrap_or_default()).collect();
        if means.iter().any(|mean| !mean.is_empty()) {
            println!("| **{kind}, geometric mean** | | {} | | |", means.join(" | "));
        }
    }
}

/// Prints how long each approach takes to plan again after each event, in microseconds, as Markdown.
pub fn print_changes() {
    let names = changes::APPROACHES.map(|(name, _)| name);
    println!("| map | event | {} | no search |", names.join(" | "));
    println!("|---|---|{}--:|", "--:|".repeat(names.len()));
    for bench_map in bench_maps::with_side_512() {
        let mut bench = ChangeBench::new(&bench_map);
        for (what, event) in changes::EVENTS {
            let mut means = changes::APPROACHES.map(|_| 0.0);
            let mut without_search = 0;
            for number in 0..bench.query_count() {
                for ((_, approach), mean) in changes::APPROACHES.into_iter().zip(&mut means) {
                    let times = (0..TIMES).map(|_| bench.time(number, event, approach));
                    let (best, expanded) = times.min().expect("there is a round");
                    *mean += best.as_secs_f64() * 1e6 / bench.query_count() as f64;
                    without_search += usize::from(approach == Approach::Replanner && expanded == 0);
                }
            }
            let means = means.map(|mean| format!("{mean:.1}")).join(" | ");
            println!("| {} | {what} | {means} | {without_search} of {} |", bench_map.name, bench.query_count());
        }
    }
}

/// The mean time of a query of each planner, in microseconds.
fn means(bench_map: &BenchMap) -> BTreeMap<&'static str, f64> {
    let mut rivals = rivals::all(bench_map);
    rivals::check(&mut rivals, bench_map);
    let mut best = vec![vec![f64::INFINITY; bench_map.queries.len()]; rivals.len()];
    for _ in 0..ROUNDS {
        for (rival, best) in rivals.iter_mut().zip(&mut best) {
            for _ in 0..PASSES {
                for (&(from, to), best) in bench_map.queries.iter().zip(&mut *best) {
                    let begun = Instant::now();
                    std::hint::black_box(rival.plan(from, to));
                    *best = best.min(begun.elapsed().as_secs_f64() * 1e6);
                }
            }
        }
    }
    let mean = |best: Vec<f64>| best.iter().sum::<f64>() / best.len() as f64;
    rivals.iter().zip(best).map(|(rival, best)| (rival.name(), mean(best))).collect()
}

/// The preparation time of the default algorithm, in seconds, and the bytes that it keeps.
fn preparation(bench_map: &BenchMap) -> (f64, usize) {
    let (mut best, mut bytes) = (f64::INFINITY, 0);
    for _ in 0..TIMES {
        let mut planner = Planner::new();
        let begun = Instant::now();
        planner.prepare(&bench_map.grid, &Options::default().with_moves(bench_map.moves));
        best = best.min(begun.elapsed().as_secs_f64());
        bytes = planner.prepared_bytes();
    }
    (best, bytes)
}

fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logarithms: f64 = values.iter().map(|value| value.ln()).sum();
    (!values.is_empty()).then(|| (logarithms / values.len() as f64).exp())
}

fn one_digit(ratio: f64) -> String {
    format!("{ratio:.1}")
}
