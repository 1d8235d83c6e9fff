//! Planning in the background of a game: on another thread, or in slices between frames where there are none.

mod preparation;
mod search;

use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bevy_ecs::resource::Resource;
use emberwalk_jobs::{Job, Jobs, Latest, Progress, Worker};
use emberwalk_path::{CostGrid, Planner, Replanner, RouteQuery, Stamp};

use crate::NavMap;

pub use search::FoundRoute;

pub(crate) use preparation::prepare;

/// With this resource, the routes of agents on maps of one type, that pass through each other, are planned in the background
/// instead of within the [budget](crate::PlanningBudget) of a run: without delay as long as they are quick. A run waits a
/// little for the answer, and agents go on by their old routes until it is there. So when they turn depends on the machine;
/// games whose moves must be the same everywhere do without it.
///
/// Large maps are also [prepared](Planner::prepare) for long routes as soon as that pays. Routes of agents for which something
/// is [announced](crate::NavGrid::announce) are planned in the run nevertheless.
///
/// ```
/// use bevy_app::App;
/// use bevy_emberwalk::emberwalk_jobs::Jobs;
/// use bevy_emberwalk::prelude::*;
/// use bevy_emberwalk::BackgroundPlanner;
/// App::new().add_plugins(EmberwalkPlugins).insert_resource(BackgroundPlanner::<NavGrid>::new(Jobs::default()));
/// ```
#[derive(Resource)]
pub struct BackgroundPlanner<M: NavMap> {
    /// How long a run waits for a route.
    pub patience: Duration,
    jobs: Jobs,
    worker: Worker<Planner>,
    /// The stamp of a cost grid, and how many cells searches on it have expanded until then.
    expanded: (Stamp, u64),
    preparation: preparation::Preparation,
    map: PhantomData<fn(M)>,
}

/// How urgent questions to the planner are, the most urgent first. More urgent ones interrupt the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Urgency(pub u8);

impl Urgency {
    /// The route of an agent.
    pub const ROUTE: Self = Self(0);
    /// The preparation of a map.
    pub const PREPARATION: Self = Self(u8::MAX);
}

/// A query for a route, and the map that it is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridQuery {
    /// The stamp of the cost grid on which it is [planned](NavMap::planned_costs_of).
    pub grid: Stamp,
    /// The query.
    pub query: RouteQuery,
}

impl GridQuery {
    /// A query for this grid as it is now.
    pub fn new(grid: &CostGrid, query: RouteQuery) -> Self {
        Self { grid: grid.stamp(), query }
    }

    /// Whether it is for this grid, or an earlier version of it.
    pub fn is_of(&self, grid: &CostGrid) -> bool {
        grid.changes_since(self.grid).is_some()
    }

    /// Whether it is the same as `other`, except that it may start elsewhere.
    pub fn has_rest_of(&self, other: &Self) -> bool {
        Self { query: self.query.with_start(other.query.from), ..*self } == *other
    }
}

/// Asks for one route after the other, see [`BackgroundPlanner::follow`].
#[derive(Default)]
pub struct AskedRoute {
    /// The routes that were asked for.
    pub routes: Latest<GridQuery, FoundRoute>,
    /// The last route that a search has found, because a valid one needs no new search.
    last: Arc<Mutex<Replanner>>,
}

impl<M: NavMap> BackgroundPlanner<M> {
    /// A planner that works by these jobs.
    pub fn new(jobs: Jobs) -> Self {
        Self {
            patience: Duration::from_millis(30),
            worker: Worker::new("Planning", jobs.clone()),
            jobs,
            expanded: <_>::default(),
            preparation: <_>::default(),
            map: PhantomData,
        }
    }

    /// Starts work on the planner, see [`Jobs::start_in_slices`]. If it is interrupted in the middle of a search of the
    /// planner, that search begins again.
    pub fn start<A: Send + 'static>(
        &self,
        urgency: Urgency,
        task: &'static str,
        work: impl FnMut(&mut Planner, &Progress) -> ControlFlow<(), A> + Send + 'static,
    ) -> Job<A> {
        self.worker.start(urgency.0, task, work)
    }

    /// Drops what was prepared for another map, and the memory of its searches.
    pub fn forget(&mut self) {
        self.preparation = preparation::Preparation::forgetting(self);
    }

    /// How many cells searches on this grid have expanded so far.
    fn expanded_on(&self, grid: &CostGrid) -> u64 {
        if grid.changes_since(self.expanded.0).is_some() { self.expanded.1 } else { 0 }
    }

    /// Asks for a route in every run, as [`Latest::follow`] does, and returns whether there is another answer. While an older
    /// query for a route to the same cell is being answered, that answer comes first. The run in which a query is new waits
    /// for the answer: no longer than `patience`.
    pub fn follow(
        &mut self,
        asked: &mut AskedRoute,
        map: &M,
        urgency: Urgency,
        wanted: Option<GridQuery>,
        patience: Duration,
    ) -> bool {
        let Some(costs) = map.planned_costs_of(0) else { return false };
        let AskedRoute { routes, last } = asked;
        let unknown = wanted.filter(|wanted| routes.known() != Some(wanted));
        let leads_there =
            |next: &&GridQuery| unknown.is_some_and(|unknown| unknown.query.to == next.query.to) && next.is_of(costs);
        let query = routes.next().filter(leads_there).copied().or(wanted);
        let has_answer = Latest::follow(&mut *routes, query, &self.jobs.with_patience(patience), |query| {
            let costs = map.shared_planned_costs_of(0).unwrap_or_else(|| Arc::new(costs.clone()));
            self.start(urgency, "Planning a route", search::work(query.query, costs, last.clone()))
        });
        if let Some((_, found)) = routes.last().filter(|_| has_answer) {
            self.expanded = (costs.stamp(), self.expanded_on(costs) + found.expanded);
        }
        has_answer
    }
}
