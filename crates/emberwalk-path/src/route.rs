//! Routes, borrowed and owned, and the result of a search.

use crate::grid::Cell;
use crate::{CostGrid, LimitKind, Limits, RouteCost, StepRules};

/// A route that borrows its cells from the planner that found it.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Planner, Route, RouteQuery};
/// let grid = CostGrid::open(Size::new(3, 1))?;
/// let mut planner = Planner::new();
/// let result = planner.plan(&grid, &RouteQuery::new(Cell::new(0, 0), Cell::new(2, 0)))?;
/// let route = result.route.unwrap();
/// assert_eq!((route.steps(), route.cost.tiles()), (2, 2.0));
///
/// // A copy that outlives the next query.
/// let kept: Route = route.to_route();
/// assert_eq!(kept.cells, [Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RouteRef<'a> {
    /// The cells from start to goal, both included; each is a neighbour of the previous one, or a
    /// [link](CostGrid::add_link) leads to it from there.
    pub cells: &'a [Cell],
    /// The sum of the costs of the steps; 0 for a route of one cell.
    pub cost: RouteCost,
}

impl<'a> RouteRef<'a> {
    /// The longest first part of the route that keeps the limits.
    pub(crate) fn cut(self, grid: &CostGrid, rules: StepRules, limits: &Limits) -> Self {
        let mut part = RouteRef { cells: &self.cells[..1], cost: RouteCost::ZERO };
        for end in 2..=self.cells.len() {
            let cost = part.cost + rules.cost_of_steps(grid, &self.cells[end - 2..end]);
            if limits.broken_by(cost, end - 1).is_some() {
                break;
            }
            part = RouteRef { cells: &self.cells[..end], cost };
        }
        part
    }

    /// The number of steps: one less than the number of cells.
    pub fn steps(&self) -> usize {
        self.cells.len().saturating_sub(1)
    }

    /// Copies the cells into an owned route.
    pub fn to_route(&self) -> Route {
        Route { cells: self.cells.to_vec(), cost: self.cost }
    }
}

/// A route that owns its cells.
///
/// The default is an empty route: no cells and cost 0. [`assign`](Self::assign) replaces the route and keeps its
/// memory.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Planner, Route, RouteQuery};
/// let grid = CostGrid::open(Size::new(5, 5))?;
/// let (mut planner, mut route) = (Planner::new(), Route::default());
/// for goal in [Cell::new(4, 0), Cell::new(0, 3)] {
///     let result = planner.plan(&grid, &RouteQuery::new(Cell::new(0, 0), goal))?;
///     route.assign(result.route.expect("the grid is open"));
///     assert_eq!(route.cells.last(), Some(&goal));
/// }
/// assert_eq!(route.steps(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Route {
    /// The cells from start to goal, both included; each is a neighbour of the previous one, or a
    /// [link](CostGrid::add_link) leads to it from there.
    pub cells: Vec<Cell>,
    /// The sum of the costs of the steps; 0 for a route of one cell.
    pub cost: RouteCost,
}

impl Route {
    /// The number of steps: one less than the number of cells; 0 for an empty route.
    pub fn steps(&self) -> usize {
        self.as_route_ref().steps()
    }

    /// Whether the route has no cells.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Borrows the route.
    pub fn as_route_ref(&self) -> RouteRef<'_> {
        RouteRef { cells: &self.cells, cost: self.cost }
    }

    /// Replaces the route by a copy of `other`. Allocates only if `other` has more cells than every route so far.
    pub fn assign(&mut self, other: RouteRef<'_>) {
        self.cells.clear();
        self.cells.extend_from_slice(other.cells);
        self.cost = other.cost;
    }

    /// Makes the route empty; its memory is kept.
    pub fn clear(&mut self) {
        self.cells.clear();
        self.cost = RouteCost::ZERO;
    }
}

impl From<RouteRef<'_>> for Route {
    fn from(route: RouteRef<'_>) -> Self {
        route.to_route()
    }
}

/// The answer to a query.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Planner, RouteQuery};
/// let grid = CostGrid::open(Size::new(4, 1))?;
/// let mut planner = Planner::new();
/// let result = planner.plan(&grid, &RouteQuery::new(Cell::new(3, 0), Cell::new(0, 0)))?;
/// assert!(result.found() && result.optimal);
/// assert_eq!((result.cells().len(), result.cost().unwrap().tiles()), (4, 3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchResult<'a> {
    /// The route; `None` if the goal is unreachable, or because of a limit.
    pub route: Option<RouteRef<'a>>,
    /// The partial route, if the query [asks for one](crate::RouteQuery::with_partial) and there is no route. It begins
    /// at the start, all its steps are possible, and its cost is their sum; it may consist of the start alone. It keeps
    /// [`max_cost`](crate::Limits::max_cost) and [`max_length`](crate::Limits::max_length).
    ///
    /// - If the route that was found has more than `max_length` steps, it is the first part of that route.
    /// - If the search stopped after [`max_expansions`](crate::Limits::max_expansions), it leads to the nearest cell
    ///   that the search had reached. That may even be the goal, by a route that was not yet known to be the cheapest.
    /// - Otherwise it is a cheapest route to the nearest of all cells that can be reached, or that can be reached at no
    ///   more than `max_cost`. So its end depends neither on the algorithm nor on prepared tables.
    ///
    /// The nearest cell is the one at the smallest straight-line distance from the goal, or from one of several goals;
    /// blocked and avoided goals count only if all are. Of several, it is the cheapest to reach, then
    /// the one with the smaller row, then the one with the smaller column. [`Field::nearest_reachable`] finds the same
    /// cell.
    ///
    /// [`Field::nearest_reachable`]: crate::Field::nearest_reachable
    pub partial: Option<RouteRef<'a>>,
    /// The limit that prevented a route; `None` if there is a route, or if the goal is unreachable.
    pub stopped_by: Option<LimitKind>,
    /// The number of expansions, including the search for a partial route. Cells that jump points or the connected
    /// components rule out do not count.
    pub expanded: u64,
    /// The number of these expansions of a cell that had been closed before.
    pub reopened: u64,
    /// Whether the options alone guarantee the lowest cost, see [`Options::optimal`](crate::Options::optimal).
    pub optimal: bool,
}

impl<'a> SearchResult<'a> {
    /// A result without a partial route.
    pub(crate) fn new(route: Option<RouteRef<'a>>, [expanded, reopened]: [u64; 2], optimal: bool) -> Self {
        Self { route, partial: None, stopped_by: None, expanded, reopened, optimal }
    }

    /// The route, or the partial route if there is none.
    pub fn route_or_partial(&self) -> Option<RouteRef<'a>> {
        self.route.or(self.partial)
    }

    /// Whether there is a route.
    pub fn found(&self) -> bool {
        self.route.is_some()
    }

    /// The cells of the route, from start to goal; empty without a route.
    pub fn cells(&self) -> &'a [Cell] {
        self.route.map_or(&[], |route| route.cells)
    }

    /// The cost of the route.
    pub fn cost(&self) -> Option<RouteCost> {
        self.route.map(|route| route.cost)
    }
}
