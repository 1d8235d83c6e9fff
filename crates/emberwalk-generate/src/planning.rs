//! Plans routes.

use emberwalk_path::{CostGrid, Planner, Query, Route};

/// The route that the planner finds; `None` if there is none.
pub(super) fn plan(planner: &mut Planner, costs: &CostGrid, query: &Query) -> Option<Route> {
    planner.plan(costs, query).ok()?.route.map(|route| route.to_route())
}
