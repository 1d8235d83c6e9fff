//! The planners that are compared: this library and other pathfinding crates.

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{Algorithm, CostGrid, Moves, Options, Planner, RouteCost, RouteQuery};
use grid_pathfinding::PathingGrid;
use grid_util::grid::ValueGrid;
use grid_util::point::Point;

use crate::bordered::Bordered;
use crate::rival::{NAMES, Rival};
use crate::step_rival::PathfindingBySteps;
use emberwalk_path_benches::bench_maps::BenchMap;
use emberwalk_path_benches::eruption::apply;

/// The planners that can plan on this map, in the order of [`NAMES`].
pub fn all(bench_map: &BenchMap) -> Vec<Box<dyn Rival>> {
    let grid = &bench_map.changed_grid();
    let (moves, has_default_moves) = (bench_map.moves, bench_map.has_default_moves());
    let first: Box<dyn Rival> = match grid.is_flat() && has_default_moves {
        true => Box::new(PathfindingCrate::new(grid)),
        false => Box::new(PathfindingBySteps::new(grid, moves)),
    };
    let mut rivals = vec![first];
    if bench_map.is_uniform() && has_default_moves {
        rivals.push(Box::new(GridPathfindingCrate::new(grid)));
    }
    let [.., astar, unprepared, auto] = NAMES;
    rivals.push(Box::new(Emberwalk::new(astar, bench_map, Algorithm::AStar, false)));
    rivals.push(Box::new(Emberwalk::new(unprepared, bench_map, Algorithm::Auto, false)));
    rivals.push(Box::new(Emberwalk::new(auto, bench_map, Algorithm::Auto, true)));
    rivals
}

/// Checks that all planners that count in the same units find routes of the same cost.
pub fn check(rivals: &mut [Box<dyn Rival>], bench_map: &BenchMap) {
    for &(from, to) in &bench_map.queries {
        let costs: Vec<_> = rivals.iter_mut().map(|rival| rival.plan(from, to)).collect();
        let all_same = costs.iter().all(|&cost| cost == costs[0] || cost == 0);
        assert!(all_same && costs[0] > 0, "{}: {from} to {to} costs {costs:?}", bench_map.name);
    }
}

/// The planner of this library.
struct Emberwalk {
    name: &'static str,
    planner: Planner,
    grid: CostGrid,
    options: Options,
}

impl Emberwalk {
    fn new(name: &'static str, bench_map: &BenchMap, algorithm: Algorithm, is_prepared: bool) -> Self {
        let options = Options::default().with_algorithm(algorithm).with_moves(bench_map.moves);
        let (mut planner, mut grid) = (Planner::new(), bench_map.grid.clone());
        if is_prepared {
            planner.prepare(&grid, &options);
        }
        apply(&mut grid, &bench_map.changes);
        Self { name, planner, grid, options }
    }
}

impl Rival for Emberwalk {
    fn name(&self) -> &'static str {
        self.name
    }

    fn plan(&mut self, from: Cell, to: Cell) -> u64 {
        let result = self.planner.plan(&self.grid, &RouteQuery::new(from, to).with_options(self.options));
        result.expect("both ends are passable").cost().expect("both ends are connected").units()
    }
}

/// A* of the crate `pathfinding` on level ground.
struct PathfindingCrate {
    bordered: Bordered,
    /// The cost of a straight and of a diagonal step into each cell, 0 where blocked.
    steps: Vec<[u32; 2]>,
}

impl PathfindingCrate {
    fn new(grid: &CostGrid) -> Self {
        let step = |into: Cell, is_diagonal| {
            let cost = |entry| if is_diagonal { grid.diagonal().cost(entry) } else { RouteCost::from(entry) };
            grid.get(into).map_or(0, |entry| cost(entry).units())
        };
        let lowest = [false, true].map(|diagonal| {
            let costs = grid.size().cells().map(|cell| step(cell, diagonal));
            costs.filter(|&cost| cost > 0).min().expect("a passable cell")
        });
        let bordered = Bordered::new(grid.size(), lowest, Moves::Eight);
        let steps = bordered.cells().map(|cell| [step(cell, false) as u32, step(cell, true) as u32]);
        Self { steps: steps.collect(), bordered }
    }

    /// The successors for eight moves and the corner rule `never`.
    fn successors(&self, at: u32) -> impl Iterator<Item = (u32, u64)> {
        let south = self.bordered.stride;
        let cost = |to: u32, kind: usize| u64::from(self.steps[to as usize][kind]);
        let free = |to: u32| self.steps[to as usize][0] > 0;
        let [n, e, s, w] = [at - south, at + 1, at + south, at - 1];
        let straight = [n, e, s, w].map(|to| (to, cost(to, 0)));
        let diagonal = [(n, e, n + 1), (s, e, s + 1), (s, w, s - 1), (n, w, n - 1)];
        let diagonal = diagonal.map(|(one, other, to)| (to, if free(one) && free(other) { cost(to, 1) } else { 0 }));
        straight.into_iter().chain(diagonal).filter(|&(_, cost)| cost > 0)
    }
}

impl Rival for PathfindingCrate {
    fn name(&self) -> &'static str {
        NAMES[0]
    }

    fn plan(&mut self, from: Cell, to: Cell) -> u64 {
        self.bordered.plan(from, to, |at| self.successors(at))
    }
}

/// Jump point search of the crate `grid_pathfinding`. It cuts corners and counts 70 for a straight and 99 for a
/// diagonal step, so only its time can be compared.
struct GridPathfindingCrate(PathingGrid);

impl GridPathfindingCrate {
    fn new(grid: &CostGrid) -> Self {
        let Size { width, height } = grid.size();
        let mut paths = PathingGrid::new(width as usize, height as usize, false);
        for cell in grid.size().cells().filter(|&cell| !grid.is_passable(cell)) {
            paths.set(cell.x, cell.y, true);
        }
        paths.generate_components();
        Self(paths)
    }
}

impl Rival for GridPathfindingCrate {
    fn name(&self) -> &'static str {
        NAMES[1]
    }

    fn plan(&mut self, from: Cell, to: Cell) -> u64 {
        let point = |cell: Cell| Point::new(cell.x, cell.y);
        let route = self.0.get_path_single_goal(point(from), point(to), false);
        assert!(
            route.is_some_and(|route| route.last() == Some(&point(to))),
            "cells that are connected without cutting corners are connected"
        );
        0
    }
}
