//! Replanning must be as exact as a new search, whatever has changed, and must run no search when none is needed.

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{
    Algorithm, Corners, CostGrid, Endpoint, EntryCost, Heuristic, HeuristicScale, LimitKind, Limits, Moves, Options,
    Planner, QueryError, Replanner, RouteCost, RouteQuery, RouteSearch, SearchResult, Ties,
};
use fastrand::Rng;

use crate::limits::{any_units, check_nearest};
use crate::oracle::{Map, any_rules, planner_with_tables};
use crate::preparation::change;
use crate::slices::in_slices;

/// A traveller on its route, on a grid that changes.
struct Journey {
    map: Map,
    grid: CostGrid,
    planner: Planner,
    replanner: Replanner,
    query: RouteQuery,
    /// The cells of the last answer.
    cells: Vec<Cell>,
    answers: Answers,
}

/// The numbers of all answers, of routes without a search, and of answers without a route and without a search, that
/// are not a single cell.
#[derive(Clone, Copy, Debug, Default)]
struct Answers {
    all: u32,
    known: u32,
    known_without_route: u32,
}

impl Journey {
    fn begin(rng: &mut Rng, map: Map) -> Option<Self> {
        let rules = any_rules(rng);
        let options = Options::default().with_rules(rules);
        let (from, to) = map.passable_pair(rng)?;
        let query = RouteQuery::new(from, to).with_options(options);
        let (grid, mut planner) = (map.grid(), planner_with_tables());
        if rng.bool() {
            planner.prepare(&grid, &options);
        }
        let (replanner, cells) = (Replanner::new(), Vec::new());
        Some(Self { map, grid, planner, replanner, query, cells, answers: Answers::default() })
    }

    /// Lets something happen; most of the time the traveller walks.
    fn go_on(&mut self, rng: &mut Rng) {
        match rng.u8(..24) {
            0 => self.query.from = self.map.passable_cell(rng).unwrap_or(self.query.from),
            1 => self.query.to = self.map.passable_cell(rng).unwrap_or(self.query.to),
            2 => self.query.to = *rng.choice(&self.cells).unwrap_or(&self.query.to),
            3 => self.query.options = self.query.options.with_rules(any_rules(rng)),
            4 => self.query.options.algorithm = rng.choice(Algorithm::NAMES).unwrap().1,
            5 => self.query.options.algorithm = Algorithm::Auto,
            6..=13 => {
                let steps = rng.usize(..4);
                self.query.from = *self.cells.get(steps).unwrap_or(&self.query.from);
            }
            14 => self.query.options.ties = rng.choice(Ties::NAMES).unwrap().1,
            15 => self.query.partial = !self.query.partial,
            16 => self.query.limits = any_limits(rng),
            17 => self.query.limits = Limits::new(),
            // Partial routes also lead towards blocked cells.
            18 if self.query.partial => self.query.to = self.map.any_cell(rng),
            _ => {}
        }
        if rng.u8(..4) != 0 {
            for _ in 0..rng.u8(1..3) {
                change(rng, &mut self.map, &mut self.grid);
            }
        }
        match rng.u8(..30) {
            0..3 => {
                self.planner.refresh(&self.grid, &self.query.options);
            }
            3 => while self.planner.refresh(&self.grid, &self.query.options) {},
            4 => _ = self.planner.advance_refresh(&self.grid, &self.query.options, rng.u64(..500)),
            5 => _ = self.planner.advance_preparation(&self.grid, &self.query.options, rng.u64(..500)),
            6 => _ = RouteSearch::new(self.query).advance(&mut self.planner, &self.grid, rng.u64(..100)),
            _ => {}
        }
    }

    /// Plans again, and checks the answer.
    fn ask(&mut self, rng: &mut Rng, seed: u64) {
        let Self { map, grid, planner, replanner, query, .. } = self;
        if rng.u8(..4) == 0 && grid.is_passable(query.from) && grid.is_passable(query.to) {
            // An answer that is not known is found in slices.
            if replanner.known(planner, grid, query).unwrap().is_none() {
                let (mut search, cells) = (RouteSearch::new(*query), rng.u64(1..300));
                in_slices(|| {
                    let advanced = search.advance(planner, grid, cells);
                    advanced.map(|result| replanner.keep(grid, query, &result.unwrap()))
                });
            }
        }
        let result = replanner.plan(planner, grid, query);
        if map.at(query.from) == 0 || map.at(query.to) == 0 && !query.partial {
            assert_eq!(result.err(), Planner::new().plan(grid, query).err(), "seed {seed}");
            return;
        }
        let result = result.unwrap();
        check_answer(map, query, &result, seed);
        let cells = result.route_or_partial().map_or(&[][..], |route| route.cells);
        if query.options.ties == Ties::Canonical && result.optimal && query.limits.max_expansions.is_none() {
            let mut fresh = Planner::new();
            let fresh = fresh.plan(grid, query).unwrap().route_or_partial().map_or(&[][..], |route| route.cells);
            assert_eq!(cells, fresh, "seed {seed}, {query:?}\n{map:?}");
        }
        self.answers.all += 1;
        if result.expanded == 0 && cells.len() > 1 {
            let known = if result.found() { &mut self.answers.known } else { &mut self.answers.known_without_route };
            *known += 1;
        }
        self.cells.clear();
        self.cells.extend_from_slice(cells);
    }
}

fn any_limits(rng: &mut Rng) -> Limits {
    let mut limits = Limits::new();
    if rng.u8(..3) > 0 {
        limits = limits.with_max_cost(RouteCost::from_units(any_units(rng)));
    }
    if rng.u8(..4) == 0 {
        limits = limits.with_max_length(rng.u32(..20));
    }
    if rng.u8(..4) == 0 {
        limits = limits.with_max_expansions(rng.u64(..60));
    }
    limits
}

/// Checks an answer with or without a route, within the limits of its query.
fn check_answer(map: &Map, query: &RouteQuery, result: &SearchResult<'_>, seed: u64) {
    let RouteQuery { from, to, options, limits, .. } = *query;
    let lowest = map.dijkstra(options.rules, from, false);
    let lowest = lowest[map.index(to)].filter(|_| map.at(to) != 0);
    let most = limits.max_cost.map_or(u64::MAX, RouteCost::units);
    if let Some(route) = result.route {
        map.check(query, result, lowest, seed);
        assert!(route.cost.units() <= most && limits.max_length.is_none_or(|most| route.steps() <= most as usize));
        assert_eq!((result.partial, result.stopped_by), (None, None), "seed {seed}, {query:?}\n{map:?}");
        return;
    }
    let is_possible = match result.stopped_by {
        None => lowest.is_none(),
        Some(LimitKind::Cost) => lowest.is_some_and(|lowest| lowest > most || !result.optimal),
        Some(LimitKind::Expansions) => lowest.is_some() && limits.max_expansions.is_some(),
        Some(LimitKind::Length) => lowest.is_some() && limits.max_length.is_some(),
        Some(_) => false,
    };
    assert!(is_possible, "seed {seed}, {:?}, {query:?}\n{map:?}", result.stopped_by);
    assert_eq!(result.partial.is_some(), query.partial, "seed {seed}, {query:?}\n{map:?}");
    let Some(partial) = result.partial else { return };
    let walked = map.walk(&options, from, partial.cells[partial.steps()], partial.cells);
    assert_eq!(walked, Ok(partial.cost.units()), "seed {seed}, {query:?}\n{map:?}");
    assert!(partial.cost.units() <= most && limits.max_length.is_none_or(|most| partial.steps() <= most as usize));
    if limits.max_expansions.is_none() && limits.max_length.is_none() {
        check_nearest(map, query, result, most, seed);
    }
}

fn travel(seeds: std::ops::Range<u64>, steps: u32, mut map: impl FnMut(&mut Rng) -> Map) -> Answers {
    let mut answers = Answers::default();
    for seed in seeds {
        let mut rng = Rng::with_seed(seed);
        let map = map(&mut rng);
        let Some(mut journey) = Journey::begin(&mut rng, map) else { continue };
        journey.ask(&mut rng, seed);
        for _ in 0..steps {
            journey.go_on(&mut rng);
            journey.ask(&mut rng, seed);
        }
        answers.all += journey.answers.all;
        answers.known += journey.answers.known;
        answers.known_without_route += journey.answers.known_without_route;
    }
    answers
}

#[test]
fn answers_are_as_exact_as_those_of_a_new_search() {
    let answers = travel(0..160, 120, |rng| {
        let (width, height) = (rng.i32(1..41), rng.i32(1..41));
        Map::random_of_size(rng, width, height)
    });
    let Answers { all, known, known_without_route } = answers;
    assert!(all > 8000 && known > all / 12 && known_without_route > all / 40, "{answers:?}");
}

/// Larger maps of ordinary terrain, on which most changes are far from the route.
#[test]
fn on_larger_maps_many_answers_need_no_search() {
    let answers = travel(0..4, 100, |rng| {
        let mut map = Map::random_of_size(rng, 140, 110);
        map.lay_terrain(rng, 0.1);
        map
    });
    assert!(answers.known > answers.all / 4, "{answers:?}");
}

/// An open grid, and a planner and a replanner that know the route along its middle row.
fn meadow(moves: Moves) -> (CostGrid, Planner, Replanner, RouteQuery) {
    let size = Size::new(64, 41);
    let grid = CostGrid::open(size).unwrap();
    let options = Options::default().with_moves(moves);
    let query = RouteQuery::new(Cell::new(12, 20), Cell::new(52, 20)).with_options(options);
    let (mut planner, mut replanner) = (Planner::new(), Replanner::new());
    assert!(replanner.plan(&mut planner, &grid, &query).unwrap().expanded > 0);
    (grid, planner, replanner, query)
}

fn tiles(tiles: f64) -> Option<EntryCost> {
    Some(EntryCost::from_tiles(tiles).unwrap())
}

#[test]
fn changes_that_cannot_affect_the_route_need_no_search() {
    let (mut grid, mut planner, mut replanner, mut query) = meadow(Moves::Eight);
    let mut expect = |grid: &CostGrid, query: &RouteQuery, cost: f64, what: &str| {
        let result = replanner.plan(&mut planner, grid, query).unwrap();
        assert_eq!((result.expanded, result.cost().unwrap().tiles()), (0, cost), "{what}");
        assert_eq!((result.cells().first(), result.cells().last()), (Some(&query.from), Some(&query.to)), "{what}");
    };
    expect(&grid, &query, 40.0, "nothing happened");
    grid.set(Cell::new(30, 21), None);
    expect(&grid, &query, 40.0, "a wall beside the route");
    grid.set(Cell::new(30, 19), tiles(7.0));
    expect(&grid, &query, 40.0, "a swamp beside the route");
    grid.set(Cell::new(12, 20), tiles(3.0));
    expect(&grid, &query, 40.0, "a swamp at the start, which is not entered");
    for (x, y) in Size::new(9, 7).cells().map(|cell| (cell.x, cell.y)) {
        grid.set(Cell::new(28 + x, y), tiles(0.1));
    }
    expect(&grid, &query, 40.0, "an eruption that is too far away");
    grid.set(Cell::new(4, 20), tiles(0.1));
    expect(&grid, &query, 40.0, "a cheap cell behind the start");
    grid.set(Cell::new(30, 30), None);
    grid.set(Cell::new(30, 30), tiles(1.0));
    expect(&grid, &query, 40.0, "a wall that was removed again");
    query.from = Cell::new(15, 20);
    grid.set(Cell::new(14, 20), None);
    expect(&grid, &query, 37.0, "three steps, and a wall behind");
    query.to = Cell::new(50, 20);
    expect(&grid, &query, 35.0, "a goal on the route");
    query.to = query.from;
    expect(&grid, &query, 0.0, "a goal that is the start");
}

#[test]
fn changes_that_may_affect_the_route_need_a_search() {
    type Edit = fn(&mut CostGrid, &mut RouteQuery);
    let edits: [(&str, f64, Edit); 7] = [
        ("a wall across", 40.828, |grid, _| {
            grid.set(Cell::new(30, 20), None);
        }),
        ("a more expensive cell on the route", 40.828, |grid, _| {
            grid.set(Cell::new(30, 20), tiles(1.9));
        }),
        ("a cheap cell beside the route", 39.556, |grid, _| {
            grid.set(Cell::new(30, 21), tiles(0.1));
        }),
        ("a start off the route", 40.414, |_, query| query.from = Cell::new(12, 21)),
        ("a goal off the route", 40.414, |_, query| query.to = Cell::new(52, 19)),
        ("another corner rule", 40.0, |_, query| query.options.rules.corners = Corners::Always),
        ("another algorithm", 40.0, |_, query| query.options.algorithm = Algorithm::Dijkstra),
    ];
    for (what, cost, edit) in edits {
        let (mut grid, mut planner, mut replanner, mut query) = meadow(Moves::Eight);
        edit(&mut grid, &mut query);
        let result = replanner.plan(&mut planner, &grid, &query).unwrap();
        assert!(result.expanded > 0, "{what}");
        let found = result.cost().unwrap().tiles();
        assert!((found - cost).abs() < 0.001, "{what}: {found}");
    }
}

/// Tables that were all refreshed have forgotten the cost decreases since the last answer of the replanner.
#[test]
fn refreshed_tables_do_not_hide_cost_decreases() {
    let (mut grid, mut planner, mut replanner, query) = meadow(Moves::Eight);
    planner.prepare(&grid, &query.options);
    grid.set(Cell::new(30, 21), tiles(0.1));
    while planner.refresh(&grid, &query.options) {}
    let cost = replanner.plan(&mut planner, &grid, &query).unwrap().cost().unwrap().tiles();
    assert!(cost < 39.6, "{cost}");
}

/// With four moves, no other route can gain more than the known one by cells that the known one enters.
#[test]
fn a_route_that_became_cheaper_stays_the_cheapest() {
    let (mut grid, mut planner, mut replanner, query) = meadow(Moves::Four);
    for x in 20..30 {
        grid.set(Cell::new(x, 20), tiles(0.5));
    }
    let result = replanner.plan(&mut planner, &grid, &query).unwrap();
    assert_eq!((result.expanded, result.cost().unwrap().tiles()), (0, 35.0));
    grid.set(Cell::new(40, 21), tiles(0.5));
    assert!(replanner.plan(&mut planner, &grid, &query).unwrap().expanded > 0);
}

/// All steps between hexagons cost the same, also steps that change both the column and the row.
#[test]
fn a_more_expensive_hexagon_is_avoided() {
    let size = Size::new(3, 3);
    let mut grid = CostGrid::open(size).unwrap();
    let options = Options::default().with_moves(Moves::Six);
    let query = RouteQuery::new(Cell::new(0, 0), Cell::new(2, 2)).with_options(options);
    let (mut planner, mut replanner) = (Planner::new(), Replanner::new());
    let mut cost = |grid: &CostGrid| replanner.plan(&mut planner, grid, &query).unwrap().cost().unwrap().tiles();
    assert_eq!(cost(&grid), 2.0);
    grid.set(Cell::new(1, 1), tiles(100.0));
    assert_eq!(cost(&grid), 3.0);
    grid.set(Cell::new(1, 1), tiles(1.5));
    assert_eq!(cost(&grid), 2.5);
}

/// Greedy search, the classic scale and the like do not guarantee the lowest cost.
#[test]
fn routes_without_a_guarantee_are_not_kept() {
    let (grid, mut planner, mut replanner, query) = meadow(Moves::Eight);
    for options in [
        query.options.with_algorithm(Algorithm::Greedy),
        query.options.with_algorithm(Algorithm::Weighted { weight: 1.5 }),
        query.options.with_algorithm(Algorithm::AStar).with_scale(HeuristicScale::Classic),
        query.options.with_algorithm(Algorithm::AStar).with_heuristic(Some(Heuristic::Manhattan)),
    ] {
        for _ in 0..2 {
            assert!(
                replanner.plan(&mut planner, &grid, &query.with_options(options)).unwrap().expanded > 0,
                "{options:?}"
            );
        }
    }
}

/// A replanner refuses the same queries as a planner, even if it knows a route.
#[test]
fn a_replanner_returns_the_errors_of_a_planner() {
    let (mut grid, mut planner, mut replanner, query) = meadow(Moves::Eight);
    grid.set(query.to, None);
    let off = Cell::new(-1, 20);
    for (query, error) in [
        (query, QueryError::Blocked { endpoint: Endpoint::Goal, cell: query.to }),
        (query.with_start(off), QueryError::OffTheMap { endpoint: Endpoint::Start, cell: off }),
        (query.with_goal(off), QueryError::OffTheMap { endpoint: Endpoint::Goal, cell: off }),
    ] {
        assert_eq!(replanner.plan(&mut planner, &grid, &query), Err(error));
    }
    let weighted = query.options.with_algorithm(Algorithm::Weighted { weight: 0.5 });
    let error = replanner.plan(&mut planner, &grid, &query.with_goal(query.from).with_options(weighted));
    assert_eq!(error, Err(QueryError::Weight(0.5)));
    grid.set(query.to, tiles(1.0));
    grid.set(Cell::new(51, 20), None);
    for (dx, dy) in [(0, 1), (0, -1), (1, 0), (-1, 1), (-1, -1), (1, 1), (1, -1)] {
        grid.set(query.to + (dx, dy), None);
    }
    let result = replanner.plan(&mut planner, &grid, &query).unwrap();
    assert_eq!((result.found(), result.expanded), (false, 0), "an enclosed goal");
}

/// A replanner must not confuse two grids, and must notice more changes than a grid remembers.
#[test]
fn grids_are_not_confused_and_forgotten_changes_are_noticed() {
    let (mut grid, mut planner, mut replanner, query) = meadow(Moves::Eight);
    let mut copy = grid.clone();
    copy.set(Cell::new(30, 20), None);
    grid.set(Cell::new(0, 0), None);
    let mut cost = |grid: &CostGrid| replanner.plan(&mut planner, grid, &query).unwrap().cost().unwrap().tiles();
    assert_eq!((cost(&grid), cost(&copy) > 40.0, cost(&grid)), (40.0, true, 40.0));
    for k in 0..5000 {
        grid.set(Cell::new(0, 0), tiles(f64::from(k % 7 + 1)));
    }
    grid.set(Cell::new(30, 20), None);
    for k in 0..5000 {
        grid.set(Cell::new(0, 0), tiles(f64::from(k % 7 + 1)));
    }
    assert!(cost(&grid) > 40.0);
}

/// A planner must not lose its tables while a replanner needs no search.
#[test]
fn the_planner_keeps_up_while_no_search_is_needed() {
    let (mut grid, mut planner, mut replanner, query) = meadow(Moves::Eight);
    planner.prepare(&grid, &query.options);
    for k in 0..6000 {
        grid.set(Cell::new(0, 0), tiles(f64::from(k % 7 + 2)));
        assert_eq!(replanner.plan(&mut planner, &grid, &query).unwrap().expanded, 0, "step {k}");
    }
    // The tables know about the long wall; a search without them runs into it.
    let mut plain = Planner::new();
    for y in 3..41 {
        grid.set(Cell::new(40, y), None);
    }
    while planner.refresh(&grid, &query.options) {}
    let expanded = [&mut planner, &mut plain].map(|planner| planner.plan(&grid, &query).unwrap().expanded);
    assert!(expanded[0] <= expanded[1], "{expanded:?}");
}

/// A wall of a column cuts the goal off. The route leads to the wall.
fn cut_off() -> (CostGrid, Planner, Replanner, RouteQuery) {
    let (mut grid, planner, replanner, query) = meadow(Moves::Eight);
    (0..41).for_each(|y| _ = grid.set(Cell::new(45, y), None));
    (grid, planner, replanner, query)
}

#[test]
fn an_unreachable_goal_is_not_searched_for_again() {
    for partial in [false, true] {
        let (mut grid, mut planner, mut replanner, mut query) = cut_off();
        query.partial = partial;
        let mut expect = |grid: &CostGrid, query: &RouteQuery, searches: bool, what: &str| {
            let result = replanner.plan(&mut planner, grid, query).unwrap();
            assert_eq!((result.found(), result.stopped_by), (false, None), "{what}");
            assert_eq!(result.expanded > 0, searches && partial, "{what}, partial: {partial}");
            let cells = result.partial.map(|route| (route.cells[0], route.cells[route.steps()]));
            assert_eq!(cells, partial.then_some((query.from, Cell::new(44, 20))), "{what}");
        };
        expect(&grid, &query, true, "at first");
        expect(&grid, &query, false, "nothing happened");
        grid.set(Cell::new(30, 22), None);
        expect(&grid, &query, false, "a wall beside the route");
        grid.set(Cell::new(50, 10), None);
        grid.set(Cell::new(50, 10), tiles(2.0));
        grid.set(Cell::new(52, 10), None);
        expect(&grid, &query, false, "changes beyond the wall");
        grid.set(Cell::new(4, 4), tiles(3.0));
        grid.set(Cell::new(50, 12), tiles(3.0));
        grid.set(Cell::new(50, 12), tiles(1.5));
        expect(&grid, &query, false, "a swamp, and a cheaper one");
        grid.set(Cell::new(52, 10), tiles(1.0));
        expect(&grid, &query, false, "a cell beyond the wall that opens");
        grid.set(Cell::new(4, 4), tiles(2.0));
        expect(&grid, &query, true, "a cheaper cell on this side of the wall");
        query.from = Cell::new(20, 20);
        expect(&grid, &query, !partial, "a start on the partial route");
        query.to = Cell::new(53, 20);
        expect(&grid, &query, true, "another goal");
        grid.set(Cell::new(45, 3), tiles(1.0));
        assert!(replanner.plan(&mut planner, &grid, &query).unwrap().found(), "a gap in the wall");
    }
}

#[test]
fn a_goal_that_costs_too_much_is_not_searched_for_again() {
    let (mut grid, mut planner, mut replanner, query) = meadow(Moves::Eight);
    let mut query = query.with_max_cost(RouteCost::from_tiles(15.0).unwrap()).with_partial();
    let mut expect = |grid: &CostGrid, query: &RouteQuery, searches: bool, what: &str| {
        let result = replanner.plan(&mut planner, grid, query).unwrap();
        assert_eq!(result.stopped_by, Some(LimitKind::Cost), "{what}");
        assert_eq!(result.expanded > 0, searches, "{what}");
        assert_eq!(result.partial.map(|route| route.cost.tiles()), Some(15.0), "{what}");
    };
    expect(&grid, &query, true, "at first");
    expect(&grid, &query, false, "nothing happened");
    grid.set(Cell::new(30, 20), None);
    expect(&grid, &query, false, "a wall");
    grid.set(Cell::new(30, 20), tiles(1.0));
    expect(&grid, &query, false, "a wall far away that opens");
    query.from = Cell::new(13, 20);
    expect(&grid, &query, true, "a step");
}
