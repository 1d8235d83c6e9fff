//! The current query: the route from the player's traveller to its goal.

use std::ops::ControlFlow;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::game::jobs::Jobs;
use crate::game::journey::goal::TravellerGoal;
use crate::game::journey::planned_route::PlannedRoute;
use crate::game::journey::planning::{GridQuery, PlanningOptions, SharedPlanner, Urgency, coming};
use crate::game::journey::shown_route::WalkedRoute;
use crate::game::journey::traveller::{Player, Traveller};
use crate::game::world::open_map::OpenMap;
use emberwalk_jobs::{Job, Progress};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{CostGrid, Options, Planner, RouteQuery, StepRules};
use emberwalk_world::Coming;

/// The map, the options and the ends of the traveller's route.
#[derive(SystemParam)]
pub(in crate::game) struct CurrentQuery<'w, 's> {
    pub map: Res<'w, OpenMap>,
    options: Res<'w, PlanningOptions>,
    planner: Res<'w, SharedPlanner>,
    pub jobs: Res<'w, Jobs>,
    player:
        Single<'w, 's, (Traveller, &'static TravellerGoal, &'static WalkedRoute, &'static PlannedRoute), With<Player>>,
}

impl CurrentQuery<'_, '_> {
    /// The current query; `None` if there is no traveller or no goal, or if one of them is in a blocked cell.
    pub fn query(&self) -> Option<GridQuery> {
        self.query_with(self.options.0)
    }

    /// The same with other options than the current ones.
    pub(in crate::game) fn query_with(&self, options: Options) -> Option<GridQuery> {
        let (traveller, goal, walked, _) = &*self.player;
        let grid = self.map.costs();
        // After arrival, and on the last step to the goal, it is the query of the walked route.
        let is_walked = traveller.has_arrived() || traveller.origin() == goal.cell;
        let walked_from = walked.set_out().filter(|start| is_walked && grid.is_passable(*start));
        let (from, to) = walked_from.or(traveller.origin()).zip(goal.cell)?;
        let query = RouteQuery::new(from, to).with_options(options);
        let is_possible = grid.is_passable(from) && grid.is_passable(to);
        is_possible.then(|| GridQuery::new(grid, query))
    }

    /// The known future, if the traveller takes it into account.
    pub(super) fn coming(&self) -> Option<Coming> {
        self.coming_with(self.options.0)
    }

    /// The same with other options than the current ones.
    pub(super) fn coming_with(&self, options: Options) -> Option<Coming> {
        coming(&self.map, options)
    }

    /// The departure of the traveller, on the clock of the world, for planning with the known future: as planned, or in
    /// this second.
    pub(super) fn departure(&self) -> CrowdTime {
        let planned = &self.player.3;
        let as_planned = planned.timetable().and_then(|times| times.arrival_in(planned.index()));
        as_planned.unwrap_or_else(|| CrowdTime::from_seconds(self.map.world().clock().seconds().floor()))
    }

    /// The goal, which may be blocked.
    pub fn goal(&self) -> Option<Cell> {
        self.player.1.cell
    }

    /// The options.
    pub fn options(&self) -> Options {
        self.options.0
    }

    /// The rules for steps.
    pub fn rules(&self) -> StepRules {
        self.options.0.rules
    }

    /// Starts a computation with the planner on the current cost grid, see [`SharedPlanner::start`].
    pub(super) fn start<A: Send + 'static>(
        &self,
        urgency: Urgency,
        task: &'static str,
        mut work: impl FnMut(&mut Planner, &CostGrid, &Progress) -> ControlFlow<(), A> + Send + 'static,
    ) -> Job<A> {
        let grid = self.map.shared_costs();
        self.planner.start(urgency as u8, task, move |planner, progress| work(planner, &grid, progress))
    }
}
