//! The planner that all travellers share, and the options of every search in the window.

use bevy::prelude::*;

use crate::grid::Cell;
use crate::map::Map;
use crate::path::{Options, Planner, Query, QueryError, Replanner, Route, SearchResult};

/// The options of every search in the window.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct PlanningOptions(pub Options);

/// The planner and the memory that it keeps between searches. Travellers, the preview and everything else that needs a
/// route share it.
#[derive(Resource, Default)]
pub struct SharedPlanner(Planner);

/// Where a route leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Nowhere: there is no goal, or no traveller to go there.
    #[default]
    Nowhere,
    /// To the goal.
    Goal,
    /// To the reachable cell nearest to the goal, which is unreachable.
    Nearest,
}

impl SharedPlanner {
    /// Replaces the planner and returns the previous one.
    pub(super) fn replace(&mut self, planner: Planner) -> Planner {
        std::mem::replace(&mut self.0, planner)
    }

    /// Puts the cheapest route on the current map into `route`. Returns the number of expanded cells; `None` if the
    /// goal is unreachable.
    pub fn plan(&mut self, map: &Map, query: &Query, route: &mut Route) -> Option<u64> {
        copy_route(self.0.plan(map.costs(), query), route)
    }

    /// Does the same for a query that is repeated. There is no search if the route that `replanner` knows is certainly still
    /// the cheapest.
    pub fn replan(&mut self, replanner: &mut Replanner, map: &Map, query: &Query, route: &mut Route) -> Option<u64> {
        copy_route(replanner.plan(&mut self.0, map.costs(), query), route)
    }

    /// Puts the cheapest route to the reachable cell nearest to the goal into `route`, and returns that cell.
    pub fn plan_nearest(&mut self, map: &Map, query: &Query, route: &mut Route) -> Cell {
        let nearest = self.0.nearest_reachable(map.costs(), query).ok().flatten().unwrap_or(query.from);
        self.plan(map, &Query { to: nearest, ..*query }, route);
        nearest
    }
}

/// Copies a route out of the planner's memory. Returns the number of expanded cells; `None` if there is
/// no route.
fn copy_route(answer: Result<SearchResult<'_>, QueryError>, route: &mut Route) -> Option<u64> {
    route.clear();
    let result = answer.ok()?;
    route.assign(result.route?);
    Some(result.expanded)
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<PlanningOptions>().init_resource::<SharedPlanner>();
}
