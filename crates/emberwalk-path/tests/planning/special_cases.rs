//! Errors, unreachable goals, and the smallest and the largest maps.

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{
    Algorithm, Components, Corners, CostGrid, Diagonal, Endpoint, EntryCost, Field, FieldQuery, Options, Planner,
    QueryError, Route, RouteQuery, StepRules,
};

use crate::oracle::{Map, algorithms, all_rules, any_rules};
use crate::seeded;

fn open(width: u32, height: u32) -> CostGrid {
    CostGrid::open(Size::new(width, height)).unwrap()
}

#[test]
fn errors_name_the_endpoint_and_its_cell() {
    let mut grid = open(3, 3);
    let (free, blocked) = (Cell::new(0, 0), Cell::new(1, 1));
    grid.set(blocked, None);
    let mut planner = Planner::new();
    for algorithm in algorithms() {
        let mut ask = |from, to| {
            let query = RouteQuery::new(from, to).with_options(Options::default().with_algorithm(algorithm));
            planner.plan(&grid, &query).map(|result| result.found())
        };
        for cell in [Cell::new(-1, 0), Cell::new(0, 3), Cell::new(3, 0), Cell::new(i32::MIN, i32::MAX)] {
            assert_eq!(ask(cell, blocked), Err(QueryError::OffTheMap { endpoint: Endpoint::Start, cell }));
            assert_eq!(ask(free, cell), Err(QueryError::OffTheMap { endpoint: Endpoint::Goal, cell }));
        }
        assert_eq!(ask(blocked, blocked), Err(QueryError::Blocked { endpoint: Endpoint::Start, cell: blocked }));
        assert_eq!(ask(free, blocked), Err(QueryError::Blocked { endpoint: Endpoint::Goal, cell: blocked }));
    }
    let error = planner.plan(&grid, &RouteQuery::new(free, blocked)).unwrap_err();
    assert_eq!(error.to_string(), "the goal 1,1 is blocked");
}

#[test]
fn weights_below_one_or_not_finite_are_rejected() {
    let mut planner = Planner::new();
    for weight in [0.999, 0.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        let options = Options::default().with_algorithm(Algorithm::Weighted { weight });
        let query = RouteQuery::new(Cell::new(0, 0), Cell::new(1, 0)).with_options(options);
        assert!(matches!(planner.plan(&open(2, 1), &query), Err(QueryError::Weight(_))), "{weight}");
    }
}

#[test]
fn an_enclosed_goal_needs_no_search() {
    let (from, goal) = (Cell::new(0, 0), Cell::new(5, 5));
    let mut grid = open(11, 11);
    let ring = [(4, 5), (6, 5), (5, 4), (5, 6)];
    for (x, y) in ring {
        grid.set(Cell::new(x, y), None);
    }
    let mut planner = Planner::new();
    for algorithm in algorithms() {
        for (corners, found) in [(Corners::Never, false), (Corners::One, false), (Corners::Always, true)] {
            let query = RouteQuery::new(from, goal)
                .with_options(Options::default().with_algorithm(algorithm).with_corners(corners));
            let result = planner.plan(&grid, &query).unwrap();
            assert_eq!(result.found(), found, "{algorithm} {corners}");
            assert!(found || (result.expanded, result.cost(), result.cells()) == (0, None, &[][..]));
        }
    }
}

/// A partial route and a field have the same nearest cell, which a search through every cell finds, too.
#[test]
fn the_nearest_reachable_cell_is_the_nearest_then_the_cheapest() {
    let mut planner = Planner::new();
    let mut field = Field::new();
    for (seed, mut rng) in seeded(1500) {
        let map = Map::random(&mut rng);
        let rules = any_rules(&mut rng);
        let Some(from) = map.passable_cell(&mut rng) else { continue };
        let goal = map.any_cell(&mut rng);
        let lowest = map.dijkstra(rules, from, false);
        let rank = |cell: Cell| {
            let cost = lowest[map.index(cell)]?;
            Some((cell.distance_squared(goal), cost, cell.y, cell.x))
        };
        let nearest = map.cells().filter_map(rank).min().map(|(.., y, x)| Cell::new(x, y));
        let grid = map.grid();
        let query = RouteQuery::new(from, goal).with_options(Options::default().with_rules(rules)).with_partial();
        let result = planner.plan(&grid, &query).unwrap();
        let end = result.route_or_partial().and_then(|route| route.cells.last()).copied();
        assert_eq!(end, nearest, "seed {seed}, {from} to {goal}\n{map:?}");
        field.compute(&grid, &FieldQuery::routes_from(from).with_rules(rules)).unwrap();
        assert_eq!(field.nearest_reachable(goal), nearest, "seed {seed}, {from} to {goal}\n{map:?}");
    }
}

/// Cells far off the map do not make anything overflow.
#[test]
fn any_cell_off_the_map_can_be_queried() {
    let grid = open(5, 4);
    let mut field = Field::new();
    let (mut components, home) = (Components::new(StepRules::default()), Cell::new(1, 1));
    assert!(!components.are_connected(&grid, home, home), "components of no grid connect nothing");
    components.update(&grid);
    assert!(components.are_connected(&grid, home, home));
    assert!(
        !components.are_connected(&open(500, 400), Cell::new(499, 399), home),
        "components of another grid connect no cells of this one"
    );
    field.compute(&grid, &FieldQuery::routes_from(home)).unwrap();
    let ends = [i32::MIN, i32::MIN + 1, -4097, -1, 5, 4096, i32::MAX - 1, i32::MAX];
    for (x, y) in ends.into_iter().flat_map(|x| ends.map(|y| [(x, y), (x, 0), (0, y)])).flatten() {
        let cell = Cell::new(x, y);
        assert_eq!((grid.get(cell), grid.is_passable(cell)), (None, false));
        assert_eq!((field.cost(cell), field.nearest_reachable(cell)), (None, None));
        let mut route = Route { cells: vec![home], ..Route::default() };
        assert!(!field.route_into(cell, &mut route) && route.is_empty());
        assert!(field.route(cell).is_none() && !components.are_connected(&grid, home, cell));
        let refused = field.clone().compute(&grid, &FieldQuery::routes_to(cell));
        assert_eq!(refused, Err(QueryError::OffTheMap { endpoint: Endpoint::Goal, cell }));
    }
}

/// On open ground, exactly the directions of the move set are steps: a jump is none, whatever lies between.
#[test]
fn only_a_step_to_a_neighbour_has_a_cost() {
    let grid =
        CostGrid::from_fn(Size::new(9, 7), Diagonal::GAME, |cell| (cell.x != 7).then_some(EntryCost::TILE)).unwrap();
    let from = Cell::new(3, 3);
    for rules in all_rules() {
        for to in grid.size().cells() {
            let is_step = rules.moves.directions().iter().any(|&direction| from + direction == to);
            assert_eq!(rules.step_cost(&grid, from, to).is_some(), is_step, "{rules:?}: {to}");
        }
    }
}

#[test]
fn the_largest_map_works() {
    let grid = open(4096, 4096);
    let query = RouteQuery::new(Cell::new(0, 0), Cell::new(4095, 4095));
    let mut planner = Planner::new();
    let result = planner.plan(&grid, &query).unwrap();
    assert_eq!(result.cells().len(), 4096);
}
