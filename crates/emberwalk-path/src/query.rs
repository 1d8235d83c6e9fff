//! The query that a planner answers, and the errors that prevent an answer.

use std::fmt;

use crate::grid::Cell;
use crate::{CostGrid, Options};

/// A question to a planner: a route from one cell to another, and how to search for it.
///
/// ```
/// use emberwalk_path::grid::Cell;
/// use emberwalk_path::{Algorithm, Options, RouteQuery};
/// let query = RouteQuery::new(Cell::new(0, 0), Cell::new(9, 4));
/// let greedy = query.with_options(Options { algorithm: "greedy".parse()?, ..Options::default() });
/// assert_eq!(greedy.options.algorithm, Algorithm::Greedy);
/// # Ok::<(), emberwalk_path::UnknownName>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RouteQuery {
    /// The start.
    pub from: Cell,
    /// The goal.
    pub to: Cell,
    /// How to search.
    #[cfg_attr(feature = "serde", serde(default))]
    pub options: Options,
}

impl RouteQuery {
    /// Creates a query for the route from `from` to `to`, with the default options.
    pub fn new(from: Cell, to: Cell) -> Self {
        Self { from, to, options: Options::default() }
    }

    /// The same query with other options.
    #[must_use]
    pub fn with_options(self, options: Options) -> Self {
        Self { options, ..self }
    }
}

/// The role of a cell in a query: one of the two ends of a route, or a cell in between.
///
/// ```
/// use emberwalk_path::Endpoint;
/// assert_eq!(Endpoint::Goal.to_string(), "goal");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Endpoint {
    /// The cell that the route begins at.
    Start,
    /// The cell that the route leads to.
    Goal,
    /// The cell that the route leads through, see [`Planner::plan_through`](crate::Planner::plan_through).
    Waypoint,
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "start",
            Self::Goal => "goal",
            Self::Waypoint => "waypoint",
        })
    }
}

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
    /// The weight of weighted A* is below 1 or not finite.
    #[error("the weight must be a finite number and at least 1, not {0:?}")]
    Weight(f64),
}

/// The index of a cell on the grid; an error if it is off the grid or blocked.
pub(crate) fn passable(grid: &CostGrid, endpoint: Endpoint, cell: Cell) -> Result<usize, QueryError> {
    if !grid.size().contains(cell) {
        return Err(QueryError::OffTheMap { endpoint, cell });
    }
    if !grid.is_passable(cell) {
        return Err(QueryError::Blocked { endpoint, cell });
    }
    Ok(grid.index(cell))
}
