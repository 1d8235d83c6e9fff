//! After their first queries, planners, replanners and fields allocate nothing. This is a test binary of its own, because
//! its allocator counts for the whole process.

#![expect(unsafe_code, reason = "allocators are unsafe")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell as Counter;

use emberwalk_path::ahead::Outlook;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{
    Algorithm, Corners, CostGrid, Diagonal, EntryCost, Field, FieldQuery, Heuristic, HeuristicScale, Moves, MultiQuery,
    Options, Planner, Replanner, Route, RouteCost, RouteQuery, Ties,
};
use fastrand::Rng;

thread_local! {
    static COUNT: Counter<u64> = const { Counter::new(0) };
}

struct Counting;

// SAFETY: every call is passed on to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the contract of the caller is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the contract of the caller is the same.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the contract of the caller is the same.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The number of allocations that `work` makes on this thread.
fn allocations(work: impl FnOnce()) -> u64 {
    let before = COUNT.get();
    work();
    COUNT.get() - before
}

const SIZE: Size = Size::new(120, 90);

fn any_cost(rng: &mut Rng) -> Option<EntryCost> {
    let tiles = *rng.choice(&[0.0, 0.0, 0.5, 1.0, 1.0, 1.5, 3.0, 0.01]).unwrap();
    EntryCost::from_tiles(tiles).ok()
}

fn any_cell(rng: &mut Rng) -> Cell {
    Cell::new(rng.i32(0..SIZE.width as i32), rng.i32(0..SIZE.height as i32))
}

fn any_query(rng: &mut Rng) -> RouteQuery {
    let options = Options::new()
        .with_moves(rng.choice(Moves::NAMES).unwrap().1)
        .with_corners(rng.choice(Corners::NAMES).unwrap().1)
        .with_algorithm(rng.choice(Algorithm::NAMES).unwrap().1)
        .with_heuristic(Some(rng.choice(Heuristic::NAMES).unwrap().1))
        .with_scale(rng.choice(HeuristicScale::NAMES).unwrap().1);
    RouteQuery::new(any_cell(rng), any_cell(rng)).with_options(options)
}

/// Edits a few cells and asks the planner or the field something; returns the number of allocations.
fn ask(rng: &mut Rng, grid: &mut CostGrid, planner: &mut Planner, field: &mut Field, route: &mut Route) -> u64 {
    for _ in 0..rng.u8(..4) {
        grid.set(any_cell(rng), any_cost(rng));
    }
    let query = any_query(rng);
    let which = rng.u8(..8);
    allocations(|| match which {
        0 => drop(planner.plan(grid, &query.with_partial()).map(|result| result.found())),
        1 => {
            // Half of the fields are repaired.
            let query_of_field = FieldQuery::routes_from(Cell::new(7, 7));
            let other_query = FieldQuery::routes_from(query.from).with_rules(query.options.rules);
            let is_new = query.from.x % 4 == 0 && field.compute(grid, &other_query).is_ok();
            if is_new || field.update(grid, &query_of_field).is_ok() {
                field.route_into(query.to, route);
                field.nearest_reachable(query.to);
            }
        }
        _ => drop(planner.plan(grid, &query).map(|result| result.found())),
    })
}

#[test]
fn warm_planners_and_fields_allocate_nothing() {
    let mut rng = Rng::with_seed(11);
    let mut grid = CostGrid::from_fn(SIZE, Diagonal::GAME, |_| any_cost(&mut rng)).unwrap();
    let (mut planner, mut field) = (Planner::new(), Field::new());
    let mut route = Route { cells: Vec::with_capacity(SIZE.area()), ..Route::default() };
    let mut cold = 0;
    for _ in 0..300 {
        cold += ask(&mut rng, &mut grid, &mut planner, &mut field, &mut route);
    }
    assert!(cold > 0, "the first queries allocate");
    for k in 0..3000 {
        let warm = ask(&mut rng, &mut grid, &mut planner, &mut field, &mut route);
        assert_eq!(warm, 0, "query {k} after warm-up, seed 11");
    }
}

/// Prepared tables follow every change without allocating, and are refreshed in place.
#[test]
fn prepared_planners_allocate_nothing() {
    let mut rng = Rng::with_seed(5);
    let mut grid = CostGrid::from_fn(SIZE, Diagonal::GAME, |_| any_cost(&mut rng)).unwrap();
    let mut planner = Planner::new();
    let options = Options::default();
    planner.prepare(&grid, &options);
    for k in 0..1600 {
        for _ in 0..rng.u8(..30) {
            grid.set(any_cell(&mut rng), any_cost(&mut rng));
        }
        let query = RouteQuery::new(any_cell(&mut rng), any_cell(&mut rng));
        let warm = allocations(|| {
            let _ = planner.plan(&grid, &query);
            if k % 8 == 0 {
                planner.prepare(&grid, &options);
            }
            planner.refresh(&grid, &options);
        });
        assert!(warm == 0 || k < 600, "query {k} after preparation, seed 5: {warm}");
    }
}

/// Replanning after walls, eruptions and steps, with a search or without one.
#[test]
fn warm_replanners_allocate_nothing() {
    let mut rng = Rng::with_seed(7);
    let cost = |rng: &mut Rng| EntryCost::from_tiles(*rng.choice(&[1.0, 1.5, 3.0]).unwrap()).ok();
    let mut grid = CostGrid::from_fn(SIZE, Diagonal::GAME, |_| cost(&mut rng)).unwrap();
    let (mut planner, mut replanner) = (Planner::new(), Replanner::new());
    planner.prepare(&grid, &Options::default());
    let mut query = RouteQuery::new(Cell::new(2, 2), Cell::new(100, 70));
    let mut known = 0;
    for k in 0..2000 {
        let centre = any_cell(&mut rng);
        match rng.u8(..8) {
            0 => (query.from, query.to) = (any_cell(&mut rng), any_cell(&mut rng)),
            1 => {
                for offset in Size::new(9, 9).cells() {
                    let tiles = grid.get(centre + (offset.x, offset.y)).map_or(1.0, EntryCost::tiles);
                    let factor = *rng.choice(&[0.5, 2.0]).unwrap();
                    let cost = EntryCost::from_tiles((tiles * factor).clamp(0.1, 9.0)).ok();
                    grid.set(centre + (offset.x, offset.y), cost);
                }
            }
            2 => {
                grid.set(centre, None);
            }
            3 => {
                grid.set(centre, cost(&mut rng));
            }
            _ => {}
        }
        let mut next = None;
        let warm = allocations(|| {
            if let Ok(result) = replanner.plan(&mut planner, &grid, &query) {
                known += u32::from(result.expanded == 0);
                next = result.cells().get(1).copied();
            }
        });
        assert!(warm == 0 || k < 600, "answer {k}, seed 7: {warm}");
        query.from = next.unwrap_or(query.from);
    }
    assert!(known > 600, "{known} of 2000 answers needed no search");
}

/// The memory suits the largest grid, not the last one.
#[test]
fn a_smaller_grid_frees_no_memory() {
    let open = |side| CostGrid::open(Size::new(side, side)).unwrap();
    let (large, small) = (open(100), open(40));
    let mut planner = Planner::new();
    let across = |side| RouteQuery::new(Cell::new(0, 0), Cell::new(side - 1, side - 1));
    planner.plan(&large, &across(100)).unwrap();
    let count = allocations(|| {
        planner.plan(&small, &across(40)).unwrap();
        planner.plan(&large, &across(100)).unwrap();
    });
    assert_eq!(count, 0);
}

/// Limits, partial routes, several goals, avoided cells and canonical ties, between edits.
#[test]
fn queries_of_all_kinds_allocate_nothing() {
    let mut rng = Rng::with_seed(3);
    let mut grid = CostGrid::from_fn(SIZE, Diagonal::GAME, |_| any_cost(&mut rng)).unwrap();
    let (mut planner, mut field) = (Planner::new(), Field::new());
    for k in 0..3000 {
        grid.set(any_cell(&mut rng), any_cost(&mut rng));
        let mut query = any_query(&mut rng);
        query.options.ties = rng.choice(Ties::NAMES).unwrap().1;
        query.limits.max_cost = rng.bool().then(|| RouteCost::from_units(rng.u64(..1 << 24)));
        query.limits.max_expansions = rng.bool().then(|| rng.u64(..500));
        (query.partial, query.leaves_blocked) = (rng.bool(), rng.bool());
        let cells: [_; 12] = std::array::from_fn(|_| any_cell(&mut rng));
        let multi = MultiQuery::new(&cells[..3], &cells[3..6]).with_avoided(&cells[6..]);
        let multi = multi.with_options(query.options).with_limits(query.limits);
        let which = rng.u8(..3);
        let warm = allocations(|| match which {
            0 => drop(planner.plan(&grid, &query).map(|result| result.found())),
            1 => drop(planner.plan_multi(&grid, &multi).map(|result| result.found())),
            _ => drop(field.update(&grid, &FieldQuery::routes_to(&cells))),
        });
        assert!(warm == 0 || k < 2000, "query {k} after the open lists have grown, seed 3: {warm}");
    }
}

/// Cells are closed and get other costs, half of them again and again.
#[test]
fn warm_planners_that_know_what_is_coming_allocate_nothing() {
    let mut rng = Rng::with_seed(12);
    let tiles = |tiles| RouteCost::from_tiles(tiles).unwrap();
    let mut outlook = Outlook::new(CostGrid::from_fn(SIZE, Diagonal::GAME, |_| any_cost(&mut rng)).unwrap());
    outlook.edit(|forecast| {
        for _ in 0..300 {
            let period = if rng.bool() { tiles(100.0) } else { RouteCost::ZERO };
            let [from, lasts] = [100.0, 30.0].map(|most| tiles(rng.f64() * most));
            forecast.close_every(period, any_cell(&mut rng), from..from + lasts);
            forecast.change_every(period, any_cell(&mut rng), from, any_cost(&mut rng));
        }
    });
    let queries: Vec<_> = (0..60).map(|_| any_query(&mut rng).with_max_cost(tiles(400.0))).collect();
    let (mut planner, mut waits) = (Planner::new(), 0);
    let mut ask = || {
        for query in &queries {
            let result = planner.plan_ahead(&outlook, query, RouteCost::ZERO);
            waits += result.map_or(0, |result| u32::from(result.waits() > RouteCost::ZERO));
        }
    };
    assert!(allocations(&mut ask) > 0, "the first queries allocate");
    assert_eq!(allocations(&mut ask), 0);
    assert!(waits > 0, "some routes wait");
}
