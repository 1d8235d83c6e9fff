//! Fields after a change of one cell: repaired, compared with computed from scratch.

use std::time::{Duration, Instant};

use emberwalk_path::grid::Cell;
use emberwalk_path::{EntryCost, Field, FieldQuery};
use fastrand::Rng;

use emberwalk_path_benches::bench_maps::{self, BenchMap};

/// How many cells change, one after the other.
const CHANGES: usize = 60;

/// Prints, as Markdown, how long a field takes to compute, and the median and the longest time of an update, in
/// microseconds. An update is also compared with the computation right after it, so that a busy machine changes the
/// ratio little.
pub fn print() {
    println!(
        "| map | computed | updated, median | updated, longest | of a computation, most | cells expanded, median |"
    );
    println!("|---|--:|--:|--:|--:|--:|");
    for bench_map in bench_maps::with_side_512() {
        let (computed, mut updates) = measure(&bench_map);
        updates.sort_unstable_by_key(|update| update.time);
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let (median, longest) = (&updates[CHANGES / 2], &updates[CHANGES - 1]);
        let [computed, longest] = [computed, longest.time].map(micros);
        let most = updates.iter().map(|update| update.time.as_secs_f64() / update.computed.as_secs_f64());
        let most = most.fold(0.0, f64::max);
        let (time, expanded) = (micros(median.time), median.expanded);
        println!("| {} | {computed:.0} | {time:.0} | {longest:.0} | {most:.1} | {expanded} |", bench_map.name);
    }
}

/// An update after one change, and the time of a computation after the same change.
struct Update {
    time: Duration,
    expanded: u64,
    computed: Duration,
}

/// The shortest time of a computation, and all updates.
fn measure(bench_map: &BenchMap) -> (Duration, Vec<Update>) {
    let (mut grid, mut rng) = (bench_map.grid.clone(), Rng::with_seed(1));
    let query = FieldQuery::routes_from(bench_map.queries[0].0);
    let (mut field, mut new) = (Field::new(), Field::new());
    field.compute(&grid, &query).expect("the cell is passable");
    let size = grid.size();
    let updates = (0..CHANGES).map(|_| {
        let cell = Cell::new(rng.i32(0..size.width as i32), rng.i32(0..size.height as i32));
        if cell != query.cells {
            let cost = EntryCost::from_tiles(*rng.choice(&[0.5, 1.0, 2.0, 4.0]).expect("a cost"));
            let is_wall = grid.is_passable(cell) && rng.bool();
            grid.set(cell, if is_wall { None } else { cost.ok() });
        }
        let begun = Instant::now();
        let expanded = field.update(&grid, &query).expect("the cell is passable");
        let time = begun.elapsed();
        let begun = Instant::now();
        new.compute(&grid, &query).expect("the cell is passable");
        let computed = begun.elapsed();
        assert!(size.cells().all(|cell| field.cost(cell) == new.cost(cell)), "{}: the costs differ", bench_map.name);
        Update { time, expanded, computed }
    });
    let updates: Vec<_> = updates.collect();
    (updates.iter().map(|update| update.computed).min().unwrap_or_default(), updates)
}
