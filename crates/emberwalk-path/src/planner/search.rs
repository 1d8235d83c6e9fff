//! A query that is answered in slices.

use super::{Planner, ends, weight};
use crate::budget::Budget;
use crate::search::memory::{Memory, Progress, SearchContext};
use crate::trace::SearchObserver;
use crate::{CostGrid, QueryError, RouteCost, RouteQuery, RouteRef, SearchResult, Stamp};

/// A query that is answered in slices, so that a program without threads can draw frames in between, or a thread can
/// check whether the answer is still wanted.
///
/// The search itself stores only its counters; the rest is in the planner's memory. If the planner does something else
/// in between, or if the grid changes, the search starts over. So the answer is always the same as from
/// [`Planner::plan`].
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Planner, RouteQuery, Search};
/// let grid = CostGrid::from_fn(Size::new(200, 150), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
/// let mut planner = Planner::new();
/// let mut search = Search::new(RouteQuery::new(Cell::new(0, 0), Cell::new(199, 9)));
/// let mut frames = 1;
/// let cost = loop {
///     if let Some(result) = search.advance(&mut planner, &grid, 5000) {
///         break result?.cost();
///     }
///     // Draw a frame.
///     frames += 1;
/// };
/// assert!(frames > 3 && cost.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Search<O = ()> {
    query: RouteQuery,
    pub(crate) observer: O,
    progress: Progress,
    /// The stamps of the grid and of the planner's memory after the last slice; `None` if it has not begun.
    stamps: Option<[Stamp; 2]>,
}

impl Search {
    /// Creates the search for the answer to a query.
    pub fn new(query: RouteQuery) -> Self {
        Self::observed(query, ())
    }
}

impl<O: SearchObserver> Search<O> {
    /// Creates the search for the answer to a query, watched by `observer` as in
    /// [`plan_observed`](Planner::plan_observed).
    pub fn observed(query: RouteQuery, observer: O) -> Self {
        Self { query, observer, progress: Progress::default(), stamps: None }
    }

    /// Continues the search until about `cells` cells have been visited. Returns `None` until the answer is ready; the
    /// call after that starts over.
    ///
    /// # Errors
    /// See [`Planner::plan`].
    pub fn advance<'a>(
        &mut self,
        planner: &'a mut Planner,
        grid: &CostGrid,
        cells: u64,
    ) -> Option<Result<SearchResult<'a>, QueryError>> {
        let paused = planner.paused.take().map(|paused| [grid.stamp(), paused]);
        if paused.is_none() || self.stamps != paused {
            self.progress = Progress::default();
            self.observer.began(grid);
        }
        let Self { query, observer, .. } = self;
        let options = &query.options;
        let (endpoints, weight) = match ends(grid, query).and_then(|ends| Ok((ends, weight(options)?))) {
            Ok(valid) => valid,
            Err(error) => return Some(Err(error)),
        };
        planner.cells.clear();
        planner.memory.has_jumped = false;
        let connected = planner.components(grid, options.rules()).are_connected(grid, query.from, query.to);
        let mut context = SearchContext { grid, endpoints, progress: self.progress, observer, pause_at: 0 };
        let found = if query.from == query.to {
            Some(true)
        } else if connected || O::SEARCHES_UNREACHABLE {
            let budget = &mut Budget::new(cells);
            planner.search_for(&mut context, options, weight, connected, budget).continue_value()
        } else {
            Some(false)
        };
        self.progress = context.progress;
        let Some(found) = found else {
            let stamp = Stamp::new();
            (planner.paused, self.stamps) = (Some(stamp), Some([grid.stamp(), stamp]));
            return None;
        };
        self.stamps = None;
        let Progress { expanded, reopened, .. } = self.progress;
        debug_assert_eq!(found, connected, "a search finds a route if there is one");
        if found {
            planner.follow_parents(grid, query);
        }
        let Planner { cells, memory: Memory { nodes, has_jumped, .. }, .. } = planner;
        let route = found.then(|| {
            // Looking up every step of a long route takes longer than some searches.
            let known = has_jumped.then(|| nodes.cost(endpoints.goal)).flatten().map(RouteCost::from_units);
            let cost_of_steps = || options.rules().cost_of_steps(grid, cells);
            let cost = known.unwrap_or_else(cost_of_steps);
            debug_assert_eq!(cost, cost_of_steps());
            RouteRef { cells, cost }
        });
        Some(Ok(SearchResult { route, expanded, reopened, optimal: options.optimal() }))
    }
}
