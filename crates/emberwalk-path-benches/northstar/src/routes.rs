//! How many routes a frame has time for, and what they cost.

use std::time::Instant;

use bevy_northstar::prelude::PathfindMode;
use emberwalk_path::grid::Cell;
use emberwalk_path::{CostGrid, Diagonal, Field, FieldQuery, Options, Planner, Route, RouteQuery, StepRules};
use emberwalk_path_benches::bench_maps::random_orders;

use crate::northstar::{ADMISSIBLE, Northstar, cells};
use crate::{AGENTS, GOALS, TIMES, map};

/// The microseconds in which a frame can plan.
const FRAME: f64 = 16_000.0;

type Order = (Cell, Cell);

/// Prints, as Markdown, how many routes each planner plans in a frame, and what they cost as a multiple of the lowest
/// cost.
pub fn print(maps: impl Iterator<Item = (&'static str, u32)>) {
    println!(
        "| map | planner | µs per route | routes in 16 ms | no route | cost, mean | worst | diagonals of 1.414, mean |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|");
    for (name, side) in maps {
        let grids = [Diagonal::ONE, Diagonal::GAME].map(|diagonal| map(name, side, diagonal));
        let orders = random_orders(&grids[0], AGENTS, GOALS, 1);
        let table = Table {
            map: format!("{name} {side}²"),
            lowest: grids.each_ref().map(|grid| costs(grid, &orders)),
            orders,
            grids,
        };
        table.print();
    }
}

struct Table {
    map: String,
    /// With diagonal steps that cost as much as straight ones, and with 1.414 times as much.
    grids: [CostGrid; 2],
    orders: Vec<Order>,
    /// The lowest costs on these grids.
    lowest: [Vec<u64>; 2],
}

impl Table {
    fn print(&self) {
        for cheapest in [2, ADMISSIBLE] {
            let mut northstar = Northstar::new(&self.grids[0], cheapest);
            northstar.build();
            for (mode, what) in [
                (PathfindMode::Coarse, "HPA\\*, coarse"),
                (PathfindMode::Refined, "HPA\\*, refined"),
                (PathfindMode::AStar, "A\\*"),
            ] {
                let name = format!("`bevy_northstar`, {what}, costs from {cheapest}");
                let worst = self.print_row(&name, |orders, routes| {
                    for (&order, route) in orders.iter().zip(routes) {
                        *route = northstar.plan(order, mode).map(|path| cells(order.0, &path)).unwrap_or_default();
                    }
                });
                let is_exact = mode == PathfindMode::AStar && cheapest == ADMISSIBLE;
                assert!(!is_exact || worst == 1.0, "{}: both use the same costs", self.map);
            }
        }
        for (grid, name) in self.grids.iter().zip(["`auto`", "`auto`, diagonals of 1.414"]) {
            let mut planner = Planner::new();
            planner.prepare(grid, &Options::default());
            self.print_row(name, |orders, routes| {
                for (&(from, to), route) in orders.iter().zip(routes) {
                    let result = planner.plan(grid, &RouteQuery::new(from, to)).expect("both ends are passable");
                    route.clear();
                    route.extend_from_slice(result.cells());
                }
            });
        }
        let (mut field, mut route) = (Field::new(), Route::default());
        self.print_row("a `Field` for each goal", |orders, routes| {
            for first in 0..GOALS {
                field.compute(&self.grids[0], &FieldQuery::routes_to(orders[first].1)).expect("the goal is passable");
                for agent in (first..AGENTS).step_by(GOALS) {
                    field.route_into(orders[agent].0, &mut route);
                    routes[agent].clone_from(&route.cells);
                }
            }
        });
    }

    /// Prints how long all routes take, and what they cost. Returns the highest cost as a multiple of the lowest cost.
    fn print_row(&self, name: &str, mut plan: impl FnMut(&[Order], &mut [Vec<Cell>])) -> f64 {
        let mut routes = vec![Vec::new(); AGENTS];
        let mut best = f64::INFINITY;
        for _ in 0..TIMES {
            let begun = Instant::now();
            plan(&self.orders, &mut routes);
            best = best.min(begun.elapsed().as_secs_f64() * 1e6 / AGENTS as f64);
        }
        let ratios = |kind: usize| -> Vec<f64> {
            let found = routes.iter().zip(&self.lowest[kind]).filter(|(route, _)| !route.is_empty());
            found.map(|(route, &lowest)| route_cost(&self.grids[kind], route) as f64 / lowest as f64).collect()
        };
        let mean = |ratios: &[f64]| ratios.iter().sum::<f64>() / ratios.len() as f64;
        let (ratios, with_diagonals) = (ratios(0), ratios(1));
        let worst = ratios.iter().copied().fold(0.0, f64::max);
        println!(
            "| {} | {name} | {best:.1} | {:.0} | {} | {:.3} | {worst:.3} | {:.3} |",
            self.map,
            FRAME / best,
            AGENTS - ratios.len(),
            mean(&ratios),
            mean(&with_diagonals)
        );
        worst
    }
}

/// The lowest cost for each order.
fn costs(grid: &CostGrid, orders: &[Order]) -> Vec<u64> {
    let mut planner = Planner::new();
    planner.prepare(grid, &Options::default());
    let mut cost = |&(from, to): &Order| {
        let result = planner.plan(grid, &RouteQuery::new(from, to)).expect("both ends are passable");
        result.cost().expect("both ends are connected").units()
    };
    orders.iter().map(&mut cost).collect()
}

/// The cost of a route.
///
/// # Panics
/// If a step is not allowed.
fn route_cost(grid: &CostGrid, cells: &[Cell]) -> u64 {
    let step = |pair: &[Cell]| StepRules::default().step_cost(grid, pair[0], pair[1]);
    cells.windows(2).map(|pair| step(pair).expect("the step is allowed").units()).sum()
}
