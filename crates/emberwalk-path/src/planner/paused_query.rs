//! What a planner remembers of a query whose search was paused.

use crate::grid::Cell;
use crate::nearest_reachable::at_distance;
use crate::search::memory::PausedSearch;
use crate::{CostGrid, Query, RouteCost, SearchResult, Stamp};

/// Who watches a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watcher {
    Nobody,
    /// The same observer in each part.
    Observer,
    /// A comparison, which lets a search run although the goal is unreachable.
    Comparison,
    /// Nobody: it is one for the fewest cells to open.
    Breach,
    /// The recording with this number.
    Recording(u64),
}

/// A query whose search was paused.
#[derive(Clone, Copy, Debug)]
pub(super) struct PausedQuery {
    of: Asked,
    watcher: Watcher,
    pub search: PausedSearch,
}

/// A query, and the grid as it was.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Asked {
    query: Query,
    stamp: Stamp,
}

impl Asked {
    fn new(grid: &CostGrid, query: &Query) -> Self {
        Self { query: *query, stamp: grid.stamp() }
    }
}

impl PausedQuery {
    pub fn new(grid: &CostGrid, query: &Query, watcher: Watcher, search: PausedSearch) -> Self {
        Self { of: Asked::new(grid, query), watcher, search }
    }

    /// Whether it is this query on the grid as it is now, with this watcher.
    pub fn is_of(&self, grid: &CostGrid, query: &Query, watcher: Watcher) -> bool {
        self.of == Asked::new(grid, query) && self.watcher == watcher
    }
}

/// The first half of a route through a waypoint, while the second one is being planned.
#[derive(Clone, Debug)]
pub(super) struct FirstHalf {
    of: Asked,
    waypoint: Cell,
    pub found: bool,
    pub expanded: u64,
    pub reopened: u64,
    pub cells: Vec<Cell>,
}

impl FirstHalf {
    pub fn new(grid: &CostGrid, query: &Query, waypoint: Cell, result: SearchResult<'_>) -> Self {
        let (found, expanded, reopened) = (result.found(), result.expanded, result.reopened);
        Self { of: Asked::new(grid, query), waypoint, found, expanded, reopened, cells: result.cells().to_vec() }
    }

    /// Whether it is that of this query on the grid as it is now.
    pub fn is_of(&self, grid: &CostGrid, query: &Query, waypoint: Cell) -> bool {
        self.of == Asked::new(grid, query) && self.waypoint == waypoint
    }
}

/// A search for the nearest reachable cell that was paused.
#[derive(Clone, Copy, Debug)]
pub(super) struct PausedNearest {
    of: Asked,
    /// The square of the smallest distance; `None` if no cell is reachable.
    distance: Option<i64>,
    /// How many of the cells at that distance are done.
    pub done: usize,
    cheapest: Option<(RouteCost, Cell)>,
}

impl PausedNearest {
    pub fn new(grid: &CostGrid, query: &Query, distance: Option<i64>) -> Self {
        Self { of: Asked::new(grid, query), distance, done: 0, cheapest: None }
    }

    /// Whether it is for this query on the grid as it is now.
    pub fn is_of(&self, grid: &CostGrid, query: &Query) -> bool {
        self.of == Asked::new(grid, query)
    }

    /// Returns the cells at the smallest distance that are left.
    pub fn cells_left(&self, goal: Cell) -> impl Iterator<Item = Cell> + use<> {
        self.distance.into_iter().flat_map(move |distance| at_distance(goal, distance)).skip(self.done)
    }

    /// Notes what a route to one of them costs.
    pub fn note(&mut self, cell: Cell, cost: Option<RouteCost>) {
        if let Some(cost) = cost
            && self.cheapest.is_none_or(|(lowest, _)| cost < lowest)
        {
            self.cheapest = Some((cost, cell));
        }
    }

    /// Returns the cheapest of them.
    pub fn cheapest(&self) -> Option<Cell> {
        self.cheapest.map(|(_, cell)| cell)
    }
}
