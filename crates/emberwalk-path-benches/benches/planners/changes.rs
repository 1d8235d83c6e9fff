//! Planning again after an event on the map, compared with a new search.

use std::hint::black_box;
use std::time::{Duration, Instant};

use emberwalk_path::grid::Cell;
use emberwalk_path::{Algorithm, CostGrid, Options, Planner, Replanner, RouteQuery, SearchResult};
use fastrand::Rng;

use emberwalk_path_benches::bench_maps::BenchMap;
use emberwalk_path_benches::eruption::{Change, apply, divided, eruption};

/// An event between two answers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A cell away from the route is blocked.
    Wall,
    /// The cost of a cell away from the route is halved.
    CheaperCell,
    /// The traveller takes a step along the route.
    Step,
    /// A volcano erupts somewhere on the map.
    AnyEruption,
    /// A volcano erupts near the middle of the route.
    NearEruption,
}

/// All events with the names of the table.
pub const EVENTS: [(&str, Event); 5] = [
    ("a wall off the route", Event::Wall),
    ("a cheaper cell off the route", Event::CheaperCell),
    ("a step along the route", Event::Step),
    ("an eruption anywhere", Event::AnyEruption),
    ("an eruption beside the route", Event::NearEruption),
];

/// How the query after the event is answered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Approach {
    /// A new search by plain A*.
    AStar,
    /// A new search by the default algorithm, prepared.
    Auto,
    /// A replanner with the default algorithm, prepared.
    Replanner,
    /// A replanner with the default algorithm, not prepared.
    UnpreparedReplanner,
}

/// All approaches with the names of the table's columns.
pub const APPROACHES: [(&str, Approach); 4] = [
    ("astar", Approach::AStar),
    ("auto", Approach::Auto),
    ("replanner", Approach::Replanner),
    ("replanner, unprepared", Approach::UnpreparedReplanner),
];

/// A map on which the same events can be repeated for each approach.
pub struct ChangeBench {
    grid: CostGrid,
    queries: Vec<RouteQuery>,
    /// The cells of a cheapest route for each query.
    routes: Vec<Vec<Cell>>,
    prepared: Planner,
    unprepared: Planner,
}

impl ChangeBench {
    pub fn new(bench_map: &BenchMap) -> Self {
        let (grid, mut prepared) = (bench_map.grid.clone(), Planner::new());
        prepared.prepare(&grid, &Options::default());
        let queries: Vec<_> = bench_map.queries.iter().map(|&(from, to)| RouteQuery::new(from, to)).collect();
        let route = |query| prepared.plan(&grid, query).expect("both ends are passable").cells().to_vec();
        let routes = queries.iter().map(route).collect();
        Self { grid, queries, routes, prepared, unprepared: Planner::new() }
    }

    pub fn query_count(&self) -> usize {
        self.queries.len()
    }

    /// The time of the event and of the answer after it, and how many cells were expanded for that answer.
    pub fn time(&mut self, number: usize, event: Event, approach: Approach) -> (Duration, u64) {
        let (mut query, mut next) = (self.queries[number], self.queries[number]);
        if approach == Approach::AStar {
            query.options.algorithm = Algorithm::AStar;
            next = query;
        }
        let changes = self.changes(number, event);
        let undo: Vec<_> = changes.iter().map(|&(cell, _)| (cell, self.grid.get(cell))).collect();
        let is_prepared = matches!(approach, Approach::Auto | Approach::Replanner);
        let mut planner = if is_prepared { self.prepared.clone() } else { self.unprepared.clone() };
        let mut replanner = Replanner::new();
        let mut ask = |grid: &CostGrid, query: &RouteQuery| {
            let answer = match approach {
                Approach::AStar | Approach::Auto => planner.plan(grid, query),
                Approach::Replanner | Approach::UnpreparedReplanner => replanner.plan(&mut planner, grid, query),
            };
            let result: SearchResult<'_> = answer.expect("both ends are passable");
            (result.cost().expect("both ends are connected"), result.expanded, result.cells()[1])
        };
        // Three answers before the event warm everything up.
        for _ in 0..3 {
            let (.., first_step) = ask(&self.grid, &query);
            if event == Event::Step {
                next.from = first_step;
            }
        }
        let begun = Instant::now();
        apply(&mut self.grid, &changes);
        let (cost, expanded, _) = black_box(ask(&self.grid, &next));
        let time = begun.elapsed();
        let lowest = self.unprepared.plan(&self.grid, &next).expect("both ends are passable").cost();
        assert_eq!(Some(cost), lowest, "{} to {}", next.from, next.to);
        apply(&mut self.grid, &undo);
        // The tables catch up: the changes and their undoing cancel out.
        self.prepared.prepare(&self.grid, &Options::default());
        (time, expanded)
    }

    /// The changes of the grid in an event. They depend on the query alone, the same for each approach.
    fn changes(&self, number: usize, event: Event) -> Vec<Change> {
        let mut rng = Rng::with_seed(number as u64);
        let (size, route) = (self.grid.size(), &self.routes[number]);
        let mut any_cell = || Cell::new(rng.i32(0..size.width as i32), rng.i32(0..size.height as i32));
        let is_off_route = |cell: &Cell| {
            let is_near = |step: &Cell| cell.x.abs_diff(step.x).max(cell.y.abs_diff(step.y)) < 2;
            self.grid.is_passable(*cell) && !route.iter().any(is_near)
        };
        let mut off_route =
            || std::iter::repeat_with(&mut any_cell).find(is_off_route).expect("most cells are off the route");
        match event {
            Event::Step => Vec::new(),
            Event::Wall => vec![(off_route(), None)],
            Event::CheaperCell => {
                let cell = off_route();
                vec![(cell, divided(&self.grid, cell, 2.0))]
            }
            Event::AnyEruption => eruption(&self.grid, off_route()),
            Event::NearEruption => eruption(&self.grid, route[route.len() / 2] + (3, 2)),
        }
    }
}
