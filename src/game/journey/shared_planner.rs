//! The planner of the window. One worker owns it, and answers the most urgent question first.
//!
//! Travellers and the preview ask for routes, with [`Planning::follow`]. Other plugins start a job on the worker, with
//! [`SharedPlanner::start`].

use std::ops::ControlFlow;
use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::game::jobs::Jobs;
use crate::game::world::open_map::OpenMap;
use emberwalk_jobs::Latest;
use emberwalk_jobs::Worker;
use emberwalk_jobs::{Job, Progress};
use emberwalk_path::grid::Cell;
use emberwalk_path::{CostGrid, Options, Planner, RouteQuery, Stamp};

use super::grid_query::GridQuery;
use super::search::{self, RouteAsker};

/// The options of every search in the window.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct PlanningOptions(pub Options);

/// How long a frame may wait for a route. A route that takes longer is planned in the background.
#[derive(Resource, Clone, Copy, Debug)]
pub struct PlanningTime(pub Duration);

impl Default for PlanningTime {
    fn default() -> Self {
        Self(Duration::from_millis(30))
    }
}

/// How urgent questions to the planner are, the most urgent first. More urgent ones interrupt the others.
#[derive(Clone, Copy, Debug)]
pub(in crate::game) enum Urgency {
    /// The route of a traveller.
    Route,
    LowestCost,
    Recording,
    Preview,
    CellsToOpen,
    CostsToGoal,
    Detour,
    Comparison,
    Preparation,
}

/// The planner, with the worker that owns it.
#[derive(Resource)]
pub(in crate::game) struct SharedPlanner {
    worker: Worker<Planner>,
    /// The stamp of a cost grid, and how many cells searches on it have expanded until then.
    expanded: (Stamp, u64),
}

impl FromWorld for SharedPlanner {
    fn from_world(world: &mut World) -> Self {
        let jobs = world.get_resource_or_init::<Jobs>().clone();
        Self { worker: Worker::new("Planning", (*jobs).clone()), expanded: (Stamp::default(), 0) }
    }
}

impl SharedPlanner {
    /// Starts work on the planner, see [`Jobs::start_in_slices`]. If it is interrupted in the middle of a search of the
    /// planner, that search begins again.
    pub(in crate::game) fn start<A: Send + 'static>(
        &self,
        urgency: Urgency,
        task: &'static str,
        work: impl FnMut(&mut Planner, &Progress) -> ControlFlow<(), A> + Send + 'static,
    ) -> Job<A> {
        self.worker.start(urgency as u8, task, work)
    }

    /// How many cells searches on this grid have expanded so far.
    pub(super) fn expanded_on(&self, grid: &CostGrid) -> u64 {
        if grid.changes_since(self.expanded.0).is_some() { self.expanded.1 } else { 0 }
    }
}

/// The parameters of a system that plans routes on the open map.
#[derive(SystemParam)]
pub(super) struct Planning<'w> {
    pub map: Res<'w, OpenMap>,
    options: Res<'w, PlanningOptions>,
    time: Res<'w, PlanningTime>,
    jobs: Res<'w, Jobs>,
    shared: ResMut<'w, SharedPlanner>,
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

    /// Asks for a route, as [`Latest::follow`] does. While an older query for a route to the same cell is being answered,
    /// that answer comes first. The frame in which a query is new waits for the answer: for [`PlanningTime`] if a
    /// traveller asks, and no longer than for other jobs if the preview does.
    pub fn follow(&mut self, asker: &mut RouteAsker, urgency: Urgency, wanted: Option<GridQuery>) -> bool {
        let Self { map, time, jobs, shared, .. } = self;
        let RouteAsker { routes, known } = asker;
        let unknown = wanted.filter(|wanted| routes.known() != Some(wanted));
        let leads_there = |next: &&GridQuery| {
            unknown.is_some_and(|unknown| unknown.query.to == next.query.to) && next.is_of(map.costs())
        };
        let query = routes.next().filter(leads_there).copied().or(wanted);
        let patience = if let Urgency::Preview = urgency { time.0.min(jobs.patience) } else { time.0 };
        let has_answer = Latest::follow(&mut *routes, query, &jobs.with_patience(patience), |query| {
            shared.start(urgency, "Planning a route", search::work(query.query, map.shared_costs(), known.clone()))
        });
        if let Some((_, found)) = routes.last().filter(|_| has_answer) {
            shared.expanded = (map.costs().stamp(), shared.expanded_on(map.costs()) + found.expanded);
        }
        has_answer
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<PlanningOptions>().init_resource::<PlanningTime>().init_resource::<SharedPlanner>();
}
