//! Hundreds of routes planned again after walls were built or blocked cells were opened anywhere on the map.

use std::num::NonZeroUsize;
use std::time::Instant;

use emberwalk_path::grid::Cell;
use emberwalk_path::{CostGrid, Moves, Options, Planner, Replanner, RouteQuery};
use fastrand::Rng;

use emberwalk_path_benches::bench_maps::{self, connected_pairs};

/// How many agents there are, each with its own goal.
const AGENTS: usize = 500;

/// How many cells change before all routes are planned again.
const CHANGES: usize = 50;

/// How many times everything is measured. The best time counts.
const TIMES: usize = 3;

/// A change of cells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Wall,
    Opening,
}

/// The milliseconds of processor time that it takes to plan all routes again.
#[derive(Clone, Copy)]
struct Times {
    replanners: f64,
    /// New searches of the planner that followed the changes.
    searches: f64,
    /// The preparation of a new planner.
    preparation: f64,
    /// New searches of that planner.
    fresh_searches: f64,
}

/// Prints the processor time, in milliseconds, of planning all routes again, as Markdown.
pub fn print() {
    println!(
        "| map | {CHANGES} changes | {AGENTS} replanners | {AGENTS} searches | new tables | searches with these |"
    );
    println!("|---|---|--:|--:|--:|--:|");
    for name in ["islands 256²", "islands 512²", "varied 512²", "terraces 512²"] {
        for (what, change) in [("walls", Change::Wall), ("openings", Change::Opening)] {
            let rounds = (0..TIMES).map(|_| measure(name, change));
            let best = rounds.reduce(|one, other| Times {
                replanners: one.replanners.min(other.replanners),
                searches: one.searches.min(other.searches),
                preparation: one.preparation.min(other.preparation),
                fresh_searches: one.fresh_searches.min(other.fresh_searches),
            });
            let Times { replanners, searches, preparation, fresh_searches } = best.expect("there is a round");
            println!("| {name} | {what} | {replanners:.1} | {searches:.1} | {preparation:.1} | {fresh_searches:.1} |");
        }
    }
}

/// Measures on the map of this name, where one of twelve cells is a tree, which blocks only this cell.
fn measure(name: &str, change: Change) -> Times {
    let mut rng = Rng::with_seed(1);
    let bench_map = bench_maps::all(512).find(|bench_map| bench_map.name == name).expect("a map of this name");
    let mut grid = bench_map.grid;
    let size = grid.size();
    let any_cell = |rng: &mut Rng| Cell::new(rng.i32(0..size.width as i32), rng.i32(0..size.height as i32));
    let mut trees = Vec::new();
    for _ in 0..size.area() / 12 {
        let tree = any_cell(&mut rng);
        if let Some(cost) = grid.get(tree) {
            grid.set(tree, None);
            trees.push((tree, cost));
        }
    }
    let pairs = connected_pairs(&grid, Moves::default(), &mut rng).take(AGENTS);
    let queries: Vec<_> = pairs.map(|(from, to)| RouteQuery::new(from, to)).collect();
    let options = Options::default();
    let mut planner = Planner::new();
    planner.prepare(&grid, &options);
    let mut replanners = vec![Replanner::new(); AGENTS];
    for (replanner, query) in replanners.iter_mut().zip(&queries) {
        replanner.plan(&mut planner, &grid, query).expect("both ends are passable");
    }
    for _ in 0..CHANGES {
        match change {
            Change::Wall => {
                let ends = || queries.iter().flat_map(|query| [query.from, query.to]);
                let wall = std::iter::repeat_with(|| any_cell(&mut rng));
                let mut wall = wall.filter(|&cell| grid.is_passable(cell) && ends().all(|end| end != cell));
                let wall = wall.next().expect("a cell");
                grid.set(wall, None);
            }
            Change::Opening => {
                let (tree, cost) = trees.swap_remove(rng.usize(..trees.len()));
                grid.set(tree, Some(cost));
            }
        }
    }
    let mut follower = planner.clone();
    let mut lowest = Vec::new();
    let searches = time(|| lowest.extend(queries.iter().map(|query| cost(&mut follower, &grid, query))));
    let replanners = time(|| {
        for ((replanner, query), &lowest) in replanners.iter_mut().zip(&queries).zip(&lowest) {
            let result = replanner.plan(&mut planner, &grid, query).expect("both ends are passable");
            assert_eq!(result.cost().map(|cost| cost.units()), lowest);
        }
    });
    let mut fresh = Planner::new();
    fresh.set_max_threads(NonZeroUsize::MIN);
    let preparation = time(|| fresh.prepare(&grid, &options));
    let fresh_searches = time(|| {
        for (query, &lowest) in queries.iter().zip(&lowest) {
            assert_eq!(cost(&mut fresh, &grid, query), lowest);
        }
    });
    Times { replanners, searches, preparation, fresh_searches }
}

fn cost(planner: &mut Planner, grid: &CostGrid, query: &RouteQuery) -> Option<u64> {
    planner.plan(grid, query).expect("both ends are passable").cost().map(|cost| cost.units())
}

/// The processor time of this thread, in milliseconds, or the time of the clock where the system does not tell it.
fn time(work: impl FnOnce()) -> f64 {
    let nanos = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split(' ').next()?.parse::<u64>().ok()
    };
    let (begun, before) = (Instant::now(), nanos());
    work();
    match (before, nanos()) {
        (Some(before), Some(after)) => (after - before) as f64 / 1e6,
        _ => begun.elapsed().as_secs_f64() * 1e3,
    }
}
