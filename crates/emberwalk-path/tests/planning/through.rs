//! Routes through a waypoint against the sum of two routes.

use emberwalk_path::grid::Cell;
use emberwalk_path::{Endpoint, Options, Planner, QueryError, RouteQuery};
use fastrand::Rng;

use crate::oracle::{Map, algorithms, any_rules};
use crate::seeded;

#[test]
fn a_route_through_a_waypoint_is_the_cheapest_to_it_and_the_cheapest_from_it() {
    let mut planner = Planner::new();
    let (mut found, mut unreachable) = (0, 0);
    for (seed, mut rng) in seeded(600) {
        let map = Map::random(&mut rng);
        let grid = map.grid();
        let rules = any_rules(&mut rng);
        let cells: Option<Vec<_>> = (0..3).map(|_| map.passable_cell(&mut rng)).collect();
        let Some(&[from, waypoint, to]) = cells.as_deref() else { continue };
        let query = RouteQuery::new(from, to).with_options(Options::default().with_rules(rules));
        let leg = |(one, other)| map.dijkstra(rules, one, false)[map.index(other)];
        let legs = [(from, waypoint), (waypoint, to)].map(leg);
        let lowest = legs.into_iter().sum::<Option<u64>>();
        let result = planner.plan_through(&grid, &query, waypoint).unwrap();
        assert!(result.optimal);
        map.check(&query, &result, lowest, seed);
        if result.found() {
            assert!(result.cells().contains(&waypoint), "seed {seed}");
            found += 1;
        } else {
            assert!(result.cells().is_empty(), "seed {seed}");
            unreachable += 1;
        }
    }
    assert!(found > 100 && unreachable > 50, "{found} {unreachable}");
}

#[test]
fn a_route_through_its_own_start_or_goal_is_the_same_route() {
    let mut planner = Planner::new();
    for (seed, mut rng) in seeded(200) {
        let map = Map::random(&mut rng);
        let grid = map.grid();
        let Some((from, to)) = map.passable_pair(&mut rng) else { continue };
        for algorithm in algorithms() {
            let query = RouteQuery::new(from, to).with_options(Options::default().with_algorithm(algorithm));
            let route = planner.plan(&grid, &query).unwrap().route.map(|route| route.to_route());
            for waypoint in [from, to] {
                let result = planner.plan_through(&grid, &query, waypoint).unwrap();
                assert_eq!(result.route.map(|route| route.to_route()), route, "seed {seed}, {query:?}\n{map:?}");
            }
        }
    }
}

#[test]
fn the_work_of_both_searches_counts() {
    let map = Map::random_of_size(&mut Rng::with_seed(7), 30, 30);
    let grid = map.grid();
    let mut rng = Rng::with_seed(1);
    let [from, waypoint, to] = [(); 3].map(|()| map.passable_cell(&mut rng).unwrap());
    let mut planner = Planner::new();
    let mut expanded = |from, to| planner.plan(&grid, &RouteQuery::new(from, to)).unwrap().expanded;
    let sum = expanded(from, waypoint) + expanded(waypoint, to);
    let result = planner.plan_through(&grid, &RouteQuery::new(from, to), waypoint).unwrap();
    assert_eq!(result.expanded, sum);
    assert!(sum > 0);
}

#[test]
fn a_waypoint_that_no_route_can_enter_is_an_error() {
    let grid = Map::flat(3, 1, vec![1 << 18, 1 << 18, 0], 1 << 32).grid();
    let (free, blocked, off) = (Cell::new(0, 0), Cell::new(2, 0), Cell::new(3, 0));
    let ask = |from, waypoint, to| Planner::new().plan_through(&grid, &RouteQuery::new(from, to), waypoint).err();
    let (start, waypoint, goal) = (Endpoint::Start, Endpoint::Waypoint, Endpoint::Goal);
    assert_eq!(ask(free, blocked, free), Some(QueryError::Blocked { endpoint: waypoint, cell: blocked }));
    assert_eq!(ask(free, off, free), Some(QueryError::OffTheMap { endpoint: waypoint, cell: off }));
    assert_eq!(ask(free, free, blocked), Some(QueryError::Blocked { endpoint: goal, cell: blocked }));
    assert_eq!(ask(blocked, off, free), Some(QueryError::Blocked { endpoint: start, cell: blocked }));
}
