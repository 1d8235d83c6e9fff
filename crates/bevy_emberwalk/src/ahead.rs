//! Planners for agents that know what is announced.

use std::slice;

use bevy_ecs::component::Component;
use emberwalk_path::ahead::{Outlook, Stop};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{MultiQuery, Options, Planner, RouteCost};

use crate::route::RouteStop;
use crate::{NavGrid, NavMap};

/// Each takes up to some hundred bytes per cell of the grid.
const MAX_PLANNERS: usize = 8;

/// The planners of a grid on which something is announced: one for each kind and pace, as times are costs in a pace. Those
/// that were used last are kept. They hold nothing that could not be made again.
#[derive(Component, Default)]
pub(crate) struct AheadPlanners(Vec<AheadPlanner>);

/// A planner for agents of a kind and a pace.
pub(crate) struct AheadPlanner {
    kind: usize,
    pace: Pace,
    /// See [`hash_for`](crate::announced::Announcements::hash_for).
    announced: u64,
    /// The start of its clock.
    since: CrowdTime,
    outlook: Outlook,
    planner: Planner,
}

impl AheadPlanners {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The planner for agents of a kind and a pace; `None` if nothing is announced for them, or if no forecast can say it.
    pub(crate) fn get(&mut self, grid: &NavGrid, kind: usize, pace: Pace) -> Option<&mut AheadPlanner> {
        let announcements = &grid.announcements;
        if announcements.is_empty() {
            self.clear();
        }
        let announced = announcements.hash_for(kind);
        let costs = grid.costs_of(kind).filter(|_| announced != 0 && !pace.is_still())?;
        let known = self.0.iter().position(|planner| (planner.kind, planner.pace) == (kind, pace));
        let mut planner = match known {
            Some(known) => self.0.remove(known),
            None => {
                self.0.truncate(MAX_PLANNERS - 1);
                let planner = grid.prepared_tables(kind).map_or_else(Planner::new, Planner::with_tables);
                let outlook = Outlook::new(grid.shared_costs_of(kind)?).with_pace(pace);
                AheadPlanner { kind, pace, announced: 0, since: CrowdTime::ZERO, outlook, planner }
            }
        };
        if planner.announced != announced || planner.outlook.grid().stamp() != costs.stamp() {
            let forecast = announcements.forecast(kind, pace, grid.crowd())?;
            planner.outlook.set_grid(grid.shared_costs_of(kind)?);
            planner.outlook.edit(|old| *old = forecast);
            (planner.announced, planner.since) = (announced, announcements.since());
        }
        self.0.insert(0, planner);
        self.0.first_mut()
    }
}

/// The answer of a planner that knows what is announced.
pub(crate) struct AheadRoute {
    /// The cells of the route with their times in the time of the grid; empty if no goal is ever reachable.
    pub(crate) stops: Vec<RouteStop>,
    /// What its steps cost, without waits.
    pub(crate) cost: RouteCost,
    pub(crate) expanded: u64,
}

impl AheadPlanner {
    /// The route with the earliest arrival in one of these cells; `None` if the start is closed at the departure, if no goal
    /// is ever passable, or if the search has given up.
    pub(crate) fn plan(
        &mut self,
        from: Cell,
        goals: &[Cell],
        options: Options,
        departure: CrowdTime,
    ) -> Option<AheadRoute> {
        let Self { pace, since, .. } = *self;
        let query = MultiQuery::new(slice::from_ref(&from), goals).with_options(options);
        let result = self.planner.plan_ahead(&self.outlook, query, pace.cost_in(departure - since)).ok()?;
        if result.stopped_by.is_some() {
            return None;
        }
        let time = |cost| since + pace.time_of(cost);
        let stop =
            |stop: &Stop| RouteStop { cell: stop.cell, arrival: time(stop.arrival), departure: time(stop.departure) };
        Some(AheadRoute {
            stops: result.stops().iter().map(stop).collect(),
            cost: result.duration().unwrap_or_default() - result.waits(),
            expanded: result.expanded,
        })
    }
}
