//! How long a wall takes, and the routes that it changes.

use std::time::Instant;

use bevy_northstar::prelude::PathfindMode;
use emberwalk_path::grid::Cell;
use emberwalk_path::{CostGrid, Diagonal, Options, Planner, Replanner, RouteQuery};
use emberwalk_path_benches::bench_maps::random_orders;

use crate::northstar::{ADMISSIBLE, Northstar, position};
use crate::{AGENTS, TIMES, map};

/// How many walls are built, each one after the last one was torn down.
const WALLS: usize = 20;

/// Times in milliseconds; except for the preparation, the means of all walls.
struct Times {
    preparation: f64,
    /// Until all routes are up to date after a wall, and after its opening.
    changes: [f64; 2],
    /// The part of these times that `build` takes.
    builds: Option<[f64; 2]>,
}

/// A map, the starts and goals, and the walls.
type Measure = fn(&CostGrid, &[(Cell, Cell)], &[Cell]) -> Times;

/// Prints, as Markdown, how long the preparation and changes take.
pub fn print(maps: impl Iterator<Item = (&'static str, u32)>) {
    println!("| map | planner | preparation, ms | a wall, ms | of this `build` | an opening, ms | of this `build` |");
    println!("|---|---|--:|--:|--:|--:|--:|");
    for (name, side) in maps {
        let grid = map(name, side, Diagonal::ONE);
        let orders = random_orders(&grid, AGENTS, AGENTS, 1);
        let walls = walls(&grid, &orders);
        for (planner, measure) in [("`bevy_northstar`", northstar as Measure), ("`Replanner`s", emberwalk)] {
            let rounds = (0..TIMES).map(|_| measure(&grid, &orders, &walls));
            let best = rounds.min_by(|one, other| one.changes[0].total_cmp(&other.changes[0]));
            let Times { preparation, changes: [wall, opening], builds } = best.expect("there is a round");
            let [for_wall, for_opening] = builds.map_or_else(Default::default, |builds| builds.map(two_digits));
            let [wall, opening] = [wall, opening].map(two_digits);
            println!(
                "| {name} {side}² | {planner} | {preparation:.1} | {wall} | {for_wall} | {opening} | {for_opening} |"
            );
        }
    }
}

fn two_digits(milliseconds: f64) -> String {
    format!("{milliseconds:.2}")
}

fn northstar(grid: &CostGrid, orders: &[(Cell, Cell)], walls: &[Cell]) -> Times {
    let mut northstar = Northstar::new(grid, ADMISSIBLE);
    let preparation = time(|| northstar.build());
    let plan = |northstar: &Northstar, &order: &(Cell, Cell)| northstar.plan(order, PathfindMode::Refined);
    let mut paths: Vec<_> = orders.iter().map(|order| plan(&northstar, order)).collect();
    let (mut builds, mut routes) = ([0.0; 2], [0.0; 2]);
    for &wall in walls {
        builds[0] += time(|| {
            northstar.set(wall, None);
            northstar.build();
        });
        // Only the routes through the wall are planned again.
        routes[0] += time(|| {
            for (path, order) in paths.iter_mut().zip(orders) {
                if path.as_ref().is_some_and(|path| path.is_position_in_path(position(wall))) {
                    *path = plan(&northstar, order);
                }
            }
        });
        builds[1] += time(|| {
            northstar.set(wall, grid.get(wall));
            northstar.build();
        });
        // Any of the routes could be cheaper now, so all are planned again.
        routes[1] += time(|| {
            for (path, order) in paths.iter_mut().zip(orders) {
                *path = plan(&northstar, order);
            }
        });
    }
    let changes = [0, 1].map(|k| (builds[k] + routes[k]) / WALLS as f64);
    Times { preparation, changes, builds: Some(builds.map(|sum| sum / WALLS as f64)) }
}

fn emberwalk(grid: &CostGrid, orders: &[(Cell, Cell)], walls: &[Cell]) -> Times {
    let (mut grid, mut planner) = (grid.clone(), Planner::new());
    let preparation = time(|| planner.prepare(&grid, &Options::default()));
    let queries: Vec<_> = orders.iter().map(|&(from, to)| RouteQuery::new(from, to)).collect();
    let mut replanners = vec![Replanner::new(); AGENTS];
    let mut plan = |planner: &mut Planner, grid: &CostGrid| {
        for (replanner, query) in replanners.iter_mut().zip(&queries) {
            replanner.plan(planner, grid, query).expect("both ends are passable");
        }
    };
    plan(&mut planner, &grid);
    let mut sums = [0.0; 2];
    for &wall in walls {
        for (sum, cost) in sums.iter_mut().zip([None, grid.get(wall)]) {
            *sum += time(|| {
                grid.set(wall, cost);
                plan(&mut planner, &grid);
            });
        }
    }
    Times { preparation, changes: sums.map(|sum| sum / WALLS as f64), builds: None }
}

/// How long the work takes, in milliseconds.
fn time(work: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_secs_f64() * 1e3
}

/// The middles of some routes, except starts and goals.
fn walls(grid: &CostGrid, orders: &[(Cell, Cell)]) -> Vec<Cell> {
    let mut planner = Planner::new();
    let middles = orders.iter().map(|&(from, to)| {
        let result = planner.plan(grid, &RouteQuery::new(from, to)).expect("both ends are passable");
        result.cells()[result.cells().len() / 2]
    });
    let is_end = |cell: &Cell| orders.iter().any(|&(from, to)| from == *cell || to == *cell);
    middles.filter(|cell| !is_end(cell)).take(WALLS).collect()
}
