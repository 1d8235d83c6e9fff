//! Many queries in one call, on all cores.

#[cfg(feature = "rayon")]
use std::sync::Mutex;

use super::Planner;
#[cfg(feature = "rayon")]
use crate::Options;
use crate::{CostGrid, LimitKind, QueryError, Route, RouteQuery, SearchResult};

/// The answer to one of many queries: a [`SearchResult`] that borrows nothing.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, OwnedSearchResult, Planner, RouteQuery};
/// let grid = CostGrid::open(Size::new(4, 1))?;
/// let mut planner = Planner::new();
/// let answer = OwnedSearchResult::from(planner.plan(&grid, &RouteQuery::new(Cell::new(3, 0), Cell::new(0, 0)))?);
/// assert_eq!(answer.route.unwrap().steps(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Clone))]
#[non_exhaustive]
pub struct OwnedSearchResult {
    /// The route, see [`SearchResult::route`].
    pub route: Option<Route>,
    /// The partial route, see [`SearchResult::partial`].
    pub partial: Option<Route>,
    /// The limit that prevented a route, see [`SearchResult::stopped_by`].
    pub stopped_by: Option<LimitKind>,
    /// The number of expansions, see [`SearchResult::expanded`].
    pub expanded: u64,
    /// Whether the options alone guarantee the lowest cost of the route, see
    /// [`Options::optimal`](crate::Options::optimal).
    pub optimal: bool,
}

impl From<SearchResult<'_>> for OwnedSearchResult {
    fn from(result: SearchResult<'_>) -> Self {
        let SearchResult { route, partial, stopped_by, expanded, optimal, .. } = result;
        let [route, partial] = [route, partial].map(|route| route.map(Route::from));
        Self { route, partial, stopped_by, expanded, optimal }
    }
}

impl Planner {
    /// Answers queries as [`plan`](Self::plan) does, in their order. With the feature `rayon` it uses all cores, by the
    /// current thread pool of that crate; the answers are the same for any number of threads.
    ///
    /// For this call, each additional thread gets its own planner, which shares the tables of this one and takes the
    /// memory of a search. Which of the queries this planner answers itself depends on how fast the threads are, and so
    /// does the memory that it [keeps](Self::bytes).
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Planner, RouteQuery};
    /// let grid = CostGrid::open(Size::new(9, 9))?;
    /// let queries: Vec<_> = (1..9).map(|x| RouteQuery::new(Cell::new(0, 0), Cell::new(x, 0))).collect();
    /// for (answer, steps) in Planner::new().plan_all(&grid, &queries).into_iter().zip(1..) {
    ///     assert_eq!(answer?.route.unwrap().steps(), steps);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan_all(&mut self, grid: &CostGrid, queries: &[RouteQuery]) -> Vec<Result<OwnedSearchResult, QueryError>> {
        #[cfg(feature = "rayon")]
        if rayon::current_num_threads() > 1 {
            return self.plan_on_all_cores(grid, queries);
        }
        queries.iter().map(|query| self.plan_one(grid, query)).collect()
    }

    fn plan_one(&mut self, grid: &CostGrid, query: &RouteQuery) -> Result<OwnedSearchResult, QueryError> {
        self.plan(grid, query).map(OwnedSearchResult::from)
    }

    /// Gives each thread the next query that none has taken yet.
    #[cfg(feature = "rayon")]
    fn plan_on_all_cores(
        &mut self,
        grid: &CostGrid,
        queries: &[RouteQuery],
    ) -> Vec<Result<OwnedSearchResult, QueryError>> {
        // The first answer for each set of options updates the shared tables.
        let mut answers = vec![None; queries.len()];
        let mut known: Vec<Options> = Vec::new();
        for (answer, query) in answers.iter_mut().zip(queries) {
            if !known.contains(&query.options) {
                let new = self.plan_one(grid, query);
                if new.is_ok() {
                    known.push(query.options);
                }
                *answer = Some(new);
            }
        }
        let threads = rayon::current_num_threads().min(queries.len());
        let mut others: Vec<_> = (1..threads).map(|_| self.sharing_tables()).collect();
        let left: Mutex<_> = answers.iter_mut().zip(queries).filter(|(answer, _)| answer.is_none()).into();
        let work = |planner: &mut Self| {
            let next = || left.lock().ok()?.next();
            while let Some((answer, query)) = next() {
                *answer = Some(planner.plan_one(grid, query));
            }
        };
        rayon::scope(|scope| {
            others.iter_mut().for_each(|planner| scope.spawn(|_| work(planner)));
            work(self);
        });
        answers.into_iter().map(|answer| answer.expect("every query is taken")).collect()
    }

    /// A planner with the same tables and settings.
    #[cfg(feature = "rayon")]
    fn sharing_tables(&self) -> Self {
        Self {
            max_threads: self.max_threads,
            max_prepared_bytes: self.max_prepared_bytes,
            always_uses_tables: self.always_uses_tables,
            ..Self::with_tables(self.tables())
        }
    }
}
