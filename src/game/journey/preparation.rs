//! Prepares landmarks and jump points, which make long routes quick to find, in the background, and renews them after
//! edits.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::frames::background::Background;
use crate::game::frames::wake::Waker;
use crate::game::world::open_map::{MapOpened, OpenMap};
use crate::path::{Algorithm, Planner};

use super::memory_limit::max_prepared_bytes;
use super::shared_planner::{PlanningOptions, SharedPlanner, receive_answer};

/// The minimum number of cells at which preparation makes searches faster.
const MIN_CELLS: usize = 64 * 64;

/// What the finest tables take for each cell, in bytes, see [`Planner::set_max_prepared_bytes`].
const BYTES_PER_CELL: usize = 82;

/// On a map so large that there is no room for two planners, the preparation takes minutes. It starts when searches have
/// expanded this many times all cells.
const SEARCHES: u64 = 2;

/// The preparation in the background.
#[derive(Resource, Default)]
struct Preparation {
    task: Option<Task>,
    /// The ID and version of the cost grid of the current or last preparation.
    grid: (u64, u64),
    /// A prepared planner for this grid that is not in use. It is renewed in the background while the other one answers
    /// queries, then they are swapped. There is none if there is no room for two.
    spare: Option<Planner>,
    has_room_for_two: bool,
}

/// A preparation that goes on.
struct Task {
    prepared: Background<Option<Prepared>>,
    is_cancelled: Arc<AtomicBool>,
}

impl Drop for Task {
    fn drop(&mut self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }
}

/// The result of a preparation.
struct Prepared {
    planner: Planner,
    /// A copy of it, if there was no spare planner but room for one.
    spare: Option<Planner>,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Preparation>().add_observer(forget_map).add_systems(
        Update,
        (
            use_prepared_planner.after(receive_answer).in_set(AppSystems::Listen).run_if(is_preparing),
            // After the planning of this frame, which must not be delayed.
            start_preparation.in_set(AppSystems::Show),
        ),
    );
}

fn is_preparing(preparation: Res<Preparation>) -> bool {
    preparation.task.is_some()
}

/// Gives up what is prepared for the map before, and the memory of its searches.
fn forget_map(_: On<MapOpened>, mut preparation: ResMut<Preparation>, mut shared: ResMut<SharedPlanner>) {
    let planner = shared.planner_mut().map(std::mem::take);
    drop_in_background((planner, std::mem::take(&mut *preparation)));
}

/// Uses the prepared planner from now on, if the other planner is not searching. The planner finds later edits by itself.
fn use_prepared_planner(mut preparation: ResMut<Preparation>, mut shared: ResMut<SharedPlanner>) {
    let Some(current) = shared.planner_mut() else { return };
    let Some(done) = preparation.task.as_ref().and_then(|task| task.prepared.take()) else { return };
    preparation.task = None;
    let Some(Prepared { planner, spare }) = done else { return };
    let before = std::mem::replace(current, planner);
    match spare {
        Some(spare) => {
            preparation.spare = Some(spare);
            drop_in_background(before);
        }
        None if preparation.has_room_for_two => preparation.spare = Some(before),
        None => drop_in_background(before),
    }
}

/// Drops a value on another thread, because freeing much memory would make a frame late.
fn drop_in_background(value: impl Send + 'static) {
    drop(Background::compute(&Waker::default(), move || drop(value)));
}

/// Prepares a planner for the current map, if that pays, or renews the spare one. If the map changes in the meantime, another
/// preparation follows. Without room for a spare planner, what is prepared is made again only if more has changed than the
/// grid remembers.
fn start_preparation(
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    waker: Res<Waker>,
    mut preparation: ResMut<Preparation>,
    mut shared: ResMut<SharedPlanner>,
) {
    let (costs, options) = (map.costs(), options.0);
    let grid = (costs.id(), costs.version());
    let worthwhile = options.algorithm == Algorithm::Auto && costs.size().area() >= MIN_CELLS;
    let known = preparation.grid.0 == grid.0;
    if !worthwhile || preparation.grid == grid || known && preparation.task.is_some() {
        return;
    }
    let max_bytes = max_prepared_bytes();
    let has_room_for_two = costs.size().area() * BYTES_PER_CELL * 2 <= max_bytes;
    if !has_room_for_two && shared.expanded_on(grid.0) < SEARCHES * costs.size().area() as u64 {
        return;
    }
    if known && !has_room_for_two && costs.changes_since(preparation.grid.1).is_some() {
        return;
    }
    if !has_room_for_two && let Some(planner) = shared.planner_mut() {
        // The old tables are freed before the new ones are made.
        planner.forget_prepared();
    }
    let spare = preparation.spare.take().filter(|_| known);
    let (costs, is_cancelled) = (map.shared_costs(), Arc::new(AtomicBool::new(false)));
    let cancelled = is_cancelled.clone();
    let prepared = Background::compute(&waker, move || {
        if let Some(mut planner) = spare {
            // This does nothing unless more has changed than the grid remembers.
            planner.prepare(&costs, &options);
            while planner.renew(&costs, &options) {}
            return Some(Prepared { planner, spare: None });
        }
        let go_on = |_, _| match cancelled.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let mut planner = Planner::new();
        planner.set_max_prepared_bytes(max_bytes);
        let is_complete = planner.prepare_with_progress(&costs, &options, &go_on).is_continue();
        is_complete.then(|| Prepared { spare: has_room_for_two.then(|| planner.clone()), planner })
    });
    preparation.task = Some(Task { prepared, is_cancelled });
    (preparation.grid, preparation.has_room_for_two) = (grid, has_room_for_two);
}
