//! Refusals, unreachable goals and the smallest maps.

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{
    Algorithm, Components, Corners, CostGrid, Diagonal, Endpoint, EntryCost, Field, FieldQuery, Options, Planner,
    Query, QueryError, Route, StepRules, step,
};
use fastrand::Rng;

use crate::oracle::{Map, any_rules};

fn open(width: u32, height: u32) -> CostGrid {
    CostGrid::from_fn(Size::new(width, height), Diagonal::GAME, |_| Some(EntryCost::TILE)).unwrap()
}

#[test]
fn an_end_off_the_map_or_blocked_is_named() {
    let mut grid = open(3, 3);
    let (free, blocked) = (Cell::new(0, 0), Cell::new(1, 1));
    grid.set(blocked, None);
    let mut planner = Planner::new();
    for &(_, algorithm) in Algorithm::NAMES {
        let mut ask = |from, to| {
            let query = Query::new(from, to).with(Options { algorithm, ..Options::default() });
            planner.plan(&grid, &query).map(|outcome| outcome.found())
        };
        for cell in [Cell::new(-1, 0), Cell::new(0, 3), Cell::new(3, 0), Cell::new(i32::MIN, i32::MAX)] {
            assert_eq!(ask(cell, blocked), Err(QueryError::OffTheMap { end: Endpoint::Start, cell }));
            assert_eq!(ask(free, cell), Err(QueryError::OffTheMap { end: Endpoint::Goal, cell }));
        }
        assert_eq!(ask(blocked, blocked), Err(QueryError::Blocked { end: Endpoint::Start, cell: blocked }));
        assert_eq!(ask(free, blocked), Err(QueryError::Blocked { end: Endpoint::Goal, cell: blocked }));
    }
    let error = planner.plan(&grid, &Query::new(free, blocked)).unwrap_err();
    assert_eq!(error.to_string(), "the goal 1,1 is blocked");
}

#[test]
fn weights_below_one_or_not_finite_are_refused() {
    let mut planner = Planner::new();
    for weight in [0.999, 0.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        let options = Options { algorithm: Algorithm::Weighted { weight }, ..Options::default() };
        let query = Query::new(Cell::new(0, 0), Cell::new(1, 0)).with(options);
        assert!(matches!(planner.plan(&open(2, 1), &query), Err(QueryError::Weight(_))), "{weight}");
    }
}

#[test]
fn staying_costs_nothing() {
    let mut planner = Planner::new();
    for (width, height) in [(1, 1), (5, 1), (3, 4)] {
        for &(_, algorithm) in Algorithm::NAMES {
            let cell = Cell::new(width as i32 - 1, 0);
            let query = Query::new(cell, cell).with(Options { algorithm, ..Options::default() });
            let grid = open(width, height);
            let outcome = planner.plan(&grid, &query).unwrap();
            assert_eq!((outcome.cells(), outcome.cost().unwrap().units()), (&[cell][..], 0), "{algorithm}");
        }
    }
}

#[test]
fn an_enclosed_goal_is_refused_without_a_search() {
    let (from, goal) = (Cell::new(0, 0), Cell::new(5, 5));
    let mut grid = open(11, 11);
    let ring = [(4, 5), (6, 5), (5, 4), (5, 6)];
    for (x, y) in ring {
        grid.set(Cell::new(x, y), None);
    }
    let mut planner = Planner::new();
    for &(_, algorithm) in Algorithm::NAMES {
        for (corners, found) in [(Corners::Never, false), (Corners::One, false), (Corners::Always, true)] {
            let query = Query::new(from, goal).with(Options { algorithm, corners, ..Options::default() });
            let outcome = planner.plan(&grid, &query).unwrap();
            assert_eq!(outcome.found(), found, "{algorithm} {corners}");
            assert!(found || (outcome.expanded, outcome.cost(), outcome.cells()) == (0, None, &[][..]));
        }
    }
}

/// The nearest reachable cell, found by a planner and by a field, against a look at every cell.
#[test]
fn nearest_reachable_is_the_nearest_then_the_cheapest() {
    let mut planner = Planner::new();
    let mut field = Field::new();
    for seed in 0..1500 {
        let mut rng = Rng::with_seed(seed);
        let map = Map::random(&mut rng);
        let rules = any_rules(&mut rng);
        let Some(from) = map.open_cell(&mut rng) else { continue };
        let goal = map.any_cell(&mut rng);
        let least = map.dijkstra(rules, from, false);
        let rank = |cell: Cell| {
            let cost = least[(cell.y * map.width + cell.x) as usize]?;
            Some((cell.distance_squared(goal), cost, cell.y, cell.x))
        };
        let nearest = map.cells().filter_map(rank).min().map(|(.., y, x)| Cell::new(x, y));
        let grid = map.grid();
        let told = planner.nearest_reachable(&grid, &Query::new(from, goal).with(Options::default().with_rules(rules)));
        assert_eq!(told, Ok(nearest), "seed {seed}, {from} to {goal}\n{map:?}");
        field.compute(&grid, &FieldQuery::from_cell(from).with(rules)).unwrap();
        assert_eq!(field.nearest_reachable(goal), nearest, "seed {seed}, {from} to {goal}\n{map:?}");
    }
}

#[test]
fn nothing_is_near_a_goal_off_the_map() {
    let grid = open(3, 3);
    let (from, goal) = (Cell::new(0, 0), Cell::new(3, 0));
    let mut planner = Planner::new();
    assert_eq!(planner.nearest_reachable(&grid, &Query::new(from, goal)), Ok(None));
    let error = planner.nearest_reachable(&grid, &Query::new(goal, from));
    assert_eq!(error, Err(QueryError::OffTheMap { end: Endpoint::Start, cell: goal }));
}

#[test]
fn nothing_is_reached_from_a_blocked_cell() {
    let mut grid = open(3, 3);
    let (from, goal) = (Cell::new(1, 1), Cell::new(0, 0));
    grid.set(from, None);
    let error = Planner::new().nearest_reachable(&grid, &Query::new(from, goal));
    assert_eq!(error, Err(QueryError::Blocked { end: Endpoint::Start, cell: from }));
}

/// Far off the map is as much off it as beside it: nothing overflows.
#[test]
fn cells_anywhere_can_be_asked_for() {
    let grid = open(5, 4);
    let mut field = Field::new();
    let (mut parts, home) = (Components::new(StepRules::default()), Cell::new(1, 1));
    assert!(!parts.are_connected(&grid, home, home), "parts that have seen no grid know of no way");
    parts.update(&grid);
    assert!(parts.are_connected(&grid, home, home));
    assert!(!parts.are_connected(&open(500, 400), Cell::new(499, 399), home), "nor do those of another grid");
    field.compute(&grid, &FieldQuery::from_cell(home)).unwrap();
    let ends = [i32::MIN, i32::MIN + 1, -4097, -1, 5, 4096, i32::MAX - 1, i32::MAX];
    for (x, y) in ends.into_iter().flat_map(|x| ends.map(|y| [(x, y), (x, 0), (0, y)])).flatten() {
        let cell = Cell::new(x, y);
        assert_eq!((grid.get(cell), grid.step_cost(cell, true), grid.is_passable(cell)), (None, None, false));
        assert_eq!((field.cost(cell), field.nearest_reachable(cell)), (None, None));
        let mut route = Route { cells: vec![home], ..Route::default() };
        assert!(!field.route_into(cell, &mut route) && route.is_empty());
        assert!(field.route(cell).is_none() && !parts.are_connected(&grid, home, cell));
        for corners in [Corners::Never, Corners::One, Corners::Always] {
            let rules = StepRules { corners, ..StepRules::default() };
            assert_eq!(step(&grid, rules, home, cell), None);
            assert_eq!(step(&grid, rules, cell, Cell::new(4, 3)), None, "{cell}");
        }
        let refused = field.clone().compute(&grid, &FieldQuery::to_cell(cell));
        assert_eq!(refused, Err(QueryError::OffTheMap { end: Endpoint::Goal, cell }));
    }
}

#[test]
fn the_largest_map_is_planned_on() {
    let grid = open(4096, 4096);
    let query = Query::new(Cell::new(0, 0), Cell::new(4095, 4095));
    let mut planner = Planner::new();
    let outcome = planner.plan(&grid, &query).unwrap();
    assert_eq!(outcome.cells().len(), 4096);
}
