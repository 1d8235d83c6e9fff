//! Answers stay exact when tables are repaired, because many cells anywhere became cheaper or passable.

use std::num::NonZeroUsize;
use std::task::Poll;

use emberwalk_path::{CostGrid, Options, Planner, Replanner, RouteCost, RouteQuery, RouteSearch, StepRules};
use fastrand::Rng;

use crate::cases::cases;
use crate::oracle::{Map, any_rules, entry, planner_with_tables};
use crate::seeded;

#[test]
fn answers_after_many_openings_and_walls_are_exact() {
    let (mut known, mut all) = (0, 0);
    for (seed, mut rng) in seeded(cases(120)) {
        let (width, height) = (rng.i32(30..70), rng.i32(30..70));
        let mut map = Map::random_of_size(&mut rng, width, height);
        let (mut grid, rules) = (map.grid(), any_rules(&mut rng));
        let options = Options::default().with_rules(rules);
        let costs = map.units.clone();
        let mut planner = planner_with_tables();
        planner.prepare(&grid, &options);
        let mut units: Vec<(Replanner, RouteQuery)> = Vec::new();
        for _ in 0..12 {
            let ends = [(); 2].map(|()| map.passable_cell(&mut rng));
            if let (true, [Some(from), Some(to)]) = (units.len() < 4, ends) {
                units.push((Replanner::new(), RouteQuery::new(from, to).with_options(options)));
            }
            // Openings in most rounds, sometimes walls, or both.
            let walls = rng.u8(..4);
            for _ in 0..rng.u8(10..40) {
                let (cell, cost) = (map.any_cell(&mut rng), *rng.choice(&costs).unwrap());
                let is_wall = walls == 0 || walls == 1 && rng.bool();
                if is_wall || map.at(cell) == 0 || cost < map.at(cell) {
                    let cost = if is_wall { 0 } else { cost };
                    map.put(cell, cost);
                    grid.set(cell, entry(cost));
                }
            }
            if rng.u8(..6) == 0 {
                planner.refresh(&grid, &options);
            }
            for (replanner, query) in &mut units {
                if map.at(query.from) == 0 || map.at(query.to) == 0 {
                    continue;
                }
                let lowest = map.dijkstra(rules, query.from, false)[map.index(query.to)];
                let result = replanner.plan(&mut planner, &grid, query).unwrap();
                all += 1;
                known += u32::from(result.found() && result.expanded == 0);
                map.check(query, &result, lowest, seed);
                map.check(query, &planner.plan(&grid, query).unwrap(), lowest, seed);
            }
        }
    }
    assert!(known > all / 10, "{known} of {all} answers needed no search");
}

/// Rooms of 7 x 7 cells, with gaps in the walls.
fn rooms(rng: &mut Rng, side: i32) -> Map {
    let is_wall = |x: i32, y: i32| x % 8 == 0 || y % 8 == 0;
    let cost = |x: i32, y: i32, rng: &mut Rng| if is_wall(x, y) && rng.u8(..8) > 1 { 0 } else { 1 << 18 };
    let units = (0..side * side).map(|at| cost(at % side, at / side, rng)).collect();
    Map::flat(side, side, units, 6_073_083_757)
}

/// The number of slices in which the tables are brought up to date.
fn slices(planner: &mut Planner, grid: &CostGrid, cells: u64) -> usize {
    let slices = (1..).find(|_| planner.advance_preparation(grid, &Options::default(), cells).is_ready());
    slices.unwrap()
}

/// Whatever is opened, tables are updated in slices, and with no more work than new tables take.
#[test]
fn an_update_takes_at_most_as_many_slices_as_new_tables() {
    const CELLS: u64 = 2000;
    for (openings, has_levels) in [(40, false), (100, false), (300, false), (2000, false), (300, true)] {
        let mut rng = Rng::with_seed(openings);
        let mut map = rooms(&mut rng, 160);
        if has_levels {
            map.cells().for_each(|cell| map.put_level(cell, (cell.x / 40 % 2) as u8));
        }
        let mut grid = map.grid();
        let one = NonZeroUsize::MIN;
        let mut planner = planner_with_tables();
        planner.set_max_threads(one);
        planner.prepare(&grid, &Options::default());
        for _ in 0..openings {
            let cell = (0..).map(|_| map.any_cell(&mut rng)).find(|&cell| map.at(cell) == 0).unwrap();
            map.put(cell, 1 << 18);
            grid.set(cell, entry(1 << 18));
        }
        let mut fresh = Planner::new();
        fresh.set_max_threads(one);
        let (updated, new) = (slices(&mut planner, &grid, CELLS), slices(&mut fresh, &grid, CELLS));
        assert!(updated > 3, "{updated} slices after {openings} openings");
        assert!(updated * 10 <= new * 11, "{updated} slices after {openings} openings, {new} for new tables");
        for _ in 0..20 {
            let Some((from, to)) = map.passable_pair(&mut rng) else { continue };
            let lowest = map.dijkstra(StepRules::default(), from, false)[map.index(to)];
            let query = RouteQuery::new(from, to);
            map.check(&query, &planner.plan(&grid, &query).unwrap(), lowest, openings);
        }
    }
}

/// Between the slices of an update the grid changes, other queries are answered, and the planner is copied.
#[test]
fn answers_between_the_slices_of_an_update_are_exact() {
    let mut unfinished = 0;
    for (seed, mut rng) in seeded(12) {
        let mut map = if rng.bool() { rooms(&mut rng, 60) } else { Map::random_of_size(&mut rng, 80, 60) };
        let (mut grid, rules) = (map.grid(), any_rules(&mut rng));
        let options = Options::default().with_rules(rules);
        let costs = map.units.clone();
        let mut planner = planner_with_tables();
        planner.prepare(&grid, &options);
        for round in 0..40 {
            for _ in 0..if round % 8 == 0 { 30 } else { rng.u8(..3) } {
                let (cell, cost) = (map.any_cell(&mut rng), *rng.choice(&costs).unwrap());
                map.put(cell, cost);
                grid.set(cell, entry(cost));
            }
            let cells = rng.u64(..5000);
            match rng.u8(..8) {
                0 => unfinished += u32::from(planner.advance_refresh(&grid, &options, cells).is_pending()),
                1 => planner = planner.clone(),
                2..=5 => unfinished += u32::from(planner.advance_preparation(&grid, &options, cells).is_pending()),
                _ => {}
            }
            let Some((from, to)) = map.passable_pair(&mut rng) else { continue };
            let query = RouteQuery::new(from, to).with_options(options);
            let lowest = map.dijkstra(rules, from, false)[map.index(to)];
            if rng.u8(..3) == 0 {
                let mut search = RouteSearch::new(query);
                // It may be dropped.
                for _ in 0..rng.u8(1..20) {
                    if let Poll::Ready(result) = search.advance(&mut planner, &grid, cells) {
                        map.check(&query, &result.unwrap(), lowest, seed);
                        break;
                    }
                }
            } else if rng.u8(..3) == 0 {
                map.check(&query, &planner.plan(&grid, &query).unwrap(), lowest, seed);
                let bound = planner.lower_bound(&grid, &query).unwrap();
                assert_eq!(bound.is_some(), lowest.is_some(), "seed {seed}");
                assert!(bound.map(RouteCost::units) <= lowest, "seed {seed}");
            }
        }
    }
    assert!(unfinished > 20, "{unfinished}");
}
