//! The cheapest route through a given cell.

use std::ops::ControlFlow;

use super::Planner;
use super::paused_query::FirstHalf;
use crate::grid::Cell;
use crate::pauses::{ALWAYS, GoOn};
use crate::query::passable;
use crate::{CostGrid, Endpoint, Query, QueryError, RouteRef, SearchResult};

impl Planner {
    /// Answers a query by a route through `waypoint`: the route from the start to it, joined with the route from it to
    /// the goal. Both are planned with the options of the query, and the result counts the work of both searches. Every
    /// call allocates memory for the joined route.
    ///
    /// Start and goal count as entered, so a route through one of them is the route of [`plan`](Self::plan). A cell can
    /// occur twice, where the route leaves the waypoint by the cells by which it came. There is no route if the
    /// waypoint or the goal is unreachable.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Planner, Query};
    /// let grid = CostGrid::from_fn(Size::new(5, 5), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
    /// let query = Query::new(Cell::new(0, 0), Cell::new(4, 0));
    /// let mut planner = Planner::new();
    /// let best = planner.plan(&grid, &query)?.cost().unwrap();
    /// let detour = planner.plan_through(&grid, &query, Cell::new(2, 2))?;
    /// assert!(detour.cells().contains(&Cell::new(2, 2)));
    /// assert!(detour.cost().unwrap() > best);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`QueryError`], as for [`plan`](Self::plan), also if the waypoint is off the map or blocked.
    pub fn plan_through(
        &mut self,
        grid: &CostGrid,
        query: &Query,
        waypoint: Cell,
    ) -> Result<SearchResult<'_>, QueryError> {
        (self.paused, self.first_half) = (None, None);
        let planned = self.plan_through_with_pauses(grid, query, waypoint, ALWAYS);
        planned.continue_value().expect("nothing pauses the searches")
    }

    /// Does the same as [`plan_through`](Self::plan_through), and pauses as
    /// [`plan_with_pauses`](Self::plan_with_pauses) does.
    ///
    /// # Errors
    /// The same.
    pub fn plan_through_with_pauses(
        &mut self,
        grid: &CostGrid,
        query: &Query,
        waypoint: Cell,
        go_on: GoOn<'_>,
    ) -> ControlFlow<(), Result<SearchResult<'_>, QueryError>> {
        let check = |endpoint, cell| passable(grid, endpoint, cell);
        let start = check(Endpoint::Start, query.from);
        if let Err(error) = start.and(check(Endpoint::Waypoint, waypoint)).and(check(Endpoint::Goal, query.to)) {
            return ControlFlow::Continue(Err(error));
        }
        let mut route = match self.first_half.take().filter(|first| first.is_of(grid, query, waypoint)) {
            Some(first) => first,
            None => match self.plan_with_pauses(grid, &Query { to: waypoint, ..*query }, go_on)? {
                Ok(result) => FirstHalf::new(grid, query, waypoint, result),
                Err(error) => return ControlFlow::Continue(Err(error)),
            },
        };
        if route.found {
            match self.plan_with_pauses(grid, &Query { from: waypoint, ..*query }, go_on) {
                ControlFlow::Continue(Ok(second)) => {
                    route.found = second.found();
                    route.expanded += second.expanded;
                    route.reopened += second.reopened;
                    route.cells.extend(second.cells().iter().skip(1));
                }
                ControlFlow::Continue(Err(error)) => return ControlFlow::Continue(Err(error)),
                ControlFlow::Break(()) => {
                    self.first_half = Some(route);
                    return ControlFlow::Break(());
                }
            }
        }
        let FirstHalf { found, expanded, reopened, cells, .. } = route;
        self.cells = cells;
        let route = found
            .then(|| RouteRef { cells: &self.cells, cost: query.options.rules().cost_of_steps(grid, &self.cells) });
        ControlFlow::Continue(Ok(SearchResult { route, expanded, reopened, optimal: query.options.optimal() }))
    }
}
