//! The query with several starts, several goals, and cells to avoid.

use std::slice;

use crate::grid::Cell;
use crate::query::route_query_methods;
use crate::{Limits, Options, RouteCost, RouteQuery, StepRules, Ties};

/// A question to [`Planner::plan_multi`](crate::Planner::plan_multi): the cheapest of all routes from any of several
/// starts to any of several goals, which avoids some cells.
///
/// It borrows its cells, so it is cheap to copy and needs no memory. A [`RouteQuery`] converts into the same query with
/// one start and one goal.
///
/// Starts and goals that are off the map or blocked are ignored, as are avoided goals; blocked starts are not if the
/// query [leaves](Self::leaving_blocked) them. So the goals can be all cells beside a building, see [`Cell::around`],
/// even if other things stand on some of them. An avoided cell counts as blocked, for the corner rule too, but a route
/// may begin at one. So all agents can avoid the same list: the cells of all agents.
///
/// It is built by the same methods as a [`RouteQuery`]. Only `plan_multi` answers it:
/// [`RouteSearch`](crate::RouteSearch), [`Replanner`](crate::Replanner) and [`plan_all`](crate::Planner::plan_all) take
/// a [`RouteQuery`].
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, MultiQuery, Planner};
/// let grid = CostGrid::open(Size::new(9, 9))?;
/// let mines = [Cell::new(8, 0), Cell::new(5, 4), Cell::new(0, 8)];
/// let worker = [Cell::new(1, 4)];
/// let query = MultiQuery::new(&worker, &mines);
/// let mut planner = Planner::new();
/// let result = planner.plan_multi(&grid, &query)?;
/// assert_eq!(result.cells().last(), Some(&mines[1]), "the nearest mine");
///
/// // Other workers are at the nearest mine and beside it.
/// let others = [Cell::new(5, 4), Cell::new(4, 4)];
/// let result = planner.plan_multi(&grid, &query.with_avoided(&others))?;
/// assert_eq!(result.cells().last(), Some(&mines[2]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct MultiQuery<'a> {
    /// The starts.
    pub starts: &'a [Cell],
    /// The goals.
    pub goals: &'a [Cell],
    /// The cells that the route does not enter.
    pub avoided: &'a [Cell],
    /// How to search.
    pub options: Options,
    /// Limits of the route and of the search.
    pub limits: Limits,
    /// Whether the answer has a partial route if it has no route, see [`with_partial`](Self::with_partial).
    pub partial: bool,
    /// Whether the route may begin beside blocked starts, see [`leaving_blocked`](Self::leaving_blocked).
    pub leaves_blocked: bool,
}

impl<'a> MultiQuery<'a> {
    /// Creates a query for the cheapest route from any start to any goal, with the default options.
    pub const fn new(starts: &'a [Cell], goals: &'a [Cell]) -> Self {
        let (options, limits) = (Options::new(), Limits::new());
        Self { starts, goals, avoided: &[], options, limits, partial: false, leaves_blocked: false }
    }

    /// The same query for a route that does not enter these cells.
    pub const fn with_avoided(self, avoided: &'a [Cell]) -> Self {
        Self { avoided, ..self }
    }

    route_query_methods!();
}

/// The query with one start and one goal.
impl<'a> From<&'a RouteQuery> for MultiQuery<'a> {
    fn from(query: &'a RouteQuery) -> Self {
        let (starts, goals) = (slice::from_ref(&query.from), slice::from_ref(&query.to));
        let &RouteQuery { options, limits, partial, leaves_blocked, .. } = query;
        Self { starts, goals, avoided: &[], options, limits, partial, leaves_blocked }
    }
}
