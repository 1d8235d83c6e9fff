//! Prepares landmarks and jump points, so that long routes are found quickly, and refreshes them after edits.

use std::ops::ControlFlow;
use std::task::Poll;
use std::time::Duration;

use bevy_ecs::prelude::*;
use emberwalk_jobs::{Instant, Job};
use emberwalk_path::{Algorithm, Options, Planner, Stamp, StepRules};
use tracing::debug;

use super::{BackgroundPlanner, Urgency};
use crate::{NavMap, PlanningOptions};

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
#[derive(Default)]
pub(super) struct Preparation {
    /// Frees, makes or refreshes tables, and returns whether there are more to refresh.
    job: Option<Job<bool>>,
    /// The rules of the current or last preparation.
    rules: Option<StepRules>,
    /// The stamp of the grid for which the job works.
    wanted: Stamp,
    /// The stamp of the grid for which all tables were made or refreshed.
    stamp: Stamp,
}

impl Preparation {
    /// Frees all memory of the planner, and begins again.
    pub(super) fn forgetting<M: NavMap>(planner: &BackgroundPlanner<M>) -> Self {
        let freeing = planner.start(Urgency::ROUTE, "Freeing memory", |planner, _| {
            *planner = Planner::new();
            ControlFlow::Continue(false)
        });
        Self { job: Some(freeing), ..Self::default() }
    }

    /// Records that the job is done. After a panic, the tables stay as they are: it would happen again.
    fn finish(&mut self) {
        let Some(has_more) = self.job.as_ref().and_then(Job::take) else { return };
        self.job = None;
        if has_more != Ok(true) {
            self.stamp = self.wanted;
        }
    }
}

/// Prepares the planner for the current map, if that pays, or refreshes its tables, if that is quick. If the map changes
/// in the meantime, they are refreshed again.
pub(crate) fn prepare<M: NavMap>(
    maps: Query<&M>,
    options: Res<PlanningOptions>,
    planner: Option<ResMut<BackgroundPlanner<M>>>,
) {
    let Some(mut planner) = planner else { return };
    let planner = planner.bypass_change_detection();
    planner.preparation.finish();
    let Ok(map) = maps.single() else { return };
    let Some(costs) = map.planned_costs_of(0) else { return };
    let options = map.options(options.0);
    let rules = Some(options.rules);
    let cells = costs.size().area();
    let preparation = &planner.preparation;
    let is_known = preparation.rules == rules && costs.changes_since(preparation.stamp).is_some();
    let is_done = is_known && (preparation.job.is_some() || preparation.stamp == costs.stamp());
    let is_quick = cells <= MAX_QUICK_CELLS;
    let pays = options.algorithm == Algorithm::Auto
        && cells >= MIN_CELLS
        && (is_quick || planner.expanded_on(costs) >= SEARCHES * cells as u64);
    if is_done || !pays || is_known && !is_quick {
        return;
    }
    let job = if is_known { refresh(map, options, planner) } else { make(map, options, planner) };
    let preparation = &mut planner.preparation;
    if !is_known {
        preparation.stamp = costs.stamp();
    }
    (preparation.job, preparation.rules, preparation.wanted) = (job, rules, costs.stamp());
}

/// Prepares another planner while the one in use answers questions, and then takes it.
fn make<M: NavMap>(map: &M, options: Options, planner: &BackgroundPlanner<M>) -> Option<Job<bool>> {
    let costs = map.shared_planned_costs_of(0)?;
    let mut prepared = Planner::new();
    prepared.set_max_prepared_bytes(MAX_PREPARED_BYTES);
    let mut slices = 0;
    Some(planner.start(Urgency::PREPARATION, "Preparing the planner", move |planner, progress| {
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
    }))
}

/// Refreshes some tables.
fn refresh<M: NavMap>(map: &M, options: Options, planner: &BackgroundPlanner<M>) -> Option<Job<bool>> {
    let costs = map.shared_planned_costs_of(0)?;
    Some(planner.start(Urgency::PREPARATION, "Preparing the planner", move |planner, progress| {
        let begun = Instant::now();
        progress.in_slices(|cells| match planner.advance_refresh(&costs, &options, cells) {
            Poll::Ready(false) => Poll::Ready(false),
            _ if begun.elapsed() > REFRESH_TIME => Poll::Ready(true),
            _ => Poll::Pending,
        })
    }))
}

#[cfg(test)]
mod tests {
    use std::thread;

    use bevy_app::{App, Update};
    use emberwalk_jobs::Jobs;
    use emberwalk_path::EntryCost;
    use emberwalk_path::grid::{Cell, Size};

    use super::*;
    use crate::NavGrid;

    /// Updates until the tables belong to the current map.
    fn finish(app: &mut App) {
        let begun = Instant::now();
        loop {
            app.update();
            let world = app.world_mut();
            let stamp = world.query::<&NavGrid>().single(world).unwrap().costs().stamp();
            let preparation = &world.resource::<BackgroundPlanner<NavGrid>>().preparation;
            if preparation.job.is_none() && preparation.stamp == stamp {
                return;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "the tables are not finished");
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Whether a table of the planner in use has looser bounds because cells became cheaper. Refreshes one of these.
    fn renew_one(app: &mut App) -> bool {
        let world = app.world_mut();
        let costs = world.query::<&NavGrid>().single(world).unwrap().shared_costs_of(0).unwrap();
        let planner = world.resource::<BackgroundPlanner<NavGrid>>();
        let job = planner.start(Urgency::ROUTE, "Testing", move |planner, _| {
            assert!(planner.prepared_bytes() > 0);
            ControlFlow::Continue(planner.refresh(&costs, &Options::default()))
        });
        job.wait(Duration::MAX).expect("it ends").expect("it does not panic")
    }

    #[test]
    fn tables_are_made_and_renewed_when_cells_become_cheaper() {
        let mut app = App::new();
        app.init_resource::<PlanningOptions>()
            .insert_resource(BackgroundPlanner::<NavGrid>::new(Jobs::default()))
            .add_systems(Update, prepare::<NavGrid>);
        let swamp = EntryCost::from_tiles(3.0).unwrap();
        let grid = app.world_mut().spawn(NavGrid::from_fn(Size::new(70, 70), |_| Some(swamp)).unwrap()).id();
        app.world_mut().resource_mut::<BackgroundPlanner<NavGrid>>().forget();
        finish(&mut app);
        assert!(!renew_one(&mut app));

        let edit = |app: &mut App, row: i32| {
            let mut grid = app.world_mut().get_mut::<NavGrid>(grid).unwrap();
            for column in 0..70 {
                grid.set(Cell::new(column, row), Some(EntryCost::TILE));
            }
        };
        edit(&mut app, 3);
        assert!(renew_one(&mut app));
        finish(&mut app);
        assert!(!renew_one(&mut app), "all are renewed");
    }
}
