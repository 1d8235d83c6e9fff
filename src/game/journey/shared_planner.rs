//! The planner of the window. One worker owns it, and answers the most urgent question first.
//!
//! Travellers and the preview ask for routes, with [`Planning::ask`]. Other plugins start a job on the worker, with
//! [`SharedPlanner::start`].

use std::ops::ControlFlow;
use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::game::jobs::worker::Worker;
use crate::game::jobs::{Job, Jobs, Progress};
use crate::game::world::open_map::OpenMap;
use emberwalk_path::grid::Cell;
use emberwalk_path::{CostGrid, Options, Planner, RouteQuery, Stamp};

use super::search::{Answer, Asker, Basis, Question, RouteAsker};

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
pub struct SharedPlanner {
    worker: Worker<Planner>,
    /// The stamp of a cost grid, and how many cells searches on it have expanded until then.
    expanded: (Stamp, u64),
}

impl FromWorld for SharedPlanner {
    fn from_world(world: &mut World) -> Self {
        let jobs = world.get_resource_or_init::<Jobs>().clone();
        Self { worker: Worker::new("Planning", jobs), expanded: (Stamp::default(), 0) }
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

/// The parameters of a system that plans a route on the open map.
#[derive(SystemParam)]
pub(super) struct Planning<'w> {
    pub map: Res<'w, OpenMap>,
    options: Res<'w, PlanningOptions>,
    time: Res<'w, PlanningTime>,
    jobs: Res<'w, Jobs>,
    shared: ResMut<'w, SharedPlanner>,
}

impl Planning<'_> {
    /// The current terrain and options for planning.
    pub fn basis(&self) -> Basis {
        Basis::new(self.map.costs(), self.options.0)
    }

    /// The options with which travellers plan.
    pub fn options(&self) -> Options {
        self.options.0
    }

    /// Asks for the route from one cell to another, see [`ask_with`](Self::ask_with).
    pub fn ask<'a>(&mut self, asker: &'a mut RouteAsker, from: Cell, to: Cell) -> Option<(Question, &'a Answer)> {
        self.ask_with(self.options(), asker, from, to)
    }

    /// Asks for the route from one cell to another by these options.
    ///
    /// `None` means that the answer comes later: ask again in the next frame. The answer contains its question, which
    /// may be an older one for a route to the same cell. The frame in which a question is new waits for the answer: for
    /// [`PlanningTime`] if a traveller asks, and no longer than for other jobs if the preview does.
    pub fn ask_with<'a>(
        &mut self,
        options: Options,
        asker: &'a mut RouteAsker,
        from: Cell,
        to: Cell,
    ) -> Option<(Question, &'a Answer)> {
        let Self { map, time, jobs, shared, .. } = self;
        let is_new = !asker.is_asking_for(to, map.costs());
        if is_new {
            let query = RouteQuery::new(from, to).with_options(options);
            let question = Question { asker: asker.asker(), basis: Basis::new(map.costs(), options), query };
            let urgency = match question.asker {
                Asker::Traveller => Urgency::Route,
                Asker::Preview => Urgency::Preview,
            };
            asker.ask(&shared.worker, urgency as u8, question, map.shared_costs());
        }
        let limit = match asker.asker() {
            _ if !is_new => Duration::ZERO,
            // No frame has time to wait for it.
            _ if time.0.is_zero() => return None,
            Asker::Traveller => time.0,
            Asker::Preview => time.0.min(jobs.patience),
        };
        let (question, answer) = asker.receive(jobs, limit)?;
        shared.expanded = (map.costs().stamp(), shared.expanded_on(map.costs()) + answer.expanded);
        Some((question, answer))
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<PlanningOptions>().init_resource::<PlanningTime>().init_resource::<SharedPlanner>();
}
