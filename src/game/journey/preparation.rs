//! Prepares landmarks and jump points, which make long routes quick to find, in the background, and renews them after
//! edits.

use std::ops::ControlFlow;
use std::time::Duration;

use bevy::prelude::*;

use crate::clock::Instant;
use crate::game::app_systems::AppSystems;
use crate::game::frames::background::Background;
use crate::game::frames::wake::Waker;
use crate::game::frames::work::in_slices;
use crate::game::world::open_map::{MapOpened, OpenMap};
use crate::path::{Algorithm, Options, Planner, Stamp, StepRules};

use super::memory_limit::max_prepared_bytes;
use super::shared_planner::{PlanningOptions, SharedPlanner, receive_answer};

/// The minimum number of cells at which preparation makes searches faster.
const MIN_CELLS: usize = 64 * 64;

/// Up to this number of cells, a table takes no more than a tenth of a second. The preparation of larger maps takes
/// many seconds.
const MAX_QUICK_CELLS: usize = 1280 * 1280;

/// The preparation of a larger map starts when searches have expanded this many times all cells.
const SEARCHES: u64 = 2;

/// For how long tables are renewed before the planner is given back, so that it can answer queries in between.
const RENEWAL_TIME: Duration = Duration::from_millis(10);

/// The preparation in the background.
#[derive(Resource, Default)]
struct Preparation {
    task: Option<Task>,
    /// The rules of the current or last preparation.
    rules: Option<StepRules>,
    /// The stamp of the grid for which all tables were made or renewed.
    stamp: Stamp,
}

/// Work on tables that goes on.
enum Task {
    /// Another planner is prepared while the one in use answers queries.
    Preparing(Background<Planner>),
    /// Tables of the planner in use are renewed. The result is whether there are more.
    Renewing { have_more: Background<bool>, stamp: Stamp },
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Preparation>().add_observer(forget_map).add_systems(
        Update,
        (
            finish_task.after(receive_answer).in_set(AppSystems::Listen).run_if(is_working),
            // After the planning of this frame, which must not be delayed.
            start_task.in_set(AppSystems::Show),
        ),
    );
}

fn is_working(preparation: Res<Preparation>) -> bool {
    preparation.task.is_some()
}

/// Gives up what is prepared for the map before, and the memory of its searches.
fn forget_map(_: On<MapOpened>, mut preparation: ResMut<Preparation>, mut shared: ResMut<SharedPlanner>) {
    let planner = shared.planner_mut().map(std::mem::take);
    drop_in_background((planner, std::mem::take(&mut *preparation)));
}

/// Uses the prepared planner from now on, if the other planner is not searching. The planner finds later edits by
/// itself.
fn finish_task(mut preparation: ResMut<Preparation>, mut shared: ResMut<SharedPlanner>) {
    match &preparation.task {
        Some(Task::Preparing(prepared)) => {
            let Some(current) = shared.planner_mut() else { return };
            let Some(planner) = prepared.take() else { return };
            drop_in_background(std::mem::replace(current, planner));
        }
        Some(Task::Renewing { have_more, stamp }) => match have_more.take() {
            None => return,
            Some(true) => {}
            Some(false) => preparation.stamp = *stamp,
        },
        None => return,
    }
    preparation.task = None;
}

/// Drops a value on another thread, because freeing much memory would make a frame late.
fn drop_in_background(value: impl Send + 'static) {
    drop(Background::compute(&Waker::default(), move || drop(value)));
}

/// Prepares a planner for the current map, if that pays, or renews the tables of the one in use, if that is quick. If
/// the map changes in the meantime, they are renewed again.
fn start_task(
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    waker: Res<Waker>,
    mut preparation: ResMut<Preparation>,
    mut shared: ResMut<SharedPlanner>,
) {
    let (costs, options) = (map.costs(), options.0);
    let (cells, rules) = (costs.size().area(), Some(options.rules()));
    let is_known = preparation.rules == rules && costs.changes_since(preparation.stamp).is_some();
    let is_done = is_known && (preparation.task.is_some() || preparation.stamp == costs.stamp());
    let is_quick = cells <= MAX_QUICK_CELLS;
    let pays = options.algorithm == Algorithm::Auto
        && cells >= MIN_CELLS
        && (is_quick || shared.expanded_on(costs) >= SEARCHES * cells as u64);
    if is_done || !pays {
        return;
    }
    preparation.task = if is_known {
        is_quick.then(|| renew(&map, options, &waker, &mut shared)).flatten()
    } else {
        if let Some(planner) = shared.planner_mut() {
            // Tables of another grid, or of too long ago. They are freed before the new ones are made.
            planner.forget_prepared();
        }
        (preparation.rules, preparation.stamp) = (rules, costs.stamp());
        Some(prepare(&map, options, &waker))
    };
}

/// Prepares a planner.
fn prepare(map: &OpenMap, options: Options, waker: &Waker) -> Task {
    let costs = map.shared_costs();
    let mut planner = Planner::new();
    planner.set_max_prepared_bytes(max_prepared_bytes(costs.size().area()));
    let mut parts = 0;
    Task::Preparing(Background::compute_with_pauses(waker, move |go_on| {
        parts += 1;
        in_slices(go_on, |cells| planner.advance_preparation(&costs, &options, 8 * cells).then_some(()))?;
        debug!(bytes = planner.prepared_bytes(), parts, "tables made");
        ControlFlow::Continue(std::mem::take(&mut planner))
    }))
}

/// Renews some tables of the planner in use; `None` while it is searching or lent.
fn renew(map: &OpenMap, options: Options, waker: &Waker, shared: &mut SharedPlanner) -> Option<Task> {
    let mut loan = shared.lend(waker)?;
    let (costs, stamp) = (map.shared_costs(), map.costs().stamp());
    let have_more = Background::compute(waker, move || {
        let begun = Instant::now();
        let go_on = || match begun.elapsed() < RENEWAL_TIME {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        loop {
            match in_slices(&go_on, |cells| loan.planner().advance_refresh(&costs, &options, cells)) {
                ControlFlow::Continue(true) => {}
                ControlFlow::Continue(false) => return false,
                ControlFlow::Break(()) => return true,
            }
        }
    });
    Some(Task::Renewing { have_more, stamp })
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::game::world::map_to_open::MapToOpen;
    use crate::grid::Cell;
    use crate::map::CellEdit;

    /// Updates until the tables are those of the map as it is now.
    fn finish(app: &mut App) {
        let begun = Instant::now();
        loop {
            app.update();
            let world = app.world();
            let (preparation, map) = (world.resource::<Preparation>(), world.resource::<OpenMap>());
            if preparation.task.is_none() && preparation.stamp == map.costs().stamp() {
                return;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "the tables are not finished");
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Whether a table of the planner in use has looser bounds because cells became cheaper. Renews one of these.
    fn renew_one(app: &mut App) -> bool {
        let costs = app.world().resource::<OpenMap>().shared_costs();
        let mut shared = app.world_mut().resource_mut::<SharedPlanner>();
        let planner = shared.planner_mut().expect("nobody searches");
        assert!(planner.prepared_bytes() > 0);
        planner.refresh(&costs, &Options::default())
    }

    #[test]
    fn tables_are_made_and_renewed_when_cells_become_cheaper() {
        let mut app = App::new();
        app.init_resource::<PlanningOptions>()
            .init_resource::<SharedPlanner>()
            .insert_resource(Waker::default())
            .add_systems(Update, receive_answer.in_set(AppSystems::Listen))
            .configure_sets(Update, (AppSystems::Listen, AppSystems::Show).chain())
            .add_plugins(plugin);
        MapToOpen::with_ground('S', (70, 70)).insert(&mut app);
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
