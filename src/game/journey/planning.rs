//! Planning in the window: one planner in the background answers the most urgent question first.
//!
//! Travellers and the preview ask for routes, with [`Planning::follow`]. Other plugins start a job on the planner.

use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::game::app_systems::{AppSystems, PassTime};
use crate::game::jobs::Jobs;
use crate::game::world::open_map::{MapOpened, OpenMap};
use emberwalk_jobs::planner::{AskedRoute, BackgroundPlanner};
use emberwalk_path::grid::Cell;
use emberwalk_path::{Options, RouteQuery};
use emberwalk_world::Coming;

pub use emberwalk_jobs::planner::{FoundRoute, GridQuery, Reach};

/// The planner of the open map.
#[derive(Resource, Deref, DerefMut)]
pub struct SharedPlanner(BackgroundPlanner);

/// How the routes of the player's traveller are planned: the algorithm, and the rules for steps.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct PlanningOptions(pub Options);

/// How urgent questions to the planner are, the most urgent first. More urgent ones interrupt the others.
#[derive(Clone, Copy, Debug)]
pub(in crate::game) enum Urgency {
    /// The route of a traveller.
    Route,
    /// The same route again, because time has passed.
    Refresh,
    LowestCost,
    Recording,
    Preview,
    CellsToOpen,
    CostsToGoal,
    Detour,
    Comparison,
}

/// The known future, if travellers with these options take it into account: an algorithm that does not promise a
/// cheapest route does not look ahead either.
pub(in crate::game) fn coming(map: &OpenMap, options: Options) -> Option<Coming> {
    map.world().coming().filter(|_| options.optimal())
}

/// The parameters of a system that plans routes on the open map.
#[derive(SystemParam)]
pub(in crate::game) struct Planning<'w> {
    pub map: Res<'w, OpenMap>,
    options: Res<'w, PlanningOptions>,
    pub(super) jobs: Res<'w, Jobs>,
    pub(super) planner: ResMut<'w, SharedPlanner>,
}

impl Planning<'_> {
    /// The options with which travellers plan.
    pub fn options(&self) -> Options {
        self.options.0
    }

    /// The query for the route that a traveller takes from one cell to another.
    pub fn query(&self, from: Cell, to: Cell) -> GridQuery {
        GridQuery::new(self.map.costs(), RouteQuery::new(from, to).with_options(self.options()))
    }

    /// Asks for a route, see [`BackgroundPlanner::follow`].
    pub fn follow(&mut self, asked: &mut AskedRoute, urgency: Urgency, wanted: Option<GridQuery>) -> bool {
        let patience = self.patience(urgency);
        self.planner.follow(asked, &self.map.shared_costs(), urgency as u8, wanted, patience)
    }

    /// How long the first frame of a query waits for the answer. If there is something to show meanwhile, it waits no
    /// longer than for other jobs.
    pub(super) fn patience(&self, urgency: Urgency) -> Duration {
        let patience = self.planner.patience;
        match urgency {
            Urgency::Refresh | Urgency::Preview => patience.min(self.jobs.patience),
            _ => patience,
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    let jobs = app.world_mut().get_resource_or_init::<Jobs>().clone();
    app.init_resource::<PlanningOptions>()
        .insert_resource(SharedPlanner(BackgroundPlanner::new((*jobs).clone())))
        .add_systems(Update, prepare.after(PassTime).in_set(AppSystems::Walk))
        .add_observer(forget_map);
}

/// Prepares the planner for the open map, if it pays off. This comes after the routes of this frame, which must not be
/// delayed.
pub(super) fn prepare(map: Res<OpenMap>, options: Res<PlanningOptions>, mut planner: ResMut<SharedPlanner>) {
    planner.prepare(&map.shared_costs(), options.0);
}

/// Drops the tables of the previous map, and the memory of its searches.
fn forget_map(_: On<MapOpened>, mut planner: ResMut<SharedPlanner>) {
    planner.forget();
}
