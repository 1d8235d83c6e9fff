//! Limits and partial routes against Dijkstra.

use emberwalk_path::grid::Cell;
use emberwalk_path::{
    Algorithm, CostGrid, EntryCost, LimitKind, Limits, Options, OwnedSearchResult, Planner, QueryError, RouteCost,
    RouteQuery, RouteSearch, SearchResult, StepRules, Ties,
};
use fastrand::Rng;

use crate::oracle::{Map, algorithms, any_rules, planner_with_tables};
use crate::seeded;
use crate::slices::in_slices;

/// A limit of the cost, in units, from a fraction of the cheapest step up.
pub fn any_units(rng: &mut Rng) -> u64 {
    let digits = rng.u32(10..25);
    rng.u64(0..1 << digits)
}

/// A query between any cells, the goal of which may be blocked.
fn any_query(rng: &mut Rng, map: &Map, algorithms: &[Algorithm]) -> Option<RouteQuery> {
    let from = map.passable_cell(rng)?;
    let to = if rng.u8(..4) == 0 { map.any_cell(rng) } else { map.passable_cell(rng)? };
    let ties = if rng.bool() { Ties::Canonical } else { Ties::Any };
    let options = Options::default().with_algorithm(*rng.choice(algorithms).unwrap()).with_ties(ties);
    Some(RouteQuery::new(from, to).with_options(options.with_rules(any_rules(rng))))
}

/// Checks that a partial route leads to the nearest of all cells whose lowest cost is at most `most`.
#[track_caller]
pub fn check_nearest(map: &Map, query: &RouteQuery, result: &SearchResult<'_>, most: u64, seed: u64) {
    let lowest = map.dijkstra(query.options.rules, query.from, false);
    let reached = map.cells().zip(&lowest).filter_map(|(cell, cost)| Some((cell, (*cost)?)));
    let within = reached.filter(|&(_, cost)| cost <= most);
    let rank = |(cell, cost): (Cell, u64)| (cell.distance_squared(query.to), cost, cell.y, cell.x);
    let (_, cost, y, x) = within.map(rank).min().unwrap();
    let route = result.partial.unwrap();
    let &end = route.cells.last().unwrap();
    let walked = map.walk(&query.options, query.from, end, route.cells);
    assert_eq!(walked, Ok(route.cost.units()), "seed {seed}, {query:?}\n{map:?}");
    assert_eq!((end, route.cost.units()), (Cell::new(x, y), cost), "seed {seed}, {query:?}\n{map:?}");
}

#[test]
fn no_route_costs_more_than_the_limit_and_partial_routes_lead_to_the_nearest_cell() {
    let mut planners = [Planner::new(), planner_with_tables()];
    let algorithms = [Algorithm::Auto, Algorithm::AStar, Algorithm::Dijkstra];
    let mut counts = [0; 3];
    for (seed, mut rng) in seeded(3000) {
        let map = Map::random(&mut rng);
        let grid = map.grid();
        let Some(query) = any_query(&mut rng, &map, &algorithms) else { continue };
        let planner = &mut planners[usize::from(rng.bool())];
        if seed % 8 == 0 {
            planner.prepare(&grid, &query.options);
        }
        let lowest = map.dijkstra(query.options.rules, query.from, false);
        let lowest = lowest[map.index(query.to)].filter(|_| map.at(query.to) != 0);
        let most = (rng.u8(..4) > 0).then(|| match (lowest, rng.u8(..3)) {
            (Some(lowest), 0) => lowest,
            (Some(lowest), 1) => lowest.saturating_sub(1),
            _ => any_units(&mut rng),
        });
        let limits = most.map_or(Limits::new(), |most| Limits::new().with_max_cost(RouteCost::from_units(most)));
        let query = query.with_limits(limits).with_partial();
        let result = planner.plan(&grid, &query).unwrap();
        let most = most.unwrap_or(u64::MAX);
        match lowest {
            Some(lowest) if lowest <= most => {
                map.check(&query, &result, Some(lowest), seed);
                assert_eq!((result.partial, result.stopped_by), (None, None));
                counts[0] += 1;
            }
            _ => {
                let stopped_by = lowest.map(|_| LimitKind::Cost);
                assert_eq!((result.found(), result.stopped_by), (false, stopped_by), "seed {seed}, {query:?}\n{map:?}");
                check_nearest(&map, &query, &result, most, seed);
                counts[1 + usize::from(lowest.is_some())] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
}

/// All algorithms keep the limits. Algorithms without guarantees may find no route, but the same partial route.
#[test]
fn limits_hold_for_every_algorithm() {
    let mut planner = Planner::new();
    let mut stopped = 0;
    for (seed, mut rng) in seeded(1000) {
        let map = Map::random(&mut rng);
        let grid = map.grid();
        let algorithms: Vec<_> = algorithms().collect();
        let Some(query) = any_query(&mut rng, &map, &algorithms) else { continue };
        let most = any_units(&mut rng);
        let unlimited = planner.plan(&grid, &query.with_partial()).unwrap().cost();
        let query = query.with_max_cost(RouteCost::from_units(most)).with_partial();
        let result = planner.plan(&grid, &query).unwrap();
        assert_eq!(result.cost(), unlimited.filter(|cost| cost.units() <= most), "seed {seed}, {query:?}\n{map:?}");
        match result.route {
            Some(route) => {
                assert!(route.cost.units() <= most);
                assert_eq!(map.walk(&query.options, query.from, query.to, route.cells), Ok(route.cost.units()));
            }
            None => {
                check_nearest(&map, &query, &result, most, seed);
                stopped += u32::from(result.stopped_by.is_some());
            }
        }
    }
    assert!(stopped > 200, "{stopped}");
}

/// A search that stops early has labels that are not final. The cost of its partial route is the sum of its steps.
#[test]
fn a_partial_route_of_a_stopped_search_costs_what_its_steps_cost() {
    let tile = 1 << 18;
    let mut checked = 0;
    for (seed, mut rng) in seeded(20) {
        let palette = [0, 0, 0, tile, tile, tile, tile, tile * 3 / 2, tile * 3 / 2, tile * 3 / 2];
        let units = (0..100 * 100).map(|_| *rng.choice(&palette).unwrap()).collect();
        let map = Map::flat(100, 100, units, 6_073_083_757);
        let (grid, mut planner) = (map.grid(), Planner::new());
        planner.prepare(&grid, &Options::default());
        for _ in 0..200 {
            let Some(query) = any_query(&mut rng, &map, &[Algorithm::Auto]) else { continue };
            let query = query.with_partial().with_max_expansions(rng.u64(1..200));
            checked += check_stopped(&map, &grid, &mut planner, &query, seed);
        }
    }
    assert!(checked > 1000, "{checked}");
}

/// The number of partial routes that were checked.
fn check_stopped(map: &Map, grid: &CostGrid, planner: &mut Planner, query: &RouteQuery, seed: u64) -> u32 {
    let result = planner.plan(grid, query).unwrap();
    let Some(route) = result.partial else { return 0 };
    let walked = map.walk(&query.options, query.from, *route.cells.last().unwrap(), route.cells);
    assert_eq!(walked, Ok(route.cost.units()), "seed {seed}, {query:?}\n{map:?}");
    u32::from(result.stopped_by == Some(LimitKind::Expansions))
}

/// The last cell of the partial route was seen from a cell that a cheaper route reached later.
#[test]
fn an_outdated_label_is_not_the_cost_of_a_partial_route() {
    let tile = 1 << 18;
    let mut map = Map::flat(32, 32, vec![tile; 32 * 32], 6_073_083_757);
    let row = |y: i32, columns: std::ops::RangeInclusive<i32>| columns.map(move |x| Cell::new(x, y));
    [Cell::new(9, 10), Cell::new(9, 11)].into_iter().for_each(|cell| map.put(cell, tile * 4));
    row(17, 0..=3).for_each(|cell| map.put(cell, tile * 2));
    let rows = row(18, 1..=3).chain(row(19, 1..=2)).chain(row(20, 2..=3));
    rows.for_each(|cell| map.put(cell, tile * 3 / 2));
    let query = RouteQuery::new(Cell::new(0, 19), Cell::new(17, 3)).with_partial().with_max_expansions(9);
    assert_eq!(check_stopped(&map, &map.grid(), &mut Planner::new(), &query, 0), 1);
}

#[test]
fn a_route_with_too_many_steps_is_cut() {
    let mut planner = Planner::new();
    let mut cut = 0;
    for (seed, mut rng) in seeded(800) {
        let map = Map::random(&mut rng);
        let grid = map.grid();
        let Some(query) = any_query(&mut rng, &map, &[Algorithm::Auto, Algorithm::AStar]) else { continue };
        if map.at(query.to) == 0 {
            continue;
        }
        let whole = planner.plan(&grid, &query).unwrap().route.map(|route| route.to_route());
        let most = rng.u32(0..12);
        let query = query.with_max_length(most).with_partial();
        let result = planner.plan(&grid, &query).unwrap();
        match whole {
            Some(whole) if whole.steps() > most as usize => {
                assert_eq!((result.found(), result.stopped_by), (false, Some(LimitKind::Length)));
                let part = result.partial.unwrap();
                assert_eq!(part.cells, &whole.cells[..=most as usize], "seed {seed}");
                let walked = map.walk(&query.options, query.from, *part.cells.last().unwrap(), part.cells);
                assert_eq!(walked, Ok(part.cost.units()));
                cut += 1;
            }
            whole => {
                assert_eq!(result.route.map(|route| route.to_route()), whole);
                assert_eq!(result.partial.is_some(), whole.is_none());
                assert!(result.partial.is_none_or(|route| route.steps() <= most as usize));
            }
        }
    }
    assert!(cut > 100, "{cut}");
}

#[test]
fn a_search_stops_after_its_expansions() {
    let mut planners = [Planner::new(), planner_with_tables()];
    let (mut stopped, mut found) = (0, 0);
    for (seed, mut rng) in seeded(1500) {
        let map = Map::random(&mut rng);
        let grid = map.grid();
        let algorithms: Vec<_> = algorithms().collect();
        let Some(query) = any_query(&mut rng, &map, &algorithms) else { continue };
        let most = rng.u64(0..30);
        let query = query.with_max_expansions(most).with_partial();
        let result = planners[usize::from(rng.bool())].plan(&grid, &query).unwrap();
        assert!(result.expanded <= most, "seed {seed}, {query:?}: {}", result.expanded);
        assert_ne!(result.route.is_some(), result.partial.is_some(), "seed {seed}, {query:?}\n{map:?}");
        let route = result.route_or_partial().unwrap();
        let &end = route.cells.last().unwrap();
        let walked = map.walk(&query.options, query.from, end, route.cells);
        assert_eq!(walked, Ok(route.cost.units()), "seed {seed}, {query:?}\n{map:?}");
        let to_goal = |cell: Cell| cell.distance_squared(query.to);
        assert!(to_goal(end) <= to_goal(query.from), "seed {seed}, {query:?}\n{map:?}");
        stopped += u32::from(result.stopped_by == Some(LimitKind::Expansions));
        found += u32::from(result.found());
        if result.found() && result.optimal {
            let lowest = map.dijkstra(query.options.rules, query.from, false);
            map.check(&query, &result, lowest[map.index(query.to)], seed);
        }
    }
    assert!(stopped > 100 && found > 100, "{stopped}, {found}");
}

#[test]
fn slices_change_no_partial_route() {
    let (mut planner, mut paused) = (Planner::new(), 0);
    for (seed, mut rng) in seeded(600) {
        let map = Map::random(&mut rng);
        let grid = map.grid();
        let algorithms: Vec<_> = algorithms().collect();
        let Some(mut query) = any_query(&mut rng, &map, &algorithms) else { continue };
        query.limits.max_cost = rng.bool().then(|| RouteCost::from_units(any_units(&mut rng)));
        query.limits.max_expansions = rng.bool().then(|| rng.u64(0..60));
        query.limits.max_length = rng.bool().then(|| rng.u32(0..20));
        query.partial = rng.bool();
        let mut search = RouteSearch::new(query);
        let (sliced, slices) = in_slices(|| {
            let advanced = search.advance(&mut planner, &grid, rng.u64(1..20));
            advanced.map(|result| result.map(OwnedSearchResult::from))
        });
        paused += slices;
        let whole = planner.plan(&grid, &query).map(OwnedSearchResult::from);
        assert_eq!(sliced, whole, "seed {seed}, {query:?}\n{map:?}");
    }
    assert!(paused > 500, "{paused}");
}

#[test]
fn a_blocked_start_is_left_to_the_nearest_passable_cell() {
    let mut planner = Planner::new();
    let mut left = 0;
    for (seed, mut rng) in seeded(600) {
        let map = Map::random(&mut rng);
        let (grid, rules) = (map.grid(), any_rules(&mut rng));
        let (from, Some(to)) = (map.any_cell(&mut rng), map.passable_cell(&mut rng)) else { continue };
        let query = RouteQuery::new(from, to).with_options(Options::default().with_rules(rules)).leaving_blocked();
        let result = planner.plan(&grid, &query.with_partial()).unwrap();
        let route = result.route_or_partial().unwrap();
        let start = route.cells[0];
        let distance = |cell: Cell| (cell.x - from.x).pow(2) + (cell.y - from.y).pow(2);
        let nearest = map.cells().filter(|&cell| map.at(cell) != 0).map(distance).min();
        assert_eq!(Some(distance(start)), nearest, "seed {seed}");
        let lowest = map.dijkstra(rules, start, false)[map.index(to)];
        assert_eq!(result.cost().map(|cost| cost.units()), lowest, "seed {seed}");
        if lowest.is_none() {
            for other in map.cells().filter(|&cell| map.at(cell) != 0 && Some(distance(cell)) == nearest) {
                assert_eq!(map.dijkstra(rules, other, false)[map.index(to)], None, "seed {seed}");
            }
        }
        left += u32::from(start != from);
    }
    assert!(left > 100, "{left}");
    let map = Map::flat(2, 1, vec![0, 0], 1 << 32);
    let query = RouteQuery::new(Cell::new(0, 0), Cell::new(1, 0)).leaving_blocked();
    assert!(matches!(planner.plan(&map.grid(), &query), Err(QueryError::Blocked { .. })), "there is no passable cell");
}

#[test]
fn the_nearest_passable_cell_is_that_of_a_comparison_of_all_cells() {
    for seed in 0..300 {
        let map = Map::random(&mut Rng::with_seed(seed));
        let grid = map.grid();
        for cell in (-9..18).flat_map(|y| (-9..18).map(move |x| Cell::new(x, y))) {
            let passable = grid.size().cells().filter(|&near| grid.is_passable(near));
            // The first minimum, row by row.
            let nearest = passable.min_by_key(|near| near.distance_squared(cell));
            assert_eq!(grid.nearest_passable(cell), nearest, "seed {seed}, {cell}");
        }
        let [far, farther] = [i32::MAX - 1, i32::MAX].map(|x| grid.nearest_passable(Cell::new(x, 0)));
        assert_eq!(far, farther, "seed {seed}");
    }
}

#[test]
fn lower_bounds_are_never_above_the_lowest_cost() {
    let mut planner = planner_with_tables();
    let (mut exact, mut all) = (0, 0);
    for (seed, mut rng) in seeded(300) {
        let map = Map::random(&mut rng);
        let (grid, options) = (map.grid(), Options::default().with_rules(any_rules(&mut rng)));
        if seed % 2 == 0 {
            planner.prepare(&grid, &options);
        }
        let Some(from) = map.passable_cell(&mut rng) else { continue };
        for (to, lowest) in map.cells().zip(map.dijkstra(options.rules, from, false)) {
            let query = RouteQuery::new(from, to).with_options(options);
            let Ok(bound) = planner.lower_bound(&grid, &query) else { continue };
            let bound = bound.map(|bound| bound.units());
            assert_eq!(bound.is_some(), lowest.is_some());
            assert!(
                bound <= lowest
                    && bound.unwrap_or(u64::MAX) >= lowest.map_or(0, |_| map.lower_bound(options.rules, from, to))
            );
            exact += u32::from(bound == lowest);
            all += 1;
        }
    }
    assert!(exact * 3 > all, "{exact} of {all}");
}

/// A route at exactly the limit is within it.
#[test]
fn limits_are_included() {
    let map = Map::flat(5, 1, vec![1 << 18; 5], 1 << 32);
    let tiles = |tiles: u64| RouteCost::from_units(tiles * u64::from(EntryCost::TILE.units()));
    let query = RouteQuery::new(Cell::new(0, 0), Cell::new(4, 0));
    let mut planner = Planner::new();
    let mut is_found = |query: RouteQuery| planner.plan(&map.grid(), &query).unwrap().found();
    assert!(is_found(query.with_max_cost(tiles(4))) && !is_found(query.with_max_cost(tiles(3))));
    assert!(is_found(query.with_max_length(4)) && !is_found(query.with_max_length(3)));
    assert!(is_found(query.with_goal(query.from).with_max_cost(tiles(0)).with_max_expansions(0).with_max_length(0)));
    assert_eq!(query.options.rules, StepRules::default());
}
