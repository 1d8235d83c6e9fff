//! The query that a planner answers, and the errors that prevent an answer.

use crate::grid::Cell;
use crate::names::named;
use crate::{CostGrid, Limits, Options, RouteCost, StepRules, Ties};

/// The methods that change a copy of a query for a route. They are the same for all types of queries with the fields
/// `options`, `limits`, `partial` and `leaves_blocked`.
macro_rules! route_query_methods {
    () => {
        /// The same query with other options.
        pub const fn with_options(self, options: Options) -> Self {
            Self { options, ..self }
        }

        /// The same query with other step rules, see [`Options::rules`].
        pub const fn with_rules(self, rules: StepRules) -> Self {
            self.with_options(self.options.with_rules(rules))
        }

        /// The same query with another rule for routes of the same cost, see [`Options::ties`].
        pub const fn with_ties(self, ties: Ties) -> Self {
            self.with_options(self.options.with_ties(ties))
        }

        /// The same query with other limits.
        pub const fn with_limits(self, limits: Limits) -> Self {
            Self { limits, ..self }
        }

        /// The same query for a route that costs at most this, see [`Limits::max_cost`].
        pub const fn with_max_cost(self, cost: RouteCost) -> Self {
            self.with_limits(self.limits.with_max_cost(cost))
        }

        /// The same query for a search that expands at most this many cells, see [`Limits::max_expansions`].
        pub const fn with_max_expansions(self, expansions: u64) -> Self {
            self.with_limits(self.limits.with_max_expansions(expansions))
        }

        /// The same query for a route of at most this many steps, however long each is, see [`Limits::max_length`].
        pub const fn with_max_length(self, steps: u32) -> Self {
            self.with_limits(self.limits.with_max_length(steps))
        }

        /// The same query with a partial route if there is no route: because of a limit, or because the goal is
        /// unreachable or blocked. It leads to the nearest cell that can be reached, see
        /// [`SearchResult::partial`](crate::SearchResult::partial).
        ///
        /// ```
        /// use emberwalk_path::grid::{Cell, Size};
        /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Planner, RouteQuery};
        /// let cost = |cell: Cell| (cell.x != 6).then_some(EntryCost::TILE);
        /// let grid = CostGrid::from_fn(Size::new(9, 1), Diagonal::GAME, cost)?;
        /// let query = RouteQuery::new(Cell::new(0, 0), Cell::new(8, 0)).with_partial();
        /// let mut planner = Planner::new();
        /// let result = planner.plan(&grid, &query)?;
        /// assert!(!result.found());
        /// assert_eq!(result.partial.unwrap().cells.last(), Some(&Cell::new(5, 0)), "as near as possible");
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        pub const fn with_partial(self) -> Self {
            Self { partial: true, ..self }
        }

        /// The same query for an agent whose cell may be blocked, for example because something was built on it: if the
        /// start is blocked, the route begins at the passable cell nearest to it. How the agent gets there, and at what
        /// cost, is left to the game. Of several starts, this holds for each.
        ///
        /// The nearest cell is the one at the smallest straight-line distance. Of several, a cell that is connected
        /// with a goal comes first, then the one with the smallest lower bound on the cost to a goal by the columns and
        /// rows between them, then the smaller row, then the smaller column. A start off the map is still an error, as
        /// is a blocked start if no cell is passable.
        ///
        /// ```
        /// use emberwalk_path::grid::{Cell, Size};
        /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Planner, RouteQuery};
        /// let cost = |cell: Cell| (cell.x > 1).then_some(EntryCost::TILE);
        /// let grid = CostGrid::from_fn(Size::new(9, 1), Diagonal::GAME, cost)?;
        /// let query = RouteQuery::new(Cell::new(0, 0), Cell::new(8, 0));
        /// let mut planner = Planner::new();
        /// assert!(planner.plan(&grid, &query).is_err());
        /// let result = planner.plan(&grid, &query.leaving_blocked())?;
        /// assert_eq!(result.cells().first(), Some(&Cell::new(2, 0)));
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        pub const fn leaving_blocked(self) -> Self {
            Self { leaves_blocked: true, ..self }
        }
    };
}
pub(crate) use route_query_methods;

/// A question to a planner: a route from one cell to another, and how to search for it.
///
/// [`MultiQuery`](crate::MultiQuery) has several starts and goals, and cells to avoid.
///
/// ```
/// use emberwalk_path::grid::Cell;
/// use emberwalk_path::{Algorithm, Options, RouteQuery};
/// let query = RouteQuery::new(Cell::new(0, 0), Cell::new(9, 4));
/// let greedy = query.with_options(Options::default().with_algorithm("greedy".parse()?));
/// assert_eq!(greedy.options.algorithm, Algorithm::Greedy);
/// # Ok::<(), emberwalk_path::UnknownName>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[must_use]
pub struct RouteQuery {
    /// The start.
    pub from: Cell,
    /// The goal.
    pub to: Cell,
    /// How to search.
    #[cfg_attr(feature = "serde", serde(default))]
    pub options: Options,
    /// Limits of the route and of the search.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::saved::is_default"))]
    pub limits: Limits,
    /// Whether the answer has a partial route if it has no route, see [`with_partial`](Self::with_partial).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::saved::is_default"))]
    pub partial: bool,
    /// Whether the route may begin beside a blocked start, see [`leaving_blocked`](Self::leaving_blocked).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::saved::is_default"))]
    pub leaves_blocked: bool,
}

impl RouteQuery {
    /// Creates a query for the route from `from` to `to`, with the default options and without limits.
    pub const fn new(from: Cell, to: Cell) -> Self {
        let (options, limits) = (Options::new(), Limits::new());
        Self { from, to, options, limits, partial: false, leaves_blocked: false }
    }

    /// The same query from another start.
    pub const fn with_start(self, from: Cell) -> Self {
        Self { from, ..self }
    }

    /// The same query to another goal.
    pub const fn with_goal(self, to: Cell) -> Self {
        Self { to, ..self }
    }

    route_query_methods!();
}

/// The role of a cell in a query: one of the two ends of a route, or a cell in between.
///
/// ```
/// use emberwalk_path::Endpoint;
/// assert_eq!(Endpoint::Goal.to_string(), "goal");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Endpoint {
    /// The cell that the route begins at.
    Start,
    /// The cell that the route leads to.
    Goal,
    /// The cell that the route leads through, see [`Planner::plan_through`](crate::Planner::plan_through).
    Waypoint,
}

named!(Endpoint, "end of a route",
    Endpoint::Start => "start",
    Endpoint::Goal => "goal",
    Endpoint::Waypoint => "waypoint",
);

/// Why a query cannot be answered. An unreachable goal is not an error: the answer is that there is no route.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Diagonal, Endpoint, Planner, RouteQuery, QueryError};
/// let grid = CostGrid::new(Size::new(2, 2), Diagonal::GAME).unwrap();
/// let query = RouteQuery::new(Cell::new(0, 0), Cell::new(1, 1));
/// let error = Planner::new().plan(&grid, &query).unwrap_err();
/// assert_eq!(error, QueryError::Blocked { endpoint: Endpoint::Start, cell: Cell::new(0, 0) });
/// assert_eq!(error.to_string(), "the start 0,0 is blocked");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Clone))]
#[non_exhaustive]
pub enum QueryError {
    /// The cell is not on the grid.
    #[error("the {endpoint} {cell} is not on the map")]
    OffTheMap {
        /// The role of the cell.
        endpoint: Endpoint,
        /// The cell.
        cell: Cell,
    },
    /// The cell is blocked.
    #[error("the {endpoint} {cell} is blocked")]
    Blocked {
        /// The role of the cell.
        endpoint: Endpoint,
        /// The blocked cell.
        cell: Cell,
    },
    /// A query for several starts or goals has none.
    #[error("there is no {0}")]
    Missing(Endpoint),
    /// The weight of weighted A* is below 1 or not finite.
    #[error("the weight must be a finite number and at least 1, not {0:?}")]
    Weight(f64),
}

/// The index of a cell on the grid; an error if it is off the grid or blocked.
pub(crate) fn passable(grid: &CostGrid, endpoint: Endpoint, cell: Cell) -> Result<usize, QueryError> {
    if grid.is_passable(cell) { Ok(grid.index(cell)) } else { Err(unusable(grid, endpoint, Some(&cell))) }
}

/// Why no cell can be used as this end: there is none, or the first one cannot be used.
pub(crate) fn unusable(grid: &CostGrid, endpoint: Endpoint, first: Option<&Cell>) -> QueryError {
    match first {
        None => QueryError::Missing(endpoint),
        Some(&cell) if grid.size().contains(cell) => QueryError::Blocked { endpoint, cell },
        Some(&cell) => QueryError::OffTheMap { endpoint, cell },
    }
}
