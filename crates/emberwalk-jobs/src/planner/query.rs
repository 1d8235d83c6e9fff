//! Queries for routes, each with the state of the cost grid that it is for.

use emberwalk_path::{CostGrid, RouteQuery, Stamp};

/// A query for a route, and the cost grid that it is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridQuery {
    /// The stamp of the grid.
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
