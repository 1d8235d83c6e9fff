//! The same query, answered by every algorithm.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::clock::Instant;
use crate::pauses::{ALWAYS, GoOn};
use crate::planner::Watcher;
use crate::{Algorithm, CostGrid, Heuristic, Observer, Options, Planner, Query, QueryError, Route, RouteCost};

/// A search that takes less time is run again, because the first run also pays for memory.
const REPEATED_BELOW: Duration = Duration::from_millis(200);

/// One query, answered by every algorithm, and by A* with every heuristic. Each of them really searches: where there is
/// no route, [`Planner::plan`] would refuse all of them without a search.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{Algorithm, Comparison, CostGrid, Diagonal, EntryCost, Planner, Query};
/// // A strip of mud between start and goal, which ends in the north.
/// let (grass, mud) = (EntryCost::TILE, EntryCost::from_tiles(50.0)?);
/// let grid = CostGrid::from_fn(Size::new(3, 7), Diagonal::GAME, |cell| {
///     Some(if cell.x == 1 && cell.y > 0 { mud } else { grass })
/// })?;
/// let query = Query::new(Cell::new(0, 6), Cell::new(2, 6));
/// let comparison = Comparison::new(&mut Planner::new(), &grid, &query)?;
/// for search in &comparison.searches {
///     let above = comparison.above_lowest(search).unwrap();
///     match search.options.algorithm {
///         Algorithm::BreadthFirst => assert!(above.tiles() > 10.0, "the fewest steps lead through the mud"),
///         _ if search.optimal => assert_eq!(above.tiles(), 0.0),
///         _ => {}
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Comparison {
    /// The searches, in the order of [`Algorithm::NAMES`], those of A* in the order of [`Heuristic::NAMES`].
    pub searches: Vec<ComparedSearch>,
    /// The lowest cost of all routes; `None` if there is none.
    pub lowest: Option<RouteCost>,
}

/// One of the searches of a [`Comparison`].
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{Comparison, CostGrid, Diagonal, EntryCost, Planner, Query};
/// let grid = CostGrid::from_fn(Size::new(4, 1), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
/// let query = Query::new(Cell::new(0, 0), Cell::new(3, 0));
/// let comparison = Comparison::new(&mut Planner::new(), &grid, &query)?;
/// let first = &comparison.searches[0];
/// assert_eq!((first.options.algorithm.as_str(), first.route.as_ref().unwrap().steps()), ("auto", 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ComparedSearch {
    /// How it searched.
    pub options: Options,
    /// The route; `None` if the goal is unreachable.
    pub route: Option<Route>,
    /// How many times a cell was expanded.
    pub expanded: u64,
    /// How many of these expansions were of a cell that had been closed before.
    pub reopened: u64,
    /// How long the search took: the faster of two runs, or the only one if that took long.
    pub time: Duration,
    /// Whether the options alone guarantee the lowest cost.
    pub optimal: bool,
}

impl Comparison {
    /// Answers `query` by every algorithm. The heuristic and the step rules are those of the query, except that A* is
    /// run with every heuristic. Weighted A* has the weight of the query's algorithm if that is
    /// [`Algorithm::Weighted`], else [`Algorithm::DEFAULT_WEIGHT`].
    ///
    /// # Errors
    /// [`QueryError`], as for [`Planner::plan`].
    pub fn new(planner: &mut Planner, grid: &CostGrid, query: &Query) -> Result<Self, QueryError> {
        Self::with_progress(planner, grid, query, &mut |_, _| {})
    }

    /// Does the same as [`new`](Self::new), and calls `on_progress` before each search, with the number of searches
    /// that are finished and the number of all searches.
    ///
    /// # Errors
    /// The same.
    pub fn with_progress(
        planner: &mut Planner,
        grid: &CostGrid,
        query: &Query,
        on_progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Self, QueryError> {
        let mut new = NewComparison::new();
        loop {
            on_progress(new.searches.len(), compared_options(&query.options).len());
            let next = new.run_next(planner, grid, query, ALWAYS);
            if let Some(done) = next.continue_value().expect("nothing pauses the searches")? {
                return Ok(done);
            }
        }
    }

    /// Returns by how much the cost of a search of this comparison is above the lowest; `None` if it has no route.
    pub fn above_lowest(&self, search: &ComparedSearch) -> Option<RouteCost> {
        let (cost, lowest) = (search.route.as_ref()?.cost, self.lowest?);
        Some(RouteCost::from_units(cost.units().saturating_sub(lowest.units())))
    }
}

/// A [`Comparison`] that is made with pauses.
///
/// ```
/// use std::ops::ControlFlow;
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{Comparison, CostGrid, Diagonal, EntryCost, NewComparison, Planner, Query};
/// let grid = CostGrid::from_fn(Size::new(4, 1), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
/// let query = Query::new(Cell::new(0, 0), Cell::new(3, 0));
/// let (mut planner, mut new) = (Planner::new(), NewComparison::new());
/// let comparison = loop {
///     match new.compare(&mut planner, &grid, &query, &|| ControlFlow::Break(())) {
///         ControlFlow::Continue(comparison) => break comparison?,
///         ControlFlow::Break(()) => {} // Draw a frame.
///     }
/// };
/// assert_eq!(comparison.searches.len(), Comparison::new(&mut planner, &grid, &query)?.searches.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct NewComparison {
    /// Whether everything is there that all searches share.
    has_begun: bool,
    searches: Vec<ComparedSearch>,
    /// The first run of the next search.
    first: Option<ComparedSearch>,
    /// How long the present run has taken until it was paused.
    elapsed: Duration,
}

impl NewComparison {
    /// Begins a comparison. No search has been run yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Compares the algorithms as [`Comparison::new`] does, and calls `go_on` every few milliseconds. If that returns
    /// `Break`, this method returns `Break`, and the next call goes on. Planner, grid and query must be the same, and
    /// the planner must not have done anything else meanwhile. The time of the pauses does not count.
    ///
    /// # Errors
    /// [`QueryError`], as for [`Planner::plan`].
    pub fn compare(
        &mut self,
        planner: &mut Planner,
        grid: &CostGrid,
        query: &Query,
        go_on: GoOn<'_>,
    ) -> ControlFlow<(), Result<Comparison, QueryError>> {
        loop {
            if let Some(done) = self.run_next(planner, grid, query, go_on)?.transpose() {
                return ControlFlow::Continue(done);
            }
            go_on()?;
        }
    }

    /// Runs the next search; returns the comparison after the last one.
    fn run_next(
        &mut self,
        planner: &mut Planner,
        grid: &CostGrid,
        query: &Query,
        go_on: GoOn<'_>,
    ) -> ControlFlow<(), Result<Option<Comparison>, QueryError>> {
        if !self.has_begun {
            // What the first query on a grid computes for all others belongs to none of the searches.
            if let Err(error) = planner.plan_with_pauses(grid, &Query { to: query.from, ..*query }, go_on)? {
                return ControlFlow::Continue(Err(error));
            }
            self.has_begun = true;
        }
        let all_options = compared_options(&query.options);
        if let Some(options) = all_options.get(self.searches.len()) {
            match self.run(planner, grid, &query.with_options(*options), go_on)? {
                Ok(search) => self.searches.push(search),
                Err(error) => return ControlFlow::Continue(Err(error)),
            }
        }
        if self.searches.len() < all_options.len() {
            return ControlFlow::Continue(Ok(None));
        }
        let searches = std::mem::take(&mut self.searches);
        let dijkstra = searches.iter().find(|search| search.options.algorithm == Algorithm::Dijkstra);
        let lowest = dijkstra.and_then(|search| search.route.as_ref()).map(|route| route.cost);
        ControlFlow::Continue(Ok(Some(Comparison { searches, lowest })))
    }

    /// Runs a search twice, unless it takes long; returns the faster run.
    fn run(
        &mut self,
        planner: &mut Planner,
        grid: &CostGrid,
        query: &Query,
        go_on: GoOn<'_>,
    ) -> ControlFlow<(), Result<ComparedSearch, QueryError>> {
        loop {
            let start = Instant::now();
            let planned = planner.plan_watched(grid, query, &mut Unrefused, Watcher::Comparison, go_on);
            self.elapsed += start.elapsed();
            let result = match planned? {
                Ok(result) => result,
                Err(error) => return ControlFlow::Continue(Err(error)),
            };
            let time = std::mem::take(&mut self.elapsed);
            let (route, options, optimal) = (result.route.map(Route::from), query.options, result.optimal);
            let (expanded, reopened) = (result.expanded, result.reopened);
            let run = ComparedSearch { options, route, expanded, reopened, time, optimal };
            match self.first.take() {
                None if run.time < REPEATED_BELOW => self.first = Some(run),
                Some(first) if first.time <= run.time => return ControlFlow::Continue(Ok(first)),
                _ => return ControlFlow::Continue(Ok(run)),
            }
        }
    }
}

/// Lets a search run although the goal is unreachable.
struct Unrefused;

impl Observer for Unrefused {
    const ACTIVE: bool = false;
    const SEARCHES_UNREACHABLE: bool = true;
}

/// Returns the options of every search of a comparison.
fn compared_options(options: &Options) -> Vec<Options> {
    let mut all = Vec::new();
    for &(_, algorithm) in Algorithm::NAMES {
        let options = match (algorithm, options.algorithm) {
            (Algorithm::Weighted { .. }, Algorithm::Weighted { .. }) => *options,
            _ => Options { algorithm, ..*options },
        };
        if algorithm == Algorithm::AStar {
            all.extend(
                Heuristic::NAMES.iter().map(|&(_, heuristic)| Options { heuristic: Some(heuristic), ..options }),
            );
        } else {
            all.push(options);
        }
    }
    all
}
