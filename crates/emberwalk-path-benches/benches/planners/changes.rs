//! Planning again after something has changed, beside searches from nothing.

use std::hint::black_box;
use std::time::{Duration, Instant};

use emberwalk_path::grid::Cell;
use emberwalk_path::{Algorithm, CostGrid, EntryCost, Options, Planner, Query, Replanner, SearchResult};
use fastrand::Rng;

use crate::arenas::Arena;

/// What happens between two answers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A cell somewhere off the route is blocked.
    Wall,
    /// A cell somewhere off the route becomes half as dear.
    Cheaper,
    /// The traveller takes a step along the route.
    Step,
    /// A volcano erupts anywhere on the map.
    AnyEruption,
    /// A volcano erupts beside the middle of the route.
    NearEruption,
}

pub const EVENTS: [(&str, Event); 5] = [
    ("a wall off the route", Event::Wall),
    ("a cheaper cell off the route", Event::Cheaper),
    ("a step along the route", Event::Step),
    ("an eruption anywhere", Event::AnyEruption),
    ("an eruption beside the route", Event::NearEruption),
];

/// Who answers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// Plain A*, from nothing.
    AStar,
    /// The default, prepared, from nothing.
    Auto,
    /// A replanner with the default, prepared.
    Again,
    /// A replanner with the default, not prepared.
    Unprepared,
}

pub const WHO: [(&str, Who); 4] =
    [("astar", Who::AStar), ("auto", Who::Auto), ("again", Who::Again), ("again, unprepared", Who::Unprepared)];

/// A map on which things happen, over and over the same.
pub struct Stage {
    grid: CostGrid,
    queries: Vec<Query>,
    /// For each query, the cells of a cheapest route.
    routes: Vec<Vec<Cell>>,
    prepared: Planner,
    plain: Planner,
}

impl Stage {
    pub fn new(arena: &Arena) -> Self {
        let (grid, mut prepared) = (arena.grid.clone(), Planner::new());
        prepared.prepare(&grid, &Options::default());
        let queries: Vec<_> = arena.queries.iter().map(|&(from, to)| Query::new(from, to)).collect();
        let route = |query| prepared.plan(&grid, query).expect("both ends are free").cells().to_vec();
        let routes = queries.iter().map(route).collect();
        Self { grid, queries, routes, prepared, plain: Planner::new() }
    }

    pub fn queries(&self) -> usize {
        self.queries.len()
    }

    /// The time of the change and of the answer after it, and the cells that were expanded for it.
    pub fn time(&mut self, number: usize, event: Event, who: Who) -> (Duration, u64) {
        let (mut query, mut next) = (self.queries[number], self.queries[number]);
        if who == Who::AStar {
            query.options.algorithm = Algorithm::AStar;
            next = query;
        }
        let changes = self.changes(number, event);
        let undo: Vec<_> = changes.iter().map(|&(cell, _)| (cell, self.grid.get(cell))).collect();
        let mut planner =
            if matches!(who, Who::Auto | Who::Again) { self.prepared.clone() } else { self.plain.clone() };
        let mut replanner = Replanner::new();
        let mut ask = |grid: &CostGrid, query: &Query| {
            let answer = match who {
                Who::AStar | Who::Auto => planner.plan(grid, query),
                Who::Again | Who::Unprepared => replanner.plan(&mut planner, grid, query),
            };
            let outcome: SearchResult<'_> = answer.expect("both ends are free");
            (outcome.cost().expect("they are joined"), outcome.expanded, outcome.cells()[1])
        };
        for _ in 0..3 {
            let (.., step) = ask(&self.grid, &query);
            if event == Event::Step {
                next.from = step;
            }
        }
        let begun = Instant::now();
        set(&mut self.grid, &changes);
        let (cost, expanded, _) = black_box(ask(&self.grid, &next));
        let time = begun.elapsed();
        let least = self.plain.plan(&self.grid, &next).expect("both ends are free").cost();
        assert_eq!(Some(cost), least, "{} to {}", next.from, next.to);
        set(&mut self.grid, &undo);
        // The tables take note that nothing is as different as it was.
        self.prepared.prepare(&self.grid, &Options::default());
        (time, expanded)
    }

    /// The same for a query each time, so that all who answer are asked alike.
    fn changes(&self, number: usize, event: Event) -> Vec<(Cell, Option<EntryCost>)> {
        let mut rng = Rng::with_seed(number as u64);
        let (size, route) = (self.grid.size(), &self.routes[number]);
        let mut any = || Cell::new(rng.i32(0..size.width as i32), rng.i32(0..size.height as i32));
        let is_off = |cell: &Cell| {
            let is_near = |step: &Cell| cell.x.abs_diff(step.x).max(cell.y.abs_diff(step.y)) < 2;
            self.grid.is_passable(*cell) && !route.iter().any(is_near)
        };
        let mut off = || std::iter::repeat_with(&mut any).find(is_off).expect("most cells are");
        match event {
            Event::Step => Vec::new(),
            Event::Wall => vec![(off(), None)],
            Event::Cheaper => vec![off()].into_iter().map(|cell| (cell, self.divided(cell, 2.0))).collect(),
            Event::AnyEruption => self.eruption(off()),
            Event::NearEruption => self.eruption(route[route.len() / 2] + (3, 2)),
        }
    }

    /// What an erupting volcano makes of the cells around it.
    fn eruption(&self, volcano: Cell) -> Vec<(Cell, Option<EntryCost>)> {
        let around = (-4..=4).flat_map(|dy| (-4..=4).map(move |dx| volcano + (dx, dy)));
        let distance = |cell: Cell| (cell.distance_squared(volcano) as f64).sqrt();
        let felt = around.filter(|&cell| self.grid.is_passable(cell) && distance(cell) <= 4.5);
        felt.map(|cell| (cell, self.divided(cell, (5.0 - distance(cell)) * 2.0))).collect()
    }

    fn divided(&self, cell: Cell, factor: f64) -> Option<EntryCost> {
        let tiles = self.grid.get(cell)?.tiles() / factor;
        EntryCost::from_tiles(tiles.max(EntryCost::MIN.tiles())).ok()
    }
}

fn set(grid: &mut CostGrid, changes: &[(Cell, Option<EntryCost>)]) {
    for &(cell, cost) in changes {
        grid.set(cell, cost);
    }
}
