//! Prepares landmarks and jump points, so that long routes are found quickly, and refreshes them after edits.

use std::ops::ControlFlow;
use std::task::Poll;
use std::time::Duration;

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::world::open_map::{MapOpened, OpenMap};
use emberwalk_jobs::Job;
use emberwalk_map::clock::Instant;
use emberwalk_path::{Algorithm, Options, Planner, Stamp, StepRules};

use super::shared_planner::{PlanningOptions, SharedPlanner, Urgency};

/// The minimum number of cells at which preparation makes searches faster.
const MIN_CELLS: usize = 64 * 64;

/// Up to this number of cells, a table takes no more than a tenth of a second. The preparation of larger maps takes
/// many seconds.
const MAX_QUICK_CELLS: usize = 1280 * 1280;

/// The preparation of a larger map starts when searches have expanded this many times the number of its cells.
const SEARCHES: u64 = 2;

/// The factor by which a slice of a preparation processes more cells than a slice of a search, because each cell takes
/// less time.
const PREPARED_CELLS: u64 = 8;

/// The maximum memory of the tables. All of them take 82 bytes per cell on flat maps, and about 90 on hills.
const MAX_PREPARED_BYTES: usize = 256 << 20;

/// For how long tables are refreshed before the map is checked again. An edit meanwhile has to copy the cost grid.
const REFRESH_TIME: Duration = Duration::from_millis(10);

/// The state of the preparation.
#[derive(Resource, Default)]
struct Preparation {
    /// Frees, makes or refreshes tables, and returns whether there are more to refresh.
    job: Option<Job<bool>>,
    /// The rules of the current or last preparation.
    rules: Option<StepRules>,
    /// The stamp of the grid for which the job works.
    wanted: Stamp,
    /// The stamp of the grid for which all tables were made or refreshed.
    stamp: Stamp,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Preparation>().add_observer(forget_map).add_systems(
        Update,
        (
            finish.in_set(AppSystems::Listen),
            // After the planning of this frame, which must not be delayed.
            start.in_set(AppSystems::Show),
        ),
    );
}

/// Drops the tables of the previous map, and the memory of its searches.
fn forget_map(_: On<MapOpened>, planner: Res<SharedPlanner>, mut preparation: ResMut<Preparation>) {
    let freeing = planner.start(Urgency::Route, "Freeing memory", |planner, _| {
        *planner = Planner::new();
        ControlFlow::Continue(false)
    });
    *preparation = Preparation { job: Some(freeing), ..default() };
}

/// Records that the job is done. After a panic, the tables stay as they are: it would happen again.
fn finish(mut preparation: ResMut<Preparation>) {
    let Some(has_more) = preparation.job.as_ref().and_then(Job::take) else { return };
    preparation.job = None;
    if has_more != Ok(true) {
        preparation.stamp = preparation.wanted;
    }
}

/// Prepares the planner for the current map, if that pays, or refreshes its tables, if that is quick. If the map changes
/// in the meantime, they are refreshed again.
fn start(
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    planner: Res<SharedPlanner>,
    mut preparation: ResMut<Preparation>,
) {
    let options = options.0;
    let rules = Some(options.rules);
    let costs = map.costs();
    let cells = costs.size().area();
    let is_known = preparation.rules == rules && costs.changes_since(preparation.stamp).is_some();
    let is_done = is_known && (preparation.job.is_some() || preparation.stamp == costs.stamp());
    let is_quick = cells <= MAX_QUICK_CELLS;
    let pays = options.algorithm == Algorithm::Auto
        && cells >= MIN_CELLS
        && (is_quick || planner.expanded_on(costs) >= SEARCHES * cells as u64);
    if is_done || !pays {
        return;
    }
    let job = if !is_known {
        preparation.stamp = costs.stamp();
        prepare(&map, options, &planner)
    } else if is_quick {
        refresh(&map, options, &planner)
    } else {
        return;
    };
    preparation.job = Some(job);
    preparation.rules = rules;
    preparation.wanted = costs.stamp();
}

/// Prepares another planner while the one in use answers questions, and then takes it.
fn prepare(map: &OpenMap, options: Options, planner: &SharedPlanner) -> Job<bool> {
    let costs = map.shared_costs();
    let mut prepared = Planner::new();
    prepared.set_max_prepared_bytes(MAX_PREPARED_BYTES);
    let mut slices = 0;
    planner.start(Urgency::Preparation, "Preparing the planner", move |planner, progress| {
        if slices == 0 {
            // Tables of another grid, or outdated ones. They are freed before the new ones are computed.
            planner.forget_prepared();
        }
        slices += 1;
        progress.in_slices(|cells| {
            let advanced = prepared.advance_preparation(&costs, &options, PREPARED_CELLS * cells);
            if let Some((done, all)) = prepared.preparation_progress() {
                progress.report(done as f32 / all as f32);
            }
            advanced
        })?;
        debug!(bytes = prepared.prepared_bytes(), slices, "tables made");
        *planner = std::mem::take(&mut prepared);
        ControlFlow::Continue(false)
    })
}

/// Refreshes some tables.
fn refresh(map: &OpenMap, options: Options, planner: &SharedPlanner) -> Job<bool> {
    let costs = map.shared_costs();
    planner.start(Urgency::Preparation, "Preparing the planner", move |planner, progress| {
        let begun = Instant::now();
        progress.in_slices(|cells| match planner.advance_refresh(&costs, &options, cells) {
            Poll::Ready(false) => Poll::Ready(false),
            _ if begun.elapsed() > REFRESH_TIME => Poll::Ready(true),
            _ => Poll::Pending,
        })
    })
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::game::world::loader::MapVersion;
    use emberwalk_map::CellEdit;
    use emberwalk_path::grid::Cell;
    use emberwalk_picture::scene::Look;

    /// Updates until the tables belong to the current map.
    fn finish(app: &mut App) {
        let begun = Instant::now();
        loop {
            app.update();
            let world = app.world();
            let preparation = world.resource::<Preparation>();
            let map = world.resource::<OpenMap>();
            if preparation.job.is_none() && preparation.stamp == map.costs().stamp() {
                return;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "the tables are not finished");
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Whether a table of the planner in use has looser bounds because cells became cheaper. Refreshes one of these.
    fn renew_one(app: &mut App) -> bool {
        let costs = app.world().resource::<OpenMap>().shared_costs();
        let planner = app.world().resource::<SharedPlanner>();
        let job = planner.start(Urgency::Route, "Testing", move |planner, _| {
            assert!(planner.prepared_bytes() > 0);
            ControlFlow::Continue(planner.refresh(&costs, &Options::default()))
        });
        job.wait(Duration::MAX).expect("it ends").expect("it does not panic")
    }

    #[test]
    fn tables_are_made_and_renewed_when_cells_become_cheaper() {
        let mut app = App::new();
        app.init_resource::<PlanningOptions>()
            .init_resource::<SharedPlanner>()
            .configure_sets(Update, (AppSystems::Listen, AppSystems::Show).chain())
            .add_plugins(plugin);
        MapVersion::with_ground('S', (70, 70)).insert(&mut app, Look::Plain);
        app.world_mut().trigger(MapOpened);
        finish(&mut app);
        assert!(!renew_one(&mut app));

        let grass = app.world().resource::<OpenMap>().tileset().find('G').unwrap();
        let edit = |app: &mut App, row: i32| {
            let edits: Vec<_> = (0..70).map(|column| CellEdit::base(Cell::new(column, row), grass)).collect();
            app.world_mut().resource_mut::<OpenMap>().edit(&edits).unwrap();
        };
        edit(&mut app, 3);
        assert!(renew_one(&mut app));
        finish(&mut app);
        assert!(!renew_one(&mut app), "all are renewed");
    }
}
