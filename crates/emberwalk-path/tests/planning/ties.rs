//! Maps full of routes of the same cost. Of these a search over jump points follows only some.

use emberwalk_path::{Options, RouteQuery, StepRules};
use fastrand::Rng;

use crate::cases::cases;
use crate::oracle::{Climb, Map, any_rules, planner_with_tables};
use crate::preparation::change;
use crate::seeded;

/// A small map of few costs, in blocks or not, with slopes that are straight for a while.
pub fn map(rng: &mut Rng) -> Map {
    let (width, height) = (rng.i32(2..14), rng.i32(2..14));
    let mut map = Map::random_flat(rng, width, height);
    map.ratio = *rng.choice(&[6_073_083_757, 6_073_083_757, 1 << 32, 5 << 30, 3 << 31, 2 << 32]).unwrap();
    let tile = 1 << 18;
    let tiles: &[u32] = rng.choice(&[&[2, 2][..], &[2, 4], &[2, 3, 4, 8], &[1, 2, 4], &[2, 6]]).unwrap();
    let (block, walls) = (rng.i32(1..6), *rng.choice(&[0, 0, 10, 25, 40]).unwrap());
    let blocks: Vec<u32> = (0..14 * 14).map(|_| rng.choice(tiles).unwrap() * tile / 2).collect();
    for cell in map.cells() {
        let units = blocks[(cell.y / block * 14 + cell.x / block) as usize];
        map.put(cell, if rng.u8(..100) < walls { 0 } else { units });
    }
    map.climb = Climb::random(rng, &[0.0, 0.0, 0.5, 1.0, 1.0, 2.0], &[1, 1, 2, 9]);
    let (kind, pitch, top) = (rng.u8(..4), rng.i32(1..5), rng.u8(1..4));
    for cell in map.cells() {
        let level = match kind {
            0 => 0,
            1 => ((cell.x + cell.y) / pitch) as u8 % (top + 1),
            2 => (cell.x / pitch).min(9) as u8,
            _ => (blocks[(cell.y / pitch * 14 + cell.x / pitch) as usize] >> 18) as u8 % 10,
        };
        map.put_level(cell, level);
    }
    map
}

#[test]
fn one_of_many_cheapest_routes_is_always_found() {
    let mut planner = planner_with_tables();
    for (seed, mut rng) in seeded(cases(1500)) {
        let mut map = map(&mut rng);
        let mut grid = map.grid();
        planner.prepare(&grid, &Options::default());
        for _ in 0..2 {
            for from in [(); 2].iter().filter_map(|()| map.passable_cell(&mut rng)).collect::<Vec<_>>() {
                let lowest = map.dijkstra(StepRules::default(), from, false);
                for to in map.cells().filter(|&to| map.at(to) != 0) {
                    let query = RouteQuery::new(from, to);
                    let lowest = lowest[map.index(to)];
                    map.check(&query, &planner.plan(&grid, &query).unwrap(), lowest, seed);
                }
            }
            change(&mut rng, &mut map, &mut grid);
        }
    }
}

/// Thousands of small maps with any moves, prepared or not, under edits and eruptions.
#[test]
fn ties_are_broken_exactly_after_changes_too() {
    for (seed, mut rng) in seeded(cases(1200)) {
        let mut map = map(&mut rng);
        let mut grid = map.grid();
        let mut planner = planner_with_tables();
        let any = |rng: &mut Rng| if rng.u8(..4) > 0 { StepRules::default() } else { any_rules(rng) };
        for _ in 0..4 {
            let options = Options::default().with_rules(any(&mut rng));
            match rng.u8(..6) {
                0 => planner.prepare(&grid, &options),
                1 => planner.forget_prepared(),
                _ => {}
            }
            let Some(from) = map.passable_cell(&mut rng) else { break };
            let lowest = map.dijkstra(options.rules, from, false);
            for (to, lowest) in map.cells().zip(lowest).filter(|&(to, _)| map.at(to) != 0) {
                let query = RouteQuery::new(from, to).with_options(options);
                map.check(&query, &planner.plan(&grid, &query).unwrap(), lowest, seed);
            }
            for _ in 0..rng.u8(1..4) {
                change(&mut rng, &mut map, &mut grid);
            }
        }
    }
}

/// Slopes and level ground once left out turns in favour of each other, until none was left: with a diagonal ratio of
/// 2, a diagonal step costs as much as two straight ones.
#[test]
fn rules_for_slopes_and_level_ground_agree_on_ties() {
    let rows = ["00011122"; 5].concat();
    let units = rows.bytes().enumerate().map(|(k, level)| {
        let is_meadow = level == b'0' || level == b'1' && k >= 3 * 8;
        (if is_meadow { 1 } else { 3 }) << 18
    });
    let mut map = Map::flat(8, 5, units.collect(), 2 << 32);
    map.levels = rows.bytes().map(|level| level - b'0').collect();
    let grid = map.grid();
    let mut planner = planner_with_tables();
    planner.prepare(&grid, &Options::default());
    for from in map.cells() {
        let lowest = map.dijkstra(StepRules::default(), from, false);
        for (to, lowest) in map.cells().zip(lowest) {
            let query = RouteQuery::new(from, to);
            map.check(&query, &planner.plan(&grid, &query).unwrap(), lowest, 0);
        }
    }
}
