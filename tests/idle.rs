//! A frame in which nothing changes allocates nothing.

#![expect(unsafe_code, reason = "allocators are unsafe")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use bevy::ecs::schedule::SingleThreadedExecutor;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;

use emberwalk::game::action::Action;
use emberwalk::game::journey::planning::SharedPlanner;
use emberwalk::game::rules;
use emberwalk::game::world::loader::MapVersion;
use emberwalk_map::Map;
use emberwalk_map::terrain::Tileset;
use emberwalk_path::grid;
use emberwalk_picture::scene::Look;
use emberwalk_picture::tiles::TileImages;

/// The system's allocator, which counts allocations.
struct Counting;

thread_local! {
    /// The number of allocations of this thread, on which all systems run. Allocations of the engine's idle threads do
    /// not count.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is passed on unchanged, and counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that is ending has no counter any more.
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller upholds the contract of `alloc`, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the contract of `dealloc`, and `memory` came from `System`.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The number of allocations in this number of frames.
fn allocations(app: &mut App, frames: u32) -> u64 {
    let before = ALLOCATIONS.get();
    (0..frames).for_each(|_| app.update());
    ALLOCATIONS.get() - before
}

/// An app on one thread, whose clock is moved by hand.
fn app(plugin: impl FnOnce(&mut App)) -> App {
    let mut app = App::new();
    app.add_plugins(MinimalPlugins).insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(10)));
    plugin(&mut app);
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    app
}

// There is only one test, because tests that run at the same time would be counted too.
#[test]
fn waiting_and_walking_allocate_nothing_and_planning_again_only_a_job() {
    const FRAMES: u32 = 100;
    /// The maximum for a job and its thread. The size of the map makes no difference.
    const ALLOCATIONS_OF_A_JOB: u64 = 16;
    /// The steps of the route, which are recorded, and its cells, along which the traveller walks.
    const ALLOCATIONS_OF_AN_ORDER: u64 = 2;
    let mut empty = app(|_| {});
    allocations(&mut empty, FRAMES);
    let engine = allocations(&mut empty, FRAMES);

    let tileset = Arc::new(Tileset::load(None).unwrap_or_else(|errors| panic!("{errors}")));
    let tiles = TileImages::load(&tileset, None).unwrap_or_else(|errors| panic!("{errors}"));
    let map = Map::open("valley".as_ref(), &tileset).unwrap_or_else(|errors| panic!("{errors}"));
    let mut game = app(|app| {
        MapVersion::of_map(map, tiles.into()).insert(app, Look::Full);
        app.add_plugins(rules);
        // No frame is left without its route because the machine is busy.
        app.world_mut().resource_mut::<SharedPlanner>().patience = Duration::from_secs(60);
    });
    allocations(&mut game, FRAMES);
    assert_eq!(allocations(&mut game, FRAMES), engine, "waiting");

    game.world_mut().write_message(Action::GoToCastle);
    // The first requests for the next frame allocate the two buffers of such messages.
    allocations(&mut game, 2);
    assert_eq!(allocations(&mut game, FRAMES), engine, "walking");

    // The first searches allocate memory, which later ones reuse.
    for _ in 0..2 {
        for cell in [grid::Cell::new(2, 10), grid::Cell::new(18, 10)] {
            game.world_mut().write_message(Action::Go(cell));
            allocations(&mut game, 1);
        }
    }
    for cell in [grid::Cell::new(2, 10), grid::Cell::new(18, 10)] {
        game.world_mut().write_message(Action::Go(cell));
        let planning = allocations(&mut game, 1) - engine / u64::from(FRAMES);
        assert!(planning <= ALLOCATIONS_OF_A_JOB + ALLOCATIONS_OF_AN_ORDER, "{planning} allocations");
    }
}
