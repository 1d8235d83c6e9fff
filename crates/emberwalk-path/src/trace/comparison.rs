//! The same query, answered by every algorithm.

use std::task::{Poll, ready};
use std::time::Duration;

use crate::budget::Budget;
use crate::clock::Instant;
use crate::trace::SearchObserver;
use crate::{
    Algorithm, CostGrid, Heuristic, Options, Planner, QueryError, Route, RouteCost, RouteQuery, RouteSearch, Stamp,
};

/// A search that expands fewer cells is run again, because the first run also pays for memory. Time must not decide
/// that: the same comparison has to do the same work on every machine.
const REPEATED_BELOW: u64 = 2_000_000;

/// One query, answered by every algorithm, and by A* with every heuristic. Each of them runs a search even if there is
/// no route, although [`Planner::plan`] would then answer without one.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::trace::Comparison;
/// use emberwalk_path::{Algorithm, CostGrid, Diagonal, EntryCost, Planner, RouteQuery};
/// // A strip of mud between start and goal, which ends in the north.
/// let (grass, mud) = (EntryCost::TILE, EntryCost::from_tiles(50.0)?);
/// let grid = CostGrid::from_fn(Size::new(3, 7), Diagonal::GAME, |cell| {
///     Some(if cell.x == 1 && cell.y > 0 { mud } else { grass })
/// })?;
/// let query = RouteQuery::new(Cell::new(0, 6), Cell::new(2, 6));
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
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, Clone))]
#[non_exhaustive]
pub struct Comparison {
    /// The searches, in the order of [`Algorithm::NAMES`]; the A* searches are in the order of [`Heuristic::NAMES`].
    pub searches: Vec<ComparedSearch>,
    /// The lowest cost of all routes; `None` if there is none.
    pub lowest: Option<RouteCost>,
}

/// One of the searches of a [`Comparison`].
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::trace::Comparison;
/// use emberwalk_path::{CostGrid, Planner, RouteQuery};
/// let grid = CostGrid::open(Size::new(4, 1))?;
/// let query = RouteQuery::new(Cell::new(0, 0), Cell::new(3, 0));
/// let comparison = Comparison::new(&mut Planner::new(), &grid, &query)?;
/// let first = &comparison.searches[0];
/// assert_eq!((first.options.algorithm.as_str(), first.route.as_ref().unwrap().steps()), ("auto", 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, Clone))]
#[non_exhaustive]
pub struct ComparedSearch {
    /// The options of the search.
    pub options: Options,
    /// The route; `None` if the goal is unreachable.
    pub route: Option<Route>,
    /// The number of expansions.
    pub expanded: u64,
    /// The number of these expansions of a cell that had been closed before.
    pub reopened: u64,
    /// How long the search took: the shorter time of two runs, or the time of the only one if it expanded millions of
    /// cells. Nothing else in a comparison depends on the machine.
    pub time: Duration,
    /// Whether the options alone guarantee the lowest cost.
    pub optimal: bool,
}

impl Comparison {
    /// Answers `query` by every algorithm, with the query's heuristic and step rules; A* is run with every heuristic.
    /// Weighted A* uses the weight of the query if its algorithm is [`Algorithm::Weighted`], otherwise
    /// [`Algorithm::DEFAULT_WEIGHT`].
    ///
    /// # Errors
    /// [`QueryError`], as for [`Planner::plan`].
    pub fn new(planner: &mut Planner, grid: &CostGrid, query: &RouteQuery) -> Result<Self, QueryError> {
        let mut searches = ComparedSearches::new(*query);
        loop {
            if let Poll::Ready(comparison) = searches.advance(planner, grid, Budget::UNLIMITED) {
                return comparison;
            }
        }
    }

    /// How much more the route of this search costs than the cheapest route; `None` if the search found no route.
    pub fn above_lowest(&self, search: &ComparedSearch) -> Option<RouteCost> {
        let (cost, lowest) = (search.route.as_ref()?.cost, self.lowest?);
        Some(RouteCost::from_units(cost.units().saturating_sub(lowest.units())))
    }
}

/// A [`Comparison`] that is made [in slices](crate#work-in-slices), as a [`RouteSearch`] is.
///
/// ```
/// use std::task::Poll;
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::trace::ComparedSearches;
/// use emberwalk_path::{CostGrid, Planner, RouteQuery};
/// let grid = CostGrid::open(Size::new(4, 1))?;
/// let mut planner = Planner::new();
/// let mut searches = ComparedSearches::new(RouteQuery::new(Cell::new(0, 0), Cell::new(3, 0)));
/// let comparison = loop {
///     match searches.advance(&mut planner, &grid, 20_000) {
///         Poll::Ready(comparison) => break comparison?,
///         Poll::Pending => {} // Draw a frame.
///     }
/// };
/// assert_eq!(comparison.searches.len(), searches.progress().1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ComparedSearches {
    query: RouteQuery,
    /// The stamp of the grid of all searches; `None` before the first.
    stamp: Option<Stamp>,
    done: Vec<ComparedSearch>,
    /// The first run of the next search.
    first: Option<ComparedSearch>,
    /// The current run, and how long it has taken so far.
    current: Option<RouteSearch<Unrefused>>,
    elapsed: Duration,
}

impl ComparedSearches {
    /// Creates the searches of a comparison without starting them.
    pub fn new(query: RouteQuery) -> Self {
        Self { query, stamp: None, done: Vec::new(), first: None, current: None, elapsed: Duration::ZERO }
    }

    /// The number of finished searches, and the number of all searches.
    pub fn progress(&self) -> (usize, usize) {
        (self.done.len(), compared_options(&self.query.options).len())
    }

    /// Continues the comparison until about `cells` cells have been visited or a search has finished. The time between
    /// the slices does not count. It starts over if the grid changes.
    ///
    /// # Errors
    /// [`QueryError`], as for [`Planner::plan`].
    pub fn advance(
        &mut self,
        planner: &mut Planner,
        grid: &CostGrid,
        cells: u64,
    ) -> Poll<Result<Comparison, QueryError>> {
        if self.stamp.replace(grid.stamp()).is_some_and(|stamp| stamp != grid.stamp()) {
            *self = Self { stamp: self.stamp, ..Self::new(self.query) };
        }
        let run = ready!(self.run(planner, grid, cells)?);
        match self.first.take() {
            None if run.expanded < REPEATED_BELOW => self.first = Some(run),
            None => self.done.push(run),
            Some(first) => self.done.push(ComparedSearch { time: first.time.min(run.time), ..first }),
        }
        let (done, all) = self.progress();
        if done < all {
            return Poll::Pending;
        }
        let searches = std::mem::take(&mut self.done);
        let dijkstra = searches.iter().find(|search| search.options.algorithm == Algorithm::Dijkstra);
        let lowest = dijkstra.and_then(|search| search.route.as_ref()).map(|route| route.cost);
        Poll::Ready(Ok(Comparison { searches, lowest }))
    }

    /// Continues the current run, and returns it once it has finished.
    fn run(&mut self, planner: &mut Planner, grid: &CostGrid, cells: u64) -> Poll<Result<ComparedSearch, QueryError>> {
        let query = self.query.with_options(compared_options(&self.query.options)[self.done.len()]);
        if self.current.is_none() {
            // The first query on a grid computes data for all later ones; its time must not count for any of the
            // searches.
            if let Err(error) = planner.plan(grid, &RouteQuery { to: query.from, ..query }) {
                return Poll::Ready(Err(error));
            }
        }
        let search = self.current.get_or_insert_with(|| RouteSearch::observed(query, Unrefused));
        let start = Instant::now();
        let advanced = search.advance(planner, grid, cells);
        self.elapsed += start.elapsed();
        let result = ready!(advanced?);
        let (route, options, optimal) = (result.route.map(Route::from), query.options, result.optimal);
        let (expanded, reopened, time) = (result.expanded, result.reopened, std::mem::take(&mut self.elapsed));
        self.current = None;
        Poll::Ready(Ok(ComparedSearch { options, route, expanded, reopened, time, optimal }))
    }
}

/// Makes a search run even if the goal is unreachable.
#[derive(Clone, Copy, Debug)]
struct Unrefused;

impl SearchObserver for Unrefused {
    const ACTIVE: bool = false;
    const SEARCHES_UNREACHABLE: bool = true;
}

/// The options of every search of a comparison.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Cell, Size};

    /// The counts of a comparison, and the number of slices, if each search takes this long.
    fn compare(time: Duration) -> (Vec<(u64, u64)>, usize, usize) {
        let grid = CostGrid::open(Size::new(30, 20)).expect("small");
        let query = RouteQuery::new(Cell::new(0, 0), Cell::new(29, 7));
        let (mut planner, mut searches, mut slices) = (Planner::new(), ComparedSearches::new(query), 0);
        loop {
            slices += 1;
            searches.elapsed += time;
            if let Poll::Ready(comparison) = searches.advance(&mut planner, &grid, 100) {
                let searches = comparison.expect("both ends are passable").searches;
                let counts = searches.iter().map(|search| (search.expanded, search.reopened)).collect();
                return (counts, slices, planner.bytes());
            }
        }
    }

    #[test]
    fn a_slow_machine_makes_the_same_comparison() {
        assert_eq!(compare(Duration::ZERO), compare(Duration::from_secs(1)));
    }

    #[test]
    fn a_comparison_starts_over_if_the_grid_changes() {
        let mut grid = CostGrid::open(Size::new(30, 20)).expect("small");
        let query = RouteQuery::new(Cell::new(0, 7), Cell::new(29, 7));
        let (mut planner, mut searches) = (Planner::new(), ComparedSearches::new(query));
        while searches.progress().0 < 4 {
            assert!(searches.advance(&mut planner, &grid, 100).is_pending());
        }
        (0..19).for_each(|y| _ = grid.set(Cell::new(15, y), None));
        let comparison = loop {
            if let Poll::Ready(comparison) = searches.advance(&mut planner, &grid, 100) {
                break comparison.expect("both ends are passable");
            }
        };
        for search in &comparison.searches {
            assert!(search.route.as_ref().is_some_and(|route| route.cells.contains(&Cell::new(15, 19))));
        }
    }
}
