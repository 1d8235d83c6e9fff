//! Queries on the cost grid of the open map.

use emberwalk_path::{CostGrid, RouteQuery, Stamp};

/// A query, and the terrain that it is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::game) struct GridQuery {
    pub(in crate::game) grid: Stamp,
    /// The query.
    pub query: RouteQuery,
}

impl GridQuery {
    pub(in crate::game) fn new(grid: &CostGrid, query: RouteQuery) -> Self {
        Self { grid: grid.stamp(), query }
    }

    /// Whether it is for this grid, or an earlier version of it.
    pub(in crate::game) fn is_of(&self, grid: &CostGrid) -> bool {
        grid.changes_since(self.grid).is_some()
    }

    /// Whether it is the same as `other`, except that it may start elsewhere.
    pub(super) fn has_rest_of(&self, other: &Self) -> bool {
        Self { query: self.query.with_start(other.query.from), ..*self } == *other
    }
}
