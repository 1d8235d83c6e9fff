//! Levels and climbs: every combination of moves, corner rules and climb rules, and levels that are hard on the
//! searches.

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::trace::Recording;
use emberwalk_path::{
    Algorithm, ClimbRule, Components, Corners, CostGrid, Diagonal, EntryCost, Field, FieldDirection, FieldQuery, Level,
    Moves, Options, Planner, Replanner, RouteQuery,
};
use fastrand::Rng;

use crate::oracle::{Climb, Map, algorithms, all_rules, planner_with_tables};
use crate::preparation::change;

const CLIMBS: [Climb; 12] = [
    Climb::new(1.0, 0.0, 1),
    Climb::new(0.0, 0.0, 1),
    Climb::new(0.0, 10.0, 1),
    Climb::new(10.0, 0.0, 2),
    Climb::new(0.3, 2.0, 3),
    Climb::new(10.0, 10.0, 9),
    Climb::new(1.0, 0.5, 0),
    Climb::new(1.0, 0.0, 1).with_most(1, 2),
    Climb::new(0.0, 0.0, 1).with_most(0, 9),
    Climb::new(0.3, 2.0, 1).with_most(1, 4),
    Climb::new(10.0, 0.1, 1).with_most(3, 1),
    Climb::new(0.0, 1.0, 1).with_most(0, 1),
];

/// Checks a query by every algorithm, a replanner and a field in either direction; returns whether there is a route.
fn check(
    planner: &mut Planner,
    replanner: &mut Replanner,
    map: &Map,
    grid: &CostGrid,
    query: RouteQuery,
    seed: u64,
) -> bool {
    let RouteQuery { from, to, options, .. } = query;
    let rules = options.rules;
    let lowest = map.dijkstra(rules, from, false)[map.index(to)];
    for algorithm in algorithms() {
        let query = query.with_options(options.with_algorithm(algorithm));
        map.check(&query, &planner.plan(grid, &query).unwrap(), lowest, seed);
    }
    map.check(&query, &replanner.plan(planner, grid, &query).unwrap(), lowest, seed);
    let mut field = Field::new();
    for (direction, cell, other) in [(FieldDirection::From, from, to), (FieldDirection::To, to, from)] {
        field.compute(grid, &FieldQuery::new(cell, direction).with_rules(rules)).unwrap();
        assert_eq!(
            field.cost(other).map(|cost| cost.units()),
            lowest,
            "seed {seed}, {direction:?}, {query:?}\n{map:?}"
        );
    }
    lowest.is_some()
}

#[test]
fn every_combination_of_rules_is_exact_while_costs_and_levels_change() {
    let (mut found, mut answers) = (0, 0);
    for (seed, (rules, climb)) in
        (0..).zip(all_rules().flat_map(|rules| CLIMBS.map(|climb| (rules, climb))).flat_map(|case| [case; 4]))
    {
        let mut rng = Rng::with_seed(seed);
        let (width, height) = (rng.i32(2..24), rng.i32(2..24));
        let mut map = Map::random_flat(&mut rng, width, height);
        map.raise_hills(&mut rng);
        map.climb = climb;
        let mut grid = map.grid();
        let options = Options::default().with_rules(rules);
        let (mut planner, mut replanner) = (planner_with_tables(), Replanner::new());
        if seed % 2 == 0 {
            planner.prepare(&grid, &options);
        }
        for _ in 0..12 {
            let Some((from, to)) = map.passable_pair(&mut rng) else { continue };
            let query = RouteQuery::new(from, to).with_options(options);
            found += u32::from(check(&mut planner, &mut replanner, &map, &grid, query, seed));
            answers += 1;
            change(&mut rng, &mut map, &mut grid);
            if rng.u8(..4) == 0 {
                planner.refresh(&grid, &options);
            }
        }
    }
    assert!(found > answers / 3 && found < answers * 9 / 10, "{found} of {answers} have a route");
}

/// A flat map that was prepared, then rises cell by cell, and becomes flat again.
#[test]
fn a_prepared_flat_map_stays_exact_while_it_rises_and_falls() {
    for (seed, rules) in (0..).zip(all_rules().flat_map(|rules| [rules; 3])) {
        let mut rng = Rng::with_seed(seed);
        let mut map = Map::random_flat(&mut rng, 21, 17);
        let (mut grid, options) = (map.grid(), Options::default().with_rules(rules));
        let (mut planner, mut replanner) = (planner_with_tables(), Replanner::new());
        planner.prepare(&grid, &options);
        let mut raised = Vec::new();
        for step in 0..24 {
            for _ in 0..6 {
                let back = (step >= 12).then(|| raised.pop()).flatten();
                let (cell, level) = back.unwrap_or_else(|| {
                    let cell = map.any_cell(&mut rng);
                    raised.push((cell, map.level(cell)));
                    (cell, rng.u8(..4))
                });
                map.put_level(cell, level);
                grid.set_level(cell, Level::new(level).unwrap());
            }
            if step == 8 {
                planner.prepare(&grid, &options);
            }
            let Some((from, to)) = map.passable_pair(&mut rng) else { continue };
            check(&mut planner, &mut replanner, &map, &grid, RouteQuery::new(from, to).with_options(options), seed);
        }
    }
}

/// Levels of 0 and 9 in turn along the longest row, at the highest cost: nothing overflows.
#[test]
fn the_steepest_and_most_expensive_row_has_a_route() {
    let rule = ClimbRule::new(10.0, 10.0, 9).unwrap();
    for size in [Size::new(4096, 1), Size::new(1, 4096), Size::new(4096, 3)] {
        let mut grid = CostGrid::from_fn(size, Diagonal::new(2.0).unwrap(), |_| Some(EntryCost::MAX)).unwrap();
        grid.set_levels(rule, |cell| Level::new(9 * ((cell.x + cell.y) % 2) as u8).unwrap());
        let end = Cell::new(size.width as i32 - 1, if size.height == 3 { 0 } else { size.height as i32 - 1 });
        let mut planner = planner_with_tables();
        for &(_, moves) in Moves::NAMES {
            let options = Options::default().with_moves(moves);
            planner.prepare(&grid, &options);
            let mut cost = |algorithm| {
                let query = RouteQuery::new(Cell::new(0, 0), end).with_options(options.with_algorithm(algorithm));
                planner.plan(&grid, &query).unwrap().cost().unwrap().tiles()
            };
            // With three rows, diagonal steps that stay on a level can replace climbs.
            let is_row = size.height == 3 && moves != Moves::Four;
            let lowest = if is_row { cost(Algorithm::Dijkstra) } else { 4095.0 * 4096.0 * 91.0 };
            for algorithm in [Algorithm::Auto, Algorithm::AStar, Algorithm::Dijkstra] {
                assert_eq!(cost(algorithm), lowest, "{size} {moves} {algorithm}");
            }
            for algorithm in [Algorithm::Greedy, Algorithm::BreadthFirst] {
                assert!(cost(algorithm) >= lowest, "{size} {moves} {algorithm}");
            }
        }
        let mut recording_planner = Planner::new();
        let recording = Recording::new(&mut recording_planner, &grid, &RouteQuery::new(Cell::new(0, 0), end)).unwrap();
        let last = recording.event(recording.len() - 1).unwrap();
        assert!(recording.result().cost().is_some() && last.is_closed());
    }
}

#[test]
fn cliffs_all_around_leave_no_route_and_most_0_joins_equal_levels_only() {
    let size = Size::new(30, 20);
    let mut grid = CostGrid::open(size).unwrap();
    for most in [0, 1, 8] {
        let rule = ClimbRule::new(1.0, 1.0, most).unwrap();
        grid.set_levels(rule, |cell| Level::new((9 * ((cell.x + cell.y) % 2)) as u8).unwrap());
        for rules in all_rules() {
            // Only diagonal steps stay on a level, and only some rules let them pass between two cliffs.
            let is_joined =
                rules.moves == Moves::Six || rules.moves == Moves::Eight && rules.corners == Corners::Always;
            let mut components = Components::new(rules);
            components.update(&grid);
            let [here, across, beside] = [(4, 4), (5, 5), (5, 4)].map(Cell::from);
            assert_eq!(components.are_connected(&grid, here, across), is_joined, "{rules:?} {most}");
            assert!(!components.are_connected(&grid, here, beside));
            let query = RouteQuery::new(here, across).with_options(Options::default().with_rules(rules));
            assert_eq!(Planner::new().plan(&grid, &query).unwrap().found(), is_joined, "{rules:?} {most}");
        }
    }
    grid.set_levels(ClimbRule::new(1.0, 1.0, 0).unwrap(), |cell| Level::new((cell.x / 10) as u8).unwrap());
    let mut planner = planner_with_tables();
    let mut found = |to| planner.plan(&grid, &RouteQuery::new(Cell::new(12, 3), to)).unwrap().found();
    assert!(found(Cell::new(19, 19)) && !found(Cell::new(9, 3)) && !found(Cell::new(20, 3)));
}

/// Six moves on an open map: the cost is the distance of hexagons.
#[test]
fn six_moves_are_those_of_hexagons() {
    let grid = CostGrid::open(Size::new(15, 15)).unwrap();
    let (mut planner, from) = (planner_with_tables(), Cell::new(7, 7));
    let options = Options::default().with_moves(Moves::Six);
    assert!(options.optimal());
    for to in grid.size().cells() {
        let (dx, dy) = to - from;
        let distance = dx.abs().max(dy.abs()).max((dx - dy).abs());
        let result = planner.plan(&grid, &RouteQuery::new(from, to).with_options(options)).unwrap();
        assert_eq!(result.cost().unwrap().tiles(), f64::from(distance), "{to}");
        assert_eq!(options.estimate(&grid, from, to).tiles(), f64::from(distance), "{to}");
    }
}

/// On smooth hills a prepared search follows few of the many routes of nearly the same cost.
#[test]
fn prepared_searches_over_hills_expand_few_cells() {
    let mut rng = Rng::with_seed(3);
    let mut map = Map::flat(200, 200, vec![1 << 18; 40_000], 6_073_083_757);
    for cell in map.cells() {
        let height = (f64::from(cell.x) / 31.0).sin() + (f64::from(cell.y) / 23.0).cos();
        map.put_level(cell, (height * 2.2 + 4.5) as u8);
    }
    let (grid, options) = (map.grid(), Options::default());
    let (mut planner, mut plain) = (Planner::new(), Planner::new());
    planner.prepare(&grid, &options);
    let mut expanded = [0; 2];
    for _ in 0..10 {
        let query = RouteQuery::new(map.any_cell(&mut rng), map.any_cell(&mut rng));
        let result = planner.plan(&grid, &query).unwrap();
        expanded[0] += result.expanded;
        let astar = options.with_algorithm(Algorithm::AStar);
        let plain = plain.plan(&grid, &query.with_options(astar)).unwrap();
        expanded[1] += plain.expanded;
        assert_eq!(result.cost(), plain.cost(), "{query:?}");
    }
    assert!(expanded[0] * 10 < expanded[1], "{expanded:?}");
}
