//! Plans routes in parts.

use crate::parts::pause;
use crate::path::{CostGrid, Planner, Query, Route, Search};

/// How many cells are expanded between two pauses.
const SLICE: u64 = 2048;

/// Returns the route that the planner finds; `None` if there is none.
pub(super) async fn plan(planner: &mut Planner, costs: &CostGrid, query: &Query) -> Option<Route> {
    let mut search = Search::new(*query);
    loop {
        let planned = search.advance(planner, costs, SLICE);
        let planned = planned.map(|result| result.ok()?.route.map(|route| route.to_route()));
        // After the last slice too: many short routes take long together.
        pause().await;
        if let Some(route) = planned {
            return route;
        }
    }
}
