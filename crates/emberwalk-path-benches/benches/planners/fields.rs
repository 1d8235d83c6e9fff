//! Fields after a change of one cell: repaired, compared with computed anew.

use std::time::{Duration, Instant};

use emberwalk_path::grid::Cell;
use emberwalk_path::{EntryCost, Field, FieldQuery};
use fastrand::Rng;

use crate::bench_maps::{self, BenchMap};

/// How many cells change, one after the other.
const CHANGES: usize = 60;

/// Prints, as Markdown, how long a field takes to compute, and the median and the longest time of an update, in
/// microseconds.
pub fn print() {
    println!("| map | computed | updated, median | updated, longest | cells expanded, median |");
    println!("|---|--:|--:|--:|--:|");
    for bench_map in bench_maps::with_side_512() {
        let (computed, mut updates) = measure(&bench_map);
        updates.sort_unstable();
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let ((median, expanded), (longest, _)) = (updates[CHANGES / 2], updates[CHANGES - 1]);
        let [computed, median, longest] = [computed, median, longest].map(micros);
        println!("| {} | {computed:.0} | {median:.0} | {longest:.0} | {expanded} |", bench_map.name);
    }
}

/// Returns the shortest time of a computation, and of each update the time and how many cells it expanded.
fn measure(bench_map: &BenchMap) -> (Duration, Vec<(Duration, u64)>) {
    let (mut grid, mut rng) = (bench_map.grid.clone(), Rng::with_seed(1));
    let query = FieldQuery::from_cell(bench_map.queries[0].0);
    let (mut field, mut new, mut computed) = (Field::new(), Field::new(), Duration::MAX);
    field.compute(&grid, &query).expect("the cell is passable");
    let size = grid.size();
    let updates = (0..CHANGES).map(|_| {
        let cell = Cell::new(rng.i32(0..size.width as i32), rng.i32(0..size.height as i32));
        if cell != query.cell {
            let cost = EntryCost::from_tiles(*rng.choice(&[0.5, 1.0, 2.0, 4.0]).expect("a cost"));
            let is_wall = grid.is_passable(cell) && rng.bool();
            grid.set(cell, if is_wall { None } else { cost.ok() });
        }
        let begun = Instant::now();
        let expanded = field.update(&grid, &query).expect("the cell is passable");
        let time = begun.elapsed();
        let begun = Instant::now();
        new.compute(&grid, &query).expect("the cell is passable");
        computed = computed.min(begun.elapsed());
        assert!(size.cells().all(|cell| field.cost(cell) == new.cost(cell)), "{}: the costs differ", bench_map.name);
        (time, expanded)
    });
    let updates = updates.collect();
    (computed, updates)
}
