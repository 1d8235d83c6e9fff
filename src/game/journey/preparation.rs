//! The tables that make long ways quick to find are made beside the game, and taken over when they are ready.

use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};

use crate::path::{Algorithm, Planner};

use crate::game::AppSystems;
use crate::game::journey::planning::{Planning, Search};
use crate::game::world::open_map::Land;

/// Maps of fewer cells are searched as fast without.
const FEWEST_CELLS: usize = 64 * 64;

/// The preparation that goes on.
#[derive(Resource, Default)]
struct Preparation {
    task: Option<Task<Planner>>,
    /// The cost grid that it is for, or the last one was, by id and version.
    grid: (u64, u64),
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Preparation>().add_systems(
        Update,
        (
            take_over.in_set(AppSystems::Listen).run_if(goes_on),
            // After the plan, which must not wait.
            begin.in_set(AppSystems::Show),
        ),
    );
}

fn goes_on(preparation: Res<Preparation>) -> bool {
    preparation.task.is_some()
}

/// Plans with the prepared planner, if the map is still the same. What has changed on it since, the planner sees by itself.
fn take_over(land: Res<Land>, mut preparation: ResMut<Preparation>, mut search: ResMut<Search>) {
    let Some(planner) = preparation.task.as_mut().and_then(check_ready) else { return };
    preparation.task = None;
    let old = if preparation.grid.0 == land.map().costs().id() { search.replace(planner) } else { planner };
    // To give much memory back takes longer than there is in a frame.
    AsyncComputeTaskPool::get().spawn(async move { drop(old) }).detach();
}

/// Prepares a planner for the map as it is now. The tables of one that changed while they were made are made again.
fn begin(land: Res<Land>, planning: Res<Planning>, mut preparation: ResMut<Preparation>) {
    let (costs, options) = (land.map().costs(), planning.0);
    let grid = (costs.id(), costs.version());
    let worthwhile = options.algorithm == Algorithm::Auto && costs.size().area() >= FEWEST_CELLS;
    if !worthwhile || preparation.task.is_some() || preparation.grid == grid {
        return;
    }
    let snapshot = costs.snapshot();
    let task = AsyncComputeTaskPool::get().spawn(async move {
        let mut planner = Planner::new();
        planner.prepare(&snapshot, &options);
        planner
    });
    *preparation = Preparation { task: Some(task), grid };
}
