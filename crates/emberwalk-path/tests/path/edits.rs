//! What a grid and a planner keep must stay what a look at the whole map would say, edit after edit.

use emberwalk_path::grid::Cell;
use emberwalk_path::{Components, Corners, Moves, Options, Planner, Query, StepRules};
use fastrand::Rng;

use crate::oracle::{Map, any_rules, entry};

/// Blocks, opens or changes a cell, the map and the grid alike.
fn edit(rng: &mut Rng, map: &Map) -> (Cell, u32) {
    let units = match rng.u8(..3) {
        0 => 0,
        1 => 1 << 18,
        _ => 2f64.powf(rng.f64() * 20.0 + 10.0) as u32,
    };
    (map.any_cell(rng), units)
}

#[test]
fn answers_after_edits_are_those_of_a_fresh_planner() {
    for seed in 0..60 {
        let mut rng = Rng::with_seed(seed);
        let mut map = Map::random(&mut rng);
        let mut grid = map.grid();
        let mut planner = Planner::new();
        for step in 0..120 {
            for _ in 0..rng.u8(1..4) {
                let (cell, units) = edit(&mut rng, &map);
                let changed = grid.set(cell, entry(units));
                let was = map.at(cell);
                map.put(cell, units);
                assert_eq!(changed, map.at(cell) != was);
                assert_eq!(grid.get(cell), entry(map.at(cell)));
            }
            let live = || map.units.iter().copied().filter(|&units| units != 0);
            assert_eq!(grid.min_cost(), live().min().and_then(entry), "seed {seed} step {step}");
            assert_eq!(grid.max_cost(), live().max().and_then(entry), "seed {seed} step {step}");
            let rules = any_rules(&mut rng);
            let (Some(from), Some(to)) = (map.open_cell(&mut rng), map.open_cell(&mut rng)) else { continue };
            let query = Query::new(from, to).with(Options::default().with_rules(rules));
            let least = map.dijkstra(rules, from, false)[(to.y * map.width + to.x) as usize];
            map.judge(&query, &planner.plan(&grid, &query).unwrap(), least, seed);
        }
    }
}

/// Every pair of cells, for parts that only ever heard of the edits and parts made anew.
#[test]
fn parts_after_edits_are_those_of_a_whole_look() {
    for seed in 0..300 {
        let mut rng = Rng::with_seed(seed);
        let size = rng.i32(1..9);
        let mut map = Map::random_of_size(&mut rng, size, 8);
        let mut grid = map.grid();
        let rules = [(Moves::Four, Corners::Never), (Moves::Eight, Corners::Always)];
        let rules = rules.map(|(moves, corners)| StepRules { moves, corners });
        let mut kept = rules.map(Components::new);
        for step in 0..100 {
            for _ in 0..rng.u8(1..4) {
                let (cell, units) = edit(&mut rng, &map);
                grid.set(cell, entry(units));
                map.put(cell, units);
            }
            for (rules, kept) in rules.into_iter().zip(&mut kept) {
                kept.update(&grid);
                let mut made = Components::new(rules);
                made.update(&grid);
                for (one, other) in map.cells().flat_map(|one| map.cells().map(move |other| (one, other))) {
                    let told = kept.are_connected(&grid, one, other);
                    assert_eq!(
                        told,
                        made.are_connected(&grid, one, other),
                        "seed {seed} step {step} {one} {other}\n{map:?}"
                    );
                }
                let from = map.any_cell(&mut rng);
                if map.at(from) != 0 {
                    let least = map.dijkstra(rules, from, false);
                    for (to, least) in map.cells().zip(least) {
                        assert_eq!(kept.are_connected(&grid, from, to), least.is_some(), "seed {seed}\n{map:?}");
                    }
                }
            }
        }
    }
}

/// A planner that is shown one grid after the other must not mistake them.
#[test]
fn grids_of_the_same_age_are_told_apart() {
    let mut planner = Planner::new();
    let mut rng = Rng::with_seed(1);
    for seed in 0..300 {
        let map = Map::random_of_size(&mut rng, 6, 5);
        let mut grid = map.grid();
        let mut copy = grid.clone();
        let (wall, mut changed) = (map.any_cell(&mut rng), map.clone());
        copy.set(wall, None);
        changed.put(wall, 0);
        grid.set(wall, entry(map.at(wall)));
        for (map, grid) in [(&map, &grid), (&changed, &copy), (&map, &grid)] {
            let (Some(from), Some(to)) = (map.open_cell(&mut rng), map.open_cell(&mut rng)) else { continue };
            let options = Options::default();
            let least = map.dijkstra(options.rules(), from, false);
            let query = Query::new(from, to);
            let least = least[(to.y * map.width + to.x) as usize];
            map.judge(&query, &planner.plan(grid, &query).unwrap(), least, seed);
        }
    }
}
