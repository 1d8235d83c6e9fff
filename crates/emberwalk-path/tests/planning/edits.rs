//! After every edit, the data that a grid and a planner keep equals the data computed from the whole map.

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{Components, Corners, CostGrid, Level, Moves, Options, RouteQuery, StepRules};
use fastrand::Rng;

use crate::cases::cases;
use crate::oracle::{Map, all_rules, any_rules, entry, planner_with_tables};
use crate::seeded;

/// Chooses a cell to block, to make passable or to make cheaper or more expensive.
fn edit(rng: &mut Rng, map: &Map) -> (Cell, u32) {
    let units = match rng.u8(..3) {
        0 => 0,
        1 => 1 << 18,
        _ => 2f64.powf(rng.f64() * 20.0 + 10.0) as u32,
    };
    (map.any_cell(rng), units)
}

/// Raises or lowers a cell, on some of the maps with hills and rarely on flat ones.
fn edit_level(rng: &mut Rng, map: &mut Map, grid: &mut CostGrid) {
    if rng.u8(..if grid.is_flat() { 60 } else { 2 }) == 0 {
        let (cell, level) = (map.any_cell(rng), rng.u8(..10).min(rng.u8(..10)));
        let changed = grid.set_level(cell, Level::new(level).unwrap());
        assert_eq!(changed, map.level(cell) != level);
        map.put_level(cell, level);
        assert_eq!(grid.level(cell).get(), level);
    }
}

#[test]
fn answers_after_edits_are_exact() {
    for (seed, mut rng) in seeded(60) {
        let mut map = Map::random(&mut rng);
        let mut grid = map.grid();
        let mut planner = planner_with_tables();
        for step in 0..120 {
            for _ in 0..rng.u8(1..4) {
                let (cell, units) = edit(&mut rng, &map);
                let changed = grid.set(cell, entry(units));
                let was = map.at(cell);
                map.put(cell, units);
                assert_eq!(changed, map.at(cell) != was);
                assert_eq!(grid.get(cell), entry(map.at(cell)));
                edit_level(&mut rng, &mut map, &mut grid);
            }
            let live = || map.units.iter().copied().filter(|&units| units != 0);
            assert_eq!(grid.min_cost(), live().min().and_then(entry), "seed {seed} step {step}");
            assert_eq!(grid.max_cost(), live().max().and_then(entry), "seed {seed} step {step}");
            let rules = any_rules(&mut rng);
            let Some((from, to)) = map.passable_pair(&mut rng) else { continue };
            let query = RouteQuery::new(from, to).with_options(Options::default().with_rules(rules));
            let lowest = map.dijkstra(rules, from, false)[map.index(to)];
            map.check(&query, &planner.plan(&grid, &query).unwrap(), lowest, seed);
        }
    }
}

/// Compares every pair of cells in components that follow the edits with new components and with Dijkstra.
#[test]
fn components_after_edits_equal_new_ones() {
    for (seed, mut rng) in seeded(cases(300)) {
        let size = rng.i32(1..9);
        let mut map = Map::random_of_size(&mut rng, size, 8);
        let mut grid = map.grid();
        let rules = [
            (Moves::Four, Corners::Never),
            (Moves::Eight, Corners::Always),
            (Moves::Six, Corners::Never),
            (Moves::Eight, Corners::One),
        ];
        let rules = rules.map(|(moves, corners)| StepRules::new(moves, corners));
        let mut updated = rules.map(Components::new);
        for step in 0..100 {
            for _ in 0..rng.u8(1..4) {
                let (cell, units) = edit(&mut rng, &map);
                grid.set(cell, entry(units));
                map.put(cell, units);
                edit_level(&mut rng, &mut map, &mut grid);
            }
            for (rules, updated) in rules.into_iter().zip(&mut updated) {
                updated.update(&grid);
                let mut new = Components::new(rules);
                new.update(&grid);
                for (one, other) in map.cells().flat_map(|one| map.cells().map(move |other| (one, other))) {
                    let found = updated.are_connected(&grid, one, other);
                    assert_eq!(
                        found,
                        new.are_connected(&grid, one, other),
                        "seed {seed} step {step} {one} {other}\n{map:?}"
                    );
                }
                let from = map.any_cell(&mut rng);
                if map.at(from) != 0 {
                    let lowest = map.dijkstra(rules, from, false);
                    for (to, lowest) in map.cells().zip(lowest) {
                        assert_eq!(updated.are_connected(&grid, from, to), lowest.is_some(), "seed {seed}\n{map:?}");
                    }
                }
            }
        }
    }
}

/// Steps that begin or end off the grid do not exist, however far off.
#[test]
fn there_are_no_steps_off_the_grid() {
    let grid = CostGrid::open(Size::new(3, 3)).unwrap();
    let far = [i32::MIN, i32::MIN + 1, -2, -1, 0, 1, 2, 3, 4, i32::MAX - 1, i32::MAX];
    let cells = || far.into_iter().flat_map(|y| far.into_iter().map(move |x| Cell::new(x, y)));
    let is_on_grid = |cell: Cell| (0..3).contains(&cell.x) && (0..3).contains(&cell.y);
    for rules in all_rules() {
        let steps = cells().flat_map(|from| cells().map(move |to| (from, to)));
        for (from, to) in steps.filter(|&(from, to)| !is_on_grid(from) || !is_on_grid(to)) {
            assert_eq!(rules.step_cost(&grid, from, to), None, "{from} to {to}");
        }
    }
    assert!(StepRules::default().step_cost(&grid, Cell::new(0, 0), Cell::new(1, 1)).is_some());
}
