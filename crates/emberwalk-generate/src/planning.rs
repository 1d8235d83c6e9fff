//! Plans routes in parts.

use std::ops::ControlFlow;

use emberwalk_map::parts::pause;
use emberwalk_path::{CostGrid, Planner, Query, Route};

/// Returns the route that the planner finds; `None` if there is none.
pub(super) async fn plan(planner: &mut Planner, costs: &CostGrid, query: &Query) -> Option<Route> {
    loop {
        let planned = planner.plan_with_pauses(costs, query, &|| ControlFlow::Break(()));
        let planned = planned.map_continue(|result| result.ok()?.route.map(|route| route.to_route()));
        // After the last part too: many short routes take long together.
        pause().await;
        if let ControlFlow::Continue(route) = planned {
            return route;
        }
    }
}
