//! A query that is answered in slices.

use std::task::Poll;

use super::{Planner, check_weight};
use crate::budget::Budget;
use crate::nearest_reachable::SmallestDistance;
use crate::search::memory::{Endpoints, Progress, SearchContext, SearchLimits};
use crate::search::observer::SearchObserver;
use crate::{Algorithm, CostGrid, LimitKind, Options, QueryError, RouteQuery, SearchResult, Stamp};

/// A query that is answered [in slices](crate#work-in-slices).
///
/// The search itself stores only its counters; the rest is in the planner's memory. If the planner does something else
/// in between, or if the grid changes, the search starts over. So the answer is always the same as from
/// [`Planner::plan`].
///
/// ```
/// use std::task::Poll;
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Planner, RouteQuery, RouteSearch};
/// let grid = CostGrid::open(Size::new(200, 150))?;
/// let mut planner = Planner::new();
/// let mut search = RouteSearch::new(RouteQuery::new(Cell::new(0, 0), Cell::new(199, 9)));
/// let mut frames = 1;
/// let cost = loop {
///     if let Poll::Ready(result) = search.advance(&mut planner, &grid, 5000) {
///         break result?.cost();
///     }
///     // Draw a frame.
///     frames += 1;
/// };
/// assert!(frames > 3 && cost.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RouteSearch<O = ()> {
    query: RouteQuery,
    pub(crate) observer: O,
    progress: Progress,
    /// The search for the goal, once it has ended without a route.
    ended: Option<Ended>,
    /// How near to an unreachable goal a route can get.
    smallest: SmallestDistance,
    /// The stamps of the grid and of the planner's memory after the last slice; `None` if it has not begun.
    stamps: Option<[Stamp; 2]>,
}

/// A search that has ended without a route.
#[derive(Clone, Copy, Debug)]
struct Ended {
    stopped_by: Option<LimitKind>,
    expanded: u64,
    reopened: u64,
}

impl RouteSearch {
    /// Creates the search for the answer to a query.
    pub fn new(query: RouteQuery) -> Self {
        Self::observed(query, ())
    }
}

impl<O: SearchObserver> RouteSearch<O> {
    /// Creates the search for the answer to a query, watched by `observer` as in
    /// [`plan_observed`](Planner::plan_observed).
    pub fn observed(query: RouteQuery, observer: O) -> Self {
        Self {
            query,
            observer,
            progress: Progress::default(),
            ended: None,
            smallest: SmallestDistance::default(),
            stamps: None,
        }
    }

    /// How many cells it has expanded so far.
    pub fn expanded(&self) -> u64 {
        self.ended.map_or(0, |ended| ended.expanded) + self.progress.expanded
    }

    /// Whether the next slice goes on where the last one ended: the grid has not changed since, and the planner has done
    /// nothing else.
    pub fn goes_on(&self, planner: &Planner, grid: &CostGrid) -> bool {
        self.stamps.is_some() && self.stamps == planner.paused.map(|paused| [grid.stamp(), paused])
    }

    /// Continues the search until about `cells` cells have been visited.
    ///
    /// # Errors
    /// See [`Planner::plan`].
    pub fn advance<'a>(
        &mut self,
        planner: &'a mut Planner,
        grid: &CostGrid,
        cells: u64,
    ) -> Poll<Result<SearchResult<'a>, QueryError>> {
        let goes_on = self.goes_on(planner, grid);
        planner.paused = None;
        if !goes_on {
            self.progress = Progress::default();
            self.ended = None;
            self.smallest = SmallestDistance::default();
            self.observer.began(grid);
        }
        let (query, options) = (self.query, searched_options(&self.query));
        let valid = planner.ends_of(grid, &query).and_then(|ends| check_weight(&options).map(|()| ends));
        let ends = match valid {
            Ok(ends) => ends,
            Err(error) => return Poll::Ready(Err(error)),
        };
        planner.cells.clear();
        planner.memory.has_jumped = false;
        let finished = self.advance_stages(planner, grid, ends, &options, cells);
        let Some(is_whole) = finished else {
            let stamp = Stamp::new();
            (planner.paused, self.stamps) = (Some(stamp), Some([grid.stamp(), stamp]));
            return Poll::Pending;
        };
        self.stamps = None;
        let Progress { expanded, reopened, .. } = std::mem::take(&mut self.progress);
        let ended = self.ended.take().unwrap_or(Ended { stopped_by: None, expanded: 0, reopened: 0 });
        let work = [ended.expanded + expanded, ended.reopened + reopened];
        let route = planner.written_route(grid, options.rules, is_whole);
        let partial = route.filter(|_| !is_whole).map(|route| route.cut(grid, options.rules, &query.limits));
        let result = SearchResult::new(route.filter(|_| is_whole), work, options.optimal());
        Poll::Ready(Ok(SearchResult { partial, stopped_by: ended.stopped_by, ..result }))
    }

    /// Searches for the goal, and after that for the nearest cell if the query asks for a partial route. Writes the
    /// route, and returns whether it leads to the goal within the limits; `None` if the budget is spent.
    fn advance_stages(
        &mut self,
        planner: &mut Planner,
        grid: &CostGrid,
        ends: (Endpoints, bool),
        options: &Options,
        cells: u64,
    ) -> Option<bool> {
        let ((endpoints, _), query, mut left) = (ends, self.query, cells);
        if self.ended.is_none() {
            let before = self.progress.expanded;
            let reached = self.search_goal(planner, grid, ends, options, cells)?;
            left = left.saturating_sub(self.progress.expanded - before);
            if reached.is_ok() {
                planner.write_route(grid, options, endpoints);
            }
            let route = planner.written_route(grid, options.rules, reached.is_ok());
            let broken = route.and_then(|route| query.limits.broken_by(route.cost, route.steps()));
            if reached.is_ok() && broken.is_none() {
                return Some(true);
            }
            let Progress { expanded, reopened, .. } = std::mem::take(&mut self.progress);
            let stopped_by = broken.or(reached.err().flatten());
            self.ended = Some(Ended { stopped_by, expanded, reopened });
            match stopped_by {
                _ if !query.partial => planner.cells.clear(),
                Some(LimitKind::Expansions) => {
                    let nearest = if expanded == 0 { endpoints.start } else { planner.nearest_seen(grid, endpoints) };
                    planner.follow_parents(grid, Endpoints { goal: nearest, ..endpoints });
                }
                // The route that was found is too long.
                Some(LimitKind::Length) => {}
                Some(LimitKind::Cost) | None => planner.cells.clear(),
            }
            if !query.partial || !planner.cells.is_empty() {
                return Some(false);
            }
        }
        let spent = self.ended.map_or(0, |ended| ended.expanded);
        let max_expanded = query.limits.max_expanded().saturating_sub(spent);
        let limits = SearchLimits { max_units: query.limits.max_units(), max_expanded, visits_ties: true };
        planner.memory.has_jumped = false;
        let nearest = if max_expanded == 0 {
            Some(endpoints.start)
        } else {
            let budget = &mut Budget::new(left);
            // Without a limit on the cost, the components determine how near a route can get.
            let squared = if limits.max_units == u64::MAX {
                let reachable = planner.components(grid, options.rules).reachable_from(endpoints.start);
                let is_reachable = |cell| reachable.contains(grid.index(cell));
                self.smallest.find(grid.size(), grid.cell(endpoints.goal), is_reachable, budget).continue_value()?
            } else {
                None
            };
            let pause_at = self.progress.expanded.saturating_add(budget.left().max(1)).min(max_expanded);
            let progress = (limits, &mut self.progress, pause_at);
            planner.search_nearest(grid, &query, endpoints, squared, progress).continue_value()
        };
        let is_spent = self.progress.expanded >= max_expanded;
        let reached = self.progress.closest.map_or(endpoints.start, |closest| closest.at);
        let goal = nearest.or(is_spent.then_some(reached))?;
        planner.write_route(grid, options, Endpoints { goal, ..endpoints });
        Some(false)
    }

    /// Searches for the goal. Returns whether it was reached, or the limit because of which it was not; `None` if the
    /// budget is spent.
    fn search_goal(
        &mut self,
        planner: &mut Planner,
        grid: &CostGrid,
        (endpoints, connected): (Endpoints, bool),
        options: &Options,
        cells: u64,
    ) -> Option<Result<(), Option<LimitKind>>> {
        if endpoints.start == endpoints.goal {
            return Some(Ok(()));
        }
        if !connected && (!O::SEARCHES_UNREACHABLE || grid.entry_units()[endpoints.goal] == 0) {
            return Some(Err(None));
        }
        let limits = SearchLimits {
            // Only with an exact search all routes through a cell cost as much as its key or more.
            max_units: if options.optimal() { self.query.limits.max_units() } else { u64::MAX },
            max_expanded: self.query.limits.max_expanded(),
            visits_ties: options.are_canonical(),
        };
        if limits.max_expanded > 0 {
            let Self { progress, observer, .. } = self;
            let mut context = SearchContext { grid, endpoints, progress: *progress, observer, pause_at: 0, limits };
            let budget = &mut Budget::new(cells);
            let found = planner.search_for(&mut context, options, connected, budget).continue_value();
            self.progress = context.progress;
            match found {
                Some(true) => return Some(Ok(())),
                Some(false) => return Some(Err(connected.then_some(LimitKind::Cost))),
                None if self.progress.expanded < limits.max_expanded => return None,
                None => {}
            }
        }
        Some(Err(connected.then_some(LimitKind::Expansions)))
    }
}

/// The options of the search. If it may be stopped, it gets equally far only if it uses nothing that is prepared.
fn searched_options(query: &RouteQuery) -> Options {
    match query.options.algorithm {
        Algorithm::Auto if query.options.are_canonical() && query.limits.max_expansions.is_some() => {
            query.options.with_algorithm(Algorithm::AStar)
        }
        _ => query.options,
    }
}
