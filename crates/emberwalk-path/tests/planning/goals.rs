//! Several starts and goals, and avoided cells, against Dijkstra.

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{
    CostGrid, Diagonal, Endpoint, EntryCost, LimitKind, Limits, MultiQuery, Options, Planner, QueryError, RouteCost,
    StepRules, Ties,
};
use fastrand::Rng;

use crate::limits::any_units;
use crate::oracle::{Map, any_rules};
use crate::seeded;

/// Up to five cells, some of them off the map.
pub fn some_cells(rng: &mut Rng, map: &Map) -> Vec<Cell> {
    let any = |rng: &mut Rng| Cell::new(rng.i32(-1..=map.width), rng.i32(-1..=map.height));
    (0..rng.usize(1..6)).map(|_| any(rng)).collect()
}

/// The passable cell that is nearest to a blocked start, by the rules of [`MultiQuery::leaving_blocked`].
fn way_out(map: &Map, rules: StepRules, start: Cell, goals: &[Cell]) -> Option<Cell> {
    let distance = |cell: Cell| (cell.x - start.x).pow(2) + (cell.y - start.y).pow(2);
    let nearest = map.cells().filter(|&cell| map.at(cell) != 0).map(distance).min()?;
    let goals = || goals.iter().copied().filter(|&goal| map.contains(goal));
    let rank = |cell: &Cell| {
        let lowest = map.dijkstra(rules, *cell, false);
        let is_cut_off = !goals().any(|goal| lowest[map.index(goal)].is_some());
        (is_cut_off, goals().map(|goal| map.lower_bound(rules, *cell, goal)).min(), cell.y, cell.x)
    };
    map.cells().filter(|&cell| map.at(cell) != 0 && distance(cell) == nearest).min_by_key(rank)
}

#[test]
fn the_cheapest_of_all_routes_is_found() {
    let mut planner = Planner::new();
    let (mut found, mut partial, mut errors, mut left) = (0, 0, 0, 0);
    for (seed, mut rng) in seeded(3000) {
        let map = Map::random(&mut rng);
        let (grid, rules) = (map.grid(), any_rules(&mut rng));
        let (starts, goals) = match rng.u8(..4) {
            0 => (vec![map.any_cell(&mut rng)], vec![map.any_cell(&mut rng)]),
            _ => (some_cells(&mut rng, &map), some_cells(&mut rng, &map)),
        };
        let mut avoided: Vec<_> = map.cells().filter(|_| rng.u8(..8) == 0).collect();
        if rng.u8(..4) == 0 {
            avoided.clear();
        }
        let ties = if rng.bool() { Ties::Canonical } else { Ties::Any };
        let most = (rng.u8(..3) == 0).then(|| any_units(&mut rng));
        let limits = most.map_or(Limits::new(), |most| Limits::new().with_max_cost(RouteCost::from_units(most)));
        let query = MultiQuery::new(&starts, &goals).with_avoided(&avoided).with_limits(limits);
        let query = query.with_options(Options::default().with_rules(rules).with_ties(ties)).with_partial();
        let leaves_blocked = rng.u8(..3) == 0;
        let query = if leaves_blocked { query.leaving_blocked() } else { query };

        // The same map with the avoided cells blocked. The cell that a route begins at is never entered.
        let mut blocked = map.clone();
        avoided.iter().for_each(|&cell| blocked.put(cell, 0));
        let usable = starts.iter().filter_map(|&start| match map.at(start) {
            0 if leaves_blocked && map.contains(start) => way_out(&map, rules, start, &goals),
            0 => None,
            _ => Some(start),
        });
        let usable: Vec<_> = usable.collect();
        let lowest = blocked.dijkstra(rules, &usable, false);
        let reached = goals.iter().copied().filter(|&cell| blocked.at(cell) != 0);
        let best = reached.filter_map(|cell| Some((lowest[map.index(cell)]?, cell.y, cell.x))).min();
        let best = best.filter(|&(cost, ..)| cost <= most.unwrap_or(u64::MAX));
        match planner.plan_multi(&grid, &query) {
            Err(error) => {
                assert!(usable.is_empty() || !goals.iter().any(|&goal| map.contains(goal)), "seed {seed}, {error}");
                errors += 1;
            }
            Ok(result) => {
                let route = result.route_or_partial().unwrap();
                let (&first, &last) = (route.cells.first().unwrap(), route.cells.last().unwrap());
                assert!(usable.contains(&first), "seed {seed}, {query:?}\n{map:?}");
                left += u32::from(!starts.contains(&first));
                let walked = blocked.walk(&query.options, first, last, route.cells);
                assert_eq!(walked, Ok(route.cost.units()), "seed {seed}, {query:?}\n{map:?}");
                assert_eq!(
                    result.cost().map(|cost| cost.units()),
                    best.map(|(cost, ..)| cost),
                    "seed {seed}, {query:?}\n{map:?}"
                );
                if let Some((_, y, x)) = best {
                    assert!(goals.contains(&last));
                    assert!(ties == Ties::Any || last == Cell::new(x, y), "seed {seed}");
                    found += 1;
                    continue;
                }
                let mut aims: Vec<_> = goals.iter().copied().filter(|&cell| blocked.at(cell) != 0).collect();
                if aims.is_empty() {
                    aims = goals.iter().copied().filter(|&goal| map.contains(goal)).collect();
                }
                let distance = |cell: Cell| aims.iter().map(|&goal| cell.distance_squared(goal)).min().unwrap();
                let within = map.cells().zip(&lowest).filter_map(|(cell, cost)| Some((cell, (*cost)?)));
                let within = within.filter(|&(_, cost)| cost <= most.unwrap_or(u64::MAX));
                let (_, cost, y, x) = within.map(|(cell, cost)| (distance(cell), cost, cell.y, cell.x)).min().unwrap();
                assert_eq!((last, route.cost.units()), (Cell::new(x, y), cost), "seed {seed}, {query:?}\n{map:?}");
                partial += 1;
            }
        }
    }
    assert!(found > 800 && partial > 300 && errors > 50 && left > 50, "{found}, {partial}, {errors}, {left}");
}

#[test]
fn queries_without_a_start_or_a_goal_are_errors() {
    let map = Map::flat(3, 1, vec![1 << 18, 0, 1 << 18], 1 << 32);
    let (grid, mut planner) = (map.grid(), Planner::new());
    let [west, wall, east, off] = [0, 1, 2, 3].map(|x| Cell::new(x, 0));
    let mut ask = |starts: &[Cell], goals: &[Cell], avoided: &[Cell]| {
        planner.plan_multi(&grid, &MultiQuery::new(starts, goals).with_avoided(avoided)).map(|result| result.found())
    };
    assert_eq!(ask(&[], &[east], &[]), Err(QueryError::Missing(Endpoint::Start)));
    assert_eq!(ask(&[west], &[], &[]), Err(QueryError::Missing(Endpoint::Goal)));
    assert_eq!(ask(&[wall, off], &[east], &[]), Err(QueryError::Blocked { endpoint: Endpoint::Start, cell: wall }));
    assert_eq!(ask(&[west], &[off], &[]), Err(QueryError::OffTheMap { endpoint: Endpoint::Goal, cell: off }));
    assert_eq!(ask(&[west], &[east], &[east]), Err(QueryError::Blocked { endpoint: Endpoint::Goal, cell: east }));
    assert_eq!(ask(&[west, wall], &[off, west], &[]), Ok(true), "cells that are of no use do not matter");
    assert_eq!(ask(&[west], &[east, wall], &[west]), Ok(false));
}

#[test]
fn a_search_for_several_goals_stops_after_its_expansions() {
    let map = Map::flat(30, 30, vec![1 << 18; 900], 1 << 32);
    let (starts, goals) = ([Cell::new(0, 0)], [Cell::new(29, 0), Cell::new(0, 29)]);
    let query = MultiQuery::new(&starts, &goals).with_limits(Limits::new().with_max_expansions(7)).with_partial();
    let mut planner = Planner::new();
    let result = planner.plan_multi(&map.grid(), &query).unwrap();
    assert_eq!((result.found(), result.stopped_by, result.expanded), (false, Some(LimitKind::Expansions), 7));
    let none = query.with_limits(Limits::new().with_max_expansions(0));
    assert_eq!(planner.plan_multi(&map.grid(), &none).unwrap().partial.unwrap().cells, starts);
}

#[test]
fn the_cells_around_a_building_are_its_neighbours() {
    for (width, height) in [(1, 1), (3, 2), (1, 4)] {
        let (corner, size) = (Cell::new(5, 6), Size::new(width, height));
        let inside = |cell: Cell| size.contains(cell + (-corner.x, -corner.y));
        let beside = |cell: Cell| {
            !inside(cell) && Size::new(3, 3).cells().any(|offset| inside(cell + (offset.x - 1, offset.y - 1)))
        };
        let mut around: Vec<_> = corner.around(size).collect();
        assert!(around.windows(2).all(|pair| pair[0].distance_squared(pair[1]) == 1), "clockwise without gaps");
        around.sort();
        let mut all: Vec<_> = Size::new(20, 20).cells().filter(|&cell| beside(cell)).collect();
        all.sort();
        assert_eq!(around, all);
    }
}

#[test]
fn no_limit_stops_a_query_whose_goals_are_all_in_other_components() {
    let grid =
        CostGrid::from_fn(Size::new(20, 5), Diagonal::GAME, |cell| (cell.x != 10).then_some(EntryCost::TILE)).unwrap();
    let (starts, goals) = ([Cell::new(1, 1)], [Cell::new(15, 2), Cell::new(18, 2)]);
    let mut planner = Planner::new();
    for limits in [Limits::new().with_max_cost(RouteCost::from_units(1 << 30)), Limits::new().with_max_expansions(10)] {
        let query = MultiQuery::new(&starts, &goals).with_limits(limits);
        let result = planner.plan_multi(&grid, &query).unwrap();
        assert_eq!((result.found(), result.stopped_by, result.expanded), (false, None, 0));
        let result = planner.plan_multi(&grid, &query.with_partial()).unwrap();
        assert_eq!((result.found(), result.stopped_by, result.partial.is_some()), (false, None, true));
    }
}
