//! Crowds that have walked for a while allocate nothing. This is a test binary of its own, because its allocator counts for
//! the whole process.

#![expect(unsafe_code, reason = "allocators are unsafe")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell as Counter;

use emberwalk_crowd::{Crowd, CrowdEvent, OnArrival};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};
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

/// Lets agents walk between random goals and blocks and opens these cells, and returns how often each tick allocates.
fn allocations_of_ticks(grid: CostGrid, agents: usize, goals: &[Cell], edited: &[Cell], ticks: usize) -> Vec<u64> {
    let mut rng = Rng::with_seed(9);
    let starts: Vec<_> = grid.size().cells().filter(|&cell| grid.is_passable(cell)).take(agents).collect();
    let mut crowd = Crowd::new(grid, StepRules::default(), Pace::new(CrowdTime::SECOND.divided_by(3)));
    let mut arrived: Vec<_> = starts.iter().map(|&start| crowd.add(start).unwrap()).collect();
    let tick = |_| {
        allocations(|| {
            for &agent in &arrived {
                crowd.send(agent, *rng.choice(goals).unwrap(), OnArrival::Stay);
            }
            if let Some(&cell) = rng.choice(edited) {
                crowd.set(cell, rng.bool().then_some(EntryCost::TILE));
            }
            arrived.clear();
            let events = crowd.advance(CrowdTime::SECOND.divided_by(20)).iter();
            arrived.extend(events.filter_map(|event| match event {
                CrowdEvent::Arrived { agent, .. } => Some(*agent),
                _ => None,
            }));
        })
    };
    (0..ticks).map(tick).collect()
}

/// Agents go back and forth through passages, one of them with recesses, where they have to push each other and to
/// change places, while walls are built and opened.
#[test]
fn warm_crowds_allocate_nothing() {
    let is_passable = |cell: Cell| {
        let is_in_room = cell.x < 25 || cell.x >= 35;
        is_in_room || [4, 5, 13].contains(&cell.y) || cell.x % 4 == 0 && cell.y == 12
    };
    let cost = |cell| is_passable(cell).then_some(EntryCost::TILE);
    let grid = CostGrid::from_fn(Size::new(60, 20), Diagonal::GAME, cost).unwrap();
    let goals: [_; 50] = std::array::from_fn(|k| Cell::new([5, 50][k % 2] + k as i32 % 5, k as i32 % 20));
    let edited = [(24, 4), (24, 13), (35, 13), (12, 10)].map(Cell::from);
    // Memory grows until tick 35,784: the crowd allocates where there is more to do than ever before.
    let counts = allocations_of_ticks(grid, 300, &goals, &edited, 46_000);
    let warm: u64 = counts[37_000..].iter().sum();
    assert!(counts[0] > 0, "the first tick allocates");
    assert_eq!(warm, 0, "last in tick {:?}", counts.iter().rposition(|&count| count > 0));
}

/// On a large map, where agents follow routes of their own, only a route that is longer than all before allocates.
#[test]
fn own_routes_hardly_allocate() {
    let cost = |cell: Cell| (cell.x % 20 != 10 || cell.y % 7 < 3).then_some(EntryCost::TILE);
    let grid = CostGrid::from_fn(Size::new(120, 100), Diagonal::GAME, cost).unwrap();
    let goals: [_; 50] = std::array::from_fn(|k| Cell::new(k as i32 * 37 % 19 + k as i32 % 5 * 20 + 1, k as i32 * 2));
    let goals = goals.map(|goal| if goal.x % 20 == 10 { goal + (1, 0) } else { goal });
    let counts = allocations_of_ticks(grid, 100, &goals, &[(10, 1), (50, 8), (70, 2)].map(Cell::from), 12_000);
    let warm: u64 = counts[8_000..].iter().sum();
    assert!(warm < 40, "{warm}");
}

/// Where jams are frequent, only a search that is larger than all before allocates.
#[test]
fn jams_hardly_allocate() {
    let cost = |cell: Cell| (cell.y % 2 == 0 || cell.x % 8 == 3).then_some(EntryCost::TILE);
    let grid = CostGrid::from_fn(Size::new(16, 9), Diagonal::GAME, cost).unwrap();
    let goals: [_; 16] = std::array::from_fn(|k| Cell::new(k as i32, k as i32 % 5 * 2));
    // The largest search is in one of the ticks from 15,000 to 20,000.
    let counts = allocations_of_ticks(grid, 45, &goals, &[], 30_000);
    let warm: u64 = counts[20_000..].iter().sum();
    assert!(warm < 100, "{warm}");
}
