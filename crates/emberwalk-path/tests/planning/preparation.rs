//! Preparation must not change the cost of any answer, whatever happens to the grid afterwards.

use std::num::NonZeroUsize;
use std::task::Poll;

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{Algorithm, CostGrid, Diagonal, Level, Options, Planner, RouteQuery, StepRules};
use fastrand::Rng;

use crate::cases::cases;
use crate::oracle::{Map, any_rules, entry, planner_with_tables};
use crate::seeded;

/// Changes some cells of both the map and the grid, as games do.
pub fn change(rng: &mut Rng, map: &mut Map, grid: &mut CostGrid) {
    let centre = map.any_cell(rng);
    let put = |map: &mut Map, grid: &mut CostGrid, cell: Cell, units: u32| {
        if grid.size().contains(cell) {
            map.put(cell, units);
            grid.set(cell, entry(units));
        }
    };
    let around = |radius: i32| (-radius..=radius).flat_map(move |dy| (-radius..=radius).map(move |dx| (dx, dy)));
    let scaled = |units: u32, factor: f64| match units {
        0 => 0,
        units => (f64::from(units) * factor).clamp(1024.0, f64::from(1 << 30)) as u32,
    };
    match rng.u8(..12) {
        // An eruption, or the end of one.
        kind @ 0..=1 => {
            for (dx, dy) in around(4) {
                let distance = f64::from(dx * dx + dy * dy).sqrt();
                let cell = Cell::new(centre.x + dx, centre.y + dy);
                let factor = (5.0 - distance) * 2.0;
                if distance <= 4.5 {
                    put(map, grid, cell, scaled(map.at(cell), if kind == 0 { factor.recip() } else { factor }));
                }
            }
        }
        // A cell that is blocked or made passable; a wall of several cells, or a gap through one.
        2 => put(map, grid, centre, 0),
        3 => put(map, grid, centre, 1 << 18),
        kind @ 4..=5 => {
            for k in 0..rng.i32(2..9) {
                let cell = Cell::new(centre.x + k, centre.y);
                put(map, grid, cell, if kind == 4 { 0 } else { 1 << 18 });
            }
        }
        // Cells that are blocked and made passable in any order, some of them neighbours.
        6 => {
            for _ in 0..rng.u8(2..40) {
                let cell = Cell::new(centre.x + rng.i32(-9..10), centre.y + rng.i32(-9..10));
                put(map, grid, cell, *rng.choice(&[0, 1 << 18, 1 << 18, 1 << 16]).unwrap());
            }
        }
        // A cell that is raised or lowered, which may be taken back, or a hill.
        kind @ 7..=9 => {
            let (was, top) = (map.level(centre), rng.u8(..10));
            let mut raise = |cell: Cell, level: u8| {
                if grid.size().contains(cell) {
                    map.put_level(cell, level);
                    grid.set_level(cell, Level::new(level).unwrap());
                }
            };
            for (dx, dy) in around(if kind == 9 { 3 } else { 0 }) {
                let fall = dx.abs().max(dy.abs()) as u8;
                raise(Cell::new(centre.x + dx, centre.y + dy), top.saturating_sub(fall));
            }
            if kind == 8 {
                raise(centre, was);
            }
        }
        // Another cost, which may be taken back before the next query.
        _ => {
            let (was, units) = (map.at(centre), 2f64.powf(rng.f64() * 20.0 + 10.0) as u32);
            put(map, grid, centre, units);
            if rng.bool() {
                put(map, grid, centre, was);
            }
        }
    }
}

/// Prepares everything, as much as fits into some memory, or one slice of that, or only what passes over the grid can
/// make.
fn prepare(rng: &mut Rng, planner: &mut Planner, grid: &CostGrid, rules: StepRules) {
    let options = Options::default().with_rules(rules);
    let (bytes_per_cell, few) = (*rng.choice(&[0, 7, 9, 11, 15, 20, 40, 55, 72, 100, 200]).unwrap(), 8000);
    let max_bytes = grid.size().area() * bytes_per_cell + few;
    if rng.bool() {
        planner.forget_prepared();
        planner.set_max_prepared_bytes(max_bytes);
    }
    match rng.u8(..6) {
        0..=2 => planner.prepare(grid, &options),
        3..=4 => planner.prepare_passes(grid, &options),
        _ => {
            let _ = planner.advance_preparation(grid, &options, rng.u64(..100_000));
        }
    }
}

fn check(rng: &mut Rng, map: &Map, grid: &CostGrid, planner: &mut Planner, rules: StepRules, seed: u64) {
    let Some(from) = map.passable_cell(rng) else { return };
    let lowest = map.dijkstra(rules, from, false);
    for _ in 0..4 {
        let Some(to) = map.passable_cell(rng) else { return };
        let query = RouteQuery::new(from, to).with_options(Options::default().with_rules(rules));
        let result = planner.plan(grid, &query).unwrap();
        map.check(&query, &result, lowest[map.index(to)], seed);
    }
}

#[test]
fn prepared_answers_are_exact_on_every_kind_of_map() {
    let mut planner = planner_with_tables();
    for (seed, mut rng) in seeded(1000) {
        let (width, height) = (rng.i32(1..71), rng.i32(1..71));
        let map = if rng.bool() { Map::random(&mut rng) } else { Map::random_of_size(&mut rng, width, height) };
        let rules = any_rules(&mut rng);
        let grid = map.grid();
        prepare(&mut rng, &mut planner, &grid, rules);
        check(&mut rng, &map, &grid, &mut planner, rules, seed);
    }
}

/// Thousands of changes; now and then the planner catches up, and now and then it refreshes a table.
#[test]
fn prepared_answers_stay_exact_as_the_grid_changes() {
    for (seed, mut rng) in seeded(cases(80)) {
        let (width, height) = (rng.i32(1..71), rng.i32(1..71));
        let mut map = Map::random_of_size(&mut rng, width, height);
        let rules = any_rules(&mut rng);
        let options = Options::default().with_rules(rules);
        let mut grid = map.grid();
        let mut planner = planner_with_tables();
        prepare(&mut rng, &mut planner, &grid, rules);
        for _ in 0..40 {
            for _ in 0..rng.u8(1..4) {
                change(&mut rng, &mut map, &mut grid);
            }
            match rng.u8(..8) {
                0 => prepare(&mut rng, &mut planner, &grid, rules),
                1..=2 => {
                    planner.refresh(&grid, &options);
                }
                3 => {
                    let _ = planner.advance_refresh(&grid, &options, rng.u64(..2000));
                }
                4 => while planner.refresh(&grid, &options) {},
                _ => {}
            }
            check(&mut rng, &map, &grid, &mut planner, rules, seed);
        }
    }
}

/// Tables for one grid, move set or corner rule are not used for another.
#[test]
fn tables_are_used_only_for_their_grid_and_rules() {
    for (seed, mut rng) in seeded(200) {
        let maps = [(); 2].map(|()| Map::random_of_size(&mut rng, 23, 17));
        let grids = [maps[0].grid(), maps[1].grid()];
        let mut planner = planner_with_tables();
        for _ in 0..6 {
            let rules = any_rules(&mut rng);
            let grid = &grids[rng.usize(..2)];
            prepare(&mut rng, &mut planner, grid, rules);
            for (map, grid) in maps.iter().zip(&grids) {
                let rules = any_rules(&mut rng);
                check(&mut rng, map, grid, &mut planner, rules, seed);
            }
        }
    }
}

/// Larger maps, on which the tables must save more than half of the expansions.
#[test]
fn long_prepared_routes_are_exact_and_expand_less() {
    let mut expanded = [0; 2];
    for (seed, mut rng) in seeded(6) {
        let mut map = Map::random_of_size(&mut rng, 256, 256);
        map.lay_terrain(&mut rng, 0.1);
        let mut grid = map.grid();
        let rules = any_rules(&mut rng);
        let options = Options::default().with_rules(rules);
        let (mut planner, mut plain) = (Planner::new(), Planner::new());
        planner.prepare(&grid, &options);
        for _ in 0..4 {
            check(&mut rng, &map, &grid, &mut planner, rules, seed);
            while planner.refresh(&grid, &options) {}
            let Some((from, to)) = map.passable_pair(&mut rng) else { continue };
            let query = RouteQuery::new(from, to).with_options(options);
            expanded[0] += planner.plan(&grid, &query).unwrap().expanded;
            expanded[1] += plain.plan(&grid, &query).unwrap().expanded;
            change(&mut rng, &mut map, &mut grid);
        }
    }
    assert!(expanded[0] * 2 < expanded[1], "{expanded:?}");
}

#[test]
fn the_tables_of_a_copy_are_used() {
    let mut rng = Rng::with_seed(1);
    let mut map = Map::random_flat(&mut rng, 128, 128);
    map.lay_terrain(&mut rng, 0.0);
    let (grid, options) = (map.grid(), Options::default());
    let query = RouteQuery::new(Cell::new(3, 5), Cell::new(120, 100));
    let (mut planner, mut plain) = (Planner::new(), Planner::new());
    planner.prepare(&grid.clone(), &options);
    let expanded = planner.plan(&grid, &query).unwrap().expanded;
    assert!(expanded * 2 < plain.plan(&grid, &query).unwrap().expanded, "{expanded}");
}

/// When the entry cost of a goal rises by its last digit, rounding can leave the cost of the diagonal step unchanged.
#[test]
fn an_increase_that_rounding_hides_from_diagonal_steps_is_noticed() {
    let (v, c) = (102_400, 6400);
    let units = [v, v, c, v, c, c, c, v, v, v, v, c, v, v, v, c, v, c];
    let mut map = Map::flat(3, 6, units.to_vec(), (1.36485 * 2f64.powi(32)).round() as u64);
    let mut grid = map.grid();
    let mut planner = planner_with_tables();
    planner.prepare(&grid, &Options::default());
    for (cell, units) in [(Cell::new(1, 4), 102_416), (Cell::new(2, 3), 6403)] {
        map.put(cell, units);
        grid.set(cell, entry(units));
    }
    let query = RouteQuery::new(Cell::new(1, 0), Cell::new(1, 4));
    let lowest = map.dijkstra(StepRules::default(), query.from, false)[13];
    let result = planner.plan(&grid, &query).unwrap();
    map.check(&query, &result, lowest, 0);
}

/// The passes over the grid alone make jump points, and the first query of an unprepared planner makes them, too, if
/// there is memory for them.
#[test]
fn jump_points_need_no_other_preparation() {
    let grid = CostGrid::open(Size::new(200, 200)).unwrap();
    let query = RouteQuery::new(Cell::new(3, 5), Cell::new(190, 100));
    let astar = query.with_options(Options::default().with_algorithm(Algorithm::AStar));
    let [mut plain, mut passes, mut unprepared, mut limited] = [(); 4].map(|()| Planner::new());
    let ask =
        |planner: &mut Planner, query| planner.plan(&grid, query).map(|found| (found.cost(), found.expanded)).unwrap();
    let (cost, many) = ask(&mut plain, &astar);
    passes.prepare_passes(&grid, &Options::default());
    for planner in [&mut passes, &mut unprepared] {
        let (same_cost, few) = ask(planner, &query);
        assert!(same_cost == cost && few * 10 < many && planner.prepared_bytes() > 0, "{few} and {many}");
    }
    limited.set_max_prepared_bytes(1000);
    assert_eq!((ask(&mut limited, &query), limited.prepared_bytes()), ((cost, many), 0));
}

/// Earlier queries change no route, with or without tables.
#[test]
fn routes_do_not_depend_on_the_queries_before() {
    for (seed, mut rng) in seeded(40) {
        let (width, height) = (rng.i32(20..90), rng.i32(20..90));
        let map = Map::random_of_size(&mut rng, width, height);
        let (grid, rules) = (map.grid(), any_rules(&mut rng));
        let options = Options::default().with_rules(rules);
        let mut new = Planner::new();
        if rng.bool() {
            new.prepare(&grid, &options);
        }
        let mut used = new.clone();
        for _ in 0..30 {
            let Some((from, to)) = map.passable_pair(&mut rng) else { break };
            let query = RouteQuery::new(from, to).with_options(options);
            let (mut new, used) = (new.clone(), used.plan(&grid, &query).unwrap());
            assert_eq!(used.cells(), new.plan(&grid, &query).unwrap().cells(), "seed {seed} {query:?}\n{map:?}");
        }
    }
}

/// Where each cell has another cost, neither jump points nor landmarks save enough.
#[test]
fn a_prepared_planner_searches_without_tables_where_they_do_not_pay() {
    let mut rng = Rng::with_seed(4);
    let map = Map::flat(120, 120, (0..120 * 120).map(|_| rng.u32(1 << 18..(1 << 18) + 9000)).collect(), 6_073_083_757);
    let grid = map.grid();
    let (mut prepared, mut plain) = (Planner::new(), Planner::new());
    prepared.prepare(&grid, &Options::default());
    let mut expanded = [0; 2];
    for k in 0..30 {
        let (from, to) = map.passable_pair(&mut rng).unwrap();
        let query = RouteQuery::new(from, to);
        let (one, other) = (prepared.plan(&grid, &query).unwrap(), plain.plan(&grid, &query).unwrap());
        assert_eq!(one.cost(), other.cost(), "query {k}");
        expanded = [expanded[0] + one.expanded, expanded[1] + other.expanded];
    }
    assert_eq!(expanded[0], expanded[1]);
}

/// On a long route the bounds are only slightly better, but they spare the search most of its expansions.
#[test]
fn tables_are_used_for_long_routes_with_a_short_detour() {
    let size = Size::new(600, 120);
    let is_wall = |cell: Cell| cell.x == 300 && cell.y < 100;
    let is_forest = |cell: Cell| cell.x % 40 < 6 && cell.y % 30 < 6;
    let units = |cell: Cell| if is_wall(cell) { 0 } else { 1 << (18 + u32::from(is_forest(cell))) };
    let grid = CostGrid::from_fn(size, Diagonal::GAME, |cell| entry(units(cell))).unwrap();
    let query = RouteQuery::new(Cell::new(5, 90), Cell::new(595, 90));
    let expanded = |planner: &mut Planner| planner.plan(&grid, &query).unwrap().expanded;
    let mut prepared = Planner::new();
    prepared.prepare(&grid, &Options::default());
    let (without, with) = (expanded(&mut Planner::new()), expanded(&mut prepared));
    assert!(with * 4 < without, "{with} of {without}");
}

#[test]
fn progress_counts_the_tables() {
    let mut rng = Rng::with_seed(2);
    let mut map = Map::random_flat(&mut rng, 64, 64);
    // With levels a landmark has two tables.
    for tables in [31, 30] {
        let (mut planner, grid, mut told) = (Planner::new(), map.grid(), Vec::new());
        while planner.advance_preparation(&grid, &Options::default(), 1000).is_pending() {
            told.extend(planner.preparation_progress());
        }
        told.dedup();
        let expected: Vec<_> = (0..tables).step_by(2).map(|done| (done, tables)).collect();
        assert_eq!(told, expected, "two tables at a time");
        assert_eq!(planner.preparation_progress(), None);
        assert!(planner.advance_preparation(&grid, &Options::default(), 1).is_ready(), "there is nothing left to do");
        map.put_level(Cell::new(5, 5), 1);
    }
}

/// The jump points alone save a quarter of the expansions or more, and the landmarks alone do too.
#[test]
fn what_is_prepared_fits_into_the_memory_that_it_may_take() {
    let mut rng = Rng::with_seed(8);
    let mut map = Map::random_flat(&mut rng, 200, 150);
    map.lay_terrain(&mut rng, 0.03);
    let (grid, options) = (map.grid(), Options::default());
    let queries: Vec<_> = (0..40).filter_map(|_| map.passable_pair(&mut rng)).collect();
    let mut planner = Planner::new();
    let mut expanded_before = u64::MAX;
    for bytes_per_cell in [0, 20, 100] {
        let max_bytes = grid.size().area() * bytes_per_cell;
        planner.forget_prepared();
        assert_eq!(planner.prepared_bytes(), 0);
        planner.set_max_prepared_bytes(max_bytes);
        planner.prepare(&grid, &options);
        assert!(planner.prepared_bytes() <= max_bytes, "{} of {max_bytes}", planner.prepared_bytes());
        let query = |&(from, to)| planner.plan(&grid, &RouteQuery::new(from, to)).unwrap().expanded;
        let expanded: u64 = queries.iter().map(query).sum();
        assert!(expanded * 4 < expanded_before.saturating_mul(3), "{expanded} after {expanded_before}");
        expanded_before = expanded;
    }
}

/// A preparation can be abandoned at any moment; queries are then answered all the same.
#[test]
fn an_abandoned_preparation_leaves_no_tables() {
    let mut rng = Rng::with_seed(9);
    let map = Map::random_flat(&mut rng, 300, 200);
    let (grid, rules) = (map.grid(), StepRules::default());
    for cells in [1, 1000, 200_000, 1_000_000] {
        let mut planner = Planner::new();
        assert!(planner.advance_preparation(&grid, &Options::default(), cells).is_pending());
        check(&mut rng, &map, &grid, &mut planner, rules, cells);
        planner.forget_prepared();
        assert_eq!(planner.prepared_bytes(), 0, "after {cells} cells");
        check(&mut rng, &map, &grid, &mut planner, rules, cells);
    }
}

/// Hills with walls, large enough for two threads.
fn hilly_map(rng: &mut Rng, has_levels: bool) -> Map {
    let mut map = Map::random_flat(rng, 180, 130);
    map.lay_terrain(rng, 0.1);
    map.cells().filter(|_| has_levels).for_each(|cell| map.put_level(cell, (cell.x / 11 % 2) as u8));
    map
}

/// Checks that planners expand the same cells for the same routes.
fn check_same(rng: &mut Rng, map: &Map, grid: &CostGrid, planners: &mut [Planner], seed: u64) {
    for _ in 0..40 {
        let Some((from, to)) = map.passable_pair(rng) else { continue };
        let query = RouteQuery::new(from, to);
        let mut answers = planners.iter_mut().map(|planner| {
            let result = planner.plan(grid, &query).unwrap();
            (result.expanded, result.cells().to_vec())
        });
        let first = answers.next().unwrap();
        answers.for_each(|answer| assert_eq!(answer, first, "seed {seed}, {query:?}"));
    }
}

/// Prepares a planner in slices; returns how many.
fn prepare_in_slices(planner: &mut Planner, grid: &CostGrid, mut after_slice: impl FnMut(&mut Planner)) -> usize {
    let mut slices = 1;
    while planner.advance_preparation(grid, &Options::default(), 5000).is_pending() {
        slices += 1;
        assert!(slices < 10_000, "each slice goes on");
        after_slice(planner);
    }
    slices
}

#[test]
fn slices_change_no_answer() {
    for (seed, mut rng) in seeded(4) {
        let map = hilly_map(&mut rng, seed % 2 == 0);
        let grid = map.grid();
        let mut planners = [Planner::new(), Planner::new()];
        planners[0].prepare(&grid, &Options::default());
        planners[1].set_max_threads(NonZeroUsize::new(1 + seed as usize / 2).unwrap());
        let slices = prepare_in_slices(&mut planners[1], &grid, |planner| {
            if rng.u8(..8) == 0 {
                check(&mut rng, &map, &grid, planner, StepRules::default(), seed);
            }
        });
        assert!(slices > 100, "{slices}");
        assert_eq!(planners[0].prepared_bytes(), planners[1].prepared_bytes());
        check_same(&mut rng, &map, &grid, &mut planners, seed);
    }
}

/// The grid changes, or less memory may be taken, between two slices.
#[test]
fn a_preparation_begins_anew_for_another_grid_or_limit() {
    for (seed, mut rng) in seeded(3) {
        let mut map = hilly_map(&mut rng, false);
        let mut grid = map.grid();
        let mut planners = [Planner::new(), Planner::new()];
        assert!(planners[1].advance_preparation(&grid, &Options::default(), 300_000).is_pending());
        match seed {
            0 => change(&mut rng, &mut map, &mut grid),
            1 => {
                map = hilly_map(&mut rng, false);
                grid = map.grid();
            }
            _ => planners.iter_mut().for_each(|planner| planner.set_max_prepared_bytes(grid.size().area() * 40)),
        }
        planners[0].prepare(&grid, &Options::default());
        prepare_in_slices(&mut planners[1], &grid, |_| ());
        assert_eq!(planners[0].prepared_bytes(), planners[1].prepared_bytes());
        check_same(&mut rng, &map, &grid, &mut planners, seed);
    }
}

/// Tables are refreshed in slices, between which queries are answered.
#[test]
fn tables_are_refreshed_in_slices() {
    for (seed, mut rng) in seeded(4) {
        let mut map = hilly_map(&mut rng, seed % 2 == 0);
        let (mut grid, options) = (map.grid(), Options::default());
        let mut planners = [Planner::new(), Planner::new()];
        planners.iter_mut().for_each(|planner| planner.prepare(&grid, &options));
        for column in 0..map.width {
            let cell = Cell::new(column, 50);
            map.put(cell, 1 << 16);
            grid.set(cell, entry(1 << 16));
        }
        while planners[0].refresh(&grid, &options) {}
        let (mut slices, mut refreshed) = (0, 0);
        loop {
            slices += 1;
            match planners[1].advance_refresh(&grid, &options, 5000) {
                Poll::Pending => {}
                Poll::Ready(true) => refreshed += 1,
                Poll::Ready(false) => break,
            }
            if rng.u8(..16) == 0 {
                check(&mut rng, &map, &grid, &mut planners[1], StepRules::default(), seed);
            }
        }
        assert!(refreshed >= 30 && slices >= 3 * refreshed, "{refreshed} tables, {slices} slices");
        check_same(&mut rng, &map, &grid, &mut planners, seed);
    }
}

#[test]
fn the_number_of_threads_changes_no_answer() {
    for (seed, mut rng) in seeded(4) {
        let map = hilly_map(&mut rng, seed % 2 == 1);
        let (grid, options) = (map.grid(), Options::default());
        let mut planners = [1, 2, 7].map(|threads| {
            let mut planner = Planner::new();
            planner.set_max_threads(NonZeroUsize::new(threads).unwrap());
            planner.prepare(&grid, &options);
            planner
        });
        check_same(&mut rng, &map, &grid, &mut planners, seed);
    }
}
