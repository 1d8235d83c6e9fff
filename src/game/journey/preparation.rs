//! Prepares landmarks and jump points, which make long routes quick to find, in the background, and renews them after
//! edits.

use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;

use crate::game::app_systems::AppSystems;
use crate::game::frames::background::Background;
use crate::game::frames::wake::Waker;
use crate::game::world::open_map::OpenMap;
use crate::path::{Algorithm, Planner};

use super::shared_planner::{PlanningOptions, SharedPlanner, receive_answer};

/// The minimum number of cells at which preparation makes searches faster.
const MIN_CELLS: usize = 64 * 64;

/// The preparation in the background.
#[derive(Resource, Default)]
struct Preparation {
    task: Option<Background<Prepared>>,
    /// The ID and version of the cost grid of the current or last preparation.
    grid: (u64, u64),
    /// A prepared planner for this grid that is not in use. It is renewed in the background while the other one answers
    /// queries, then they are swapped.
    spare: Option<Planner>,
}

/// The result of a preparation.
struct Prepared {
    planner: Planner,
    /// A copy of it, if there was no spare planner.
    spare: Option<Planner>,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Preparation>().add_systems(
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

/// Uses the prepared planner from now on, if the same map is still open and the other planner is not searching. The
/// planner finds later edits by itself.
fn use_prepared_planner(map: Res<OpenMap>, mut preparation: ResMut<Preparation>, mut shared: ResMut<SharedPlanner>) {
    let Some(current) = shared.planner_mut() else { return };
    let Some(Prepared { planner, spare }) = preparation.task.as_ref().and_then(Background::take) else { return };
    preparation.task = None;
    if preparation.grid.0 != map.costs().id() {
        drop_in_background((planner, spare));
        return;
    }
    let before = std::mem::replace(current, planner);
    if spare.is_some() {
        preparation.spare = spare;
        drop_in_background(before);
    } else {
        preparation.spare = Some(before);
    }
}

/// Drops a value on another thread, because freeing much memory would make a frame late.
fn drop_in_background(value: impl Send + 'static) {
    AsyncComputeTaskPool::get().spawn(async move { drop(value) }).detach();
}

/// Prepares a planner for the current map, or renews the spare one. If the map changes in the meantime, another
/// preparation follows.
fn start_preparation(
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    waker: Res<Waker>,
    mut preparation: ResMut<Preparation>,
) {
    let (costs, options) = (map.costs(), options.0);
    let grid = (costs.id(), costs.version());
    let worthwhile = options.algorithm == Algorithm::Auto && costs.size().area() >= MIN_CELLS;
    if !worthwhile || preparation.task.is_some() || preparation.grid == grid {
        return;
    }
    let spare = preparation.spare.take();
    let known = preparation.grid.0 == grid.0;
    let snapshot = map.shared_costs();
    let task = Background::compute(&waker, move || {
        if let Some(mut planner) = spare.filter(|_| known) {
            // This does nothing unless more has changed than the grid remembers.
            planner.prepare(&snapshot, &options);
            while planner.renew(&snapshot, &options) {}
            return Prepared { planner, spare: None };
        }
        let mut planner = Planner::new();
        planner.prepare(&snapshot, &options);
        Prepared { spare: Some(planner.clone()), planner }
    });
    preparation.task = Some(task);
    preparation.grid = grid;
}
