//! The cheapest route through a given cell.

use super::Planner;
use crate::grid::Cell;
use crate::query::passable;
use crate::{CostGrid, Endpoint, QueryError, RouteQuery, RouteRef, SearchResult};

impl Planner {
    /// Answers a query by a route through `waypoint`: the route from the start to it, joined with the route from it to
    /// the goal. Both are planned with the options of the query, and the result counts the work of both searches. The
    /// limits of the query hold for each of the two, and it has no partial route. Every call allocates memory for the
    /// joined route.
    ///
    /// Every route contains its start and its goal: if the waypoint is one of them, the route is the route of
    /// [`plan`](Self::plan). A cell can occur twice if the route leaves the waypoint through the cells through which it
    /// came. There is no route if the waypoint or the goal is unreachable.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Planner, RouteQuery};
    /// let grid = CostGrid::open(Size::new(5, 5))?;
    /// let query = RouteQuery::new(Cell::new(0, 0), Cell::new(4, 0));
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
        query: &RouteQuery,
        waypoint: Cell,
    ) -> Result<SearchResult<'_>, QueryError> {
        passable(grid, Endpoint::Start, query.from)?;
        passable(grid, Endpoint::Waypoint, waypoint)?;
        passable(grid, Endpoint::Goal, query.to)?;
        let query = &RouteQuery { partial: false, ..*query };
        let first = self.plan(grid, &query.with_goal(waypoint))?;
        let (mut found, mut expanded, mut reopened) = (first.found(), first.expanded, first.reopened);
        let mut stopped_by = first.stopped_by;
        let mut cells = first.cells().to_vec();
        if found {
            let second = self.plan(grid, &query.with_start(waypoint))?;
            found = second.found();
            stopped_by = second.stopped_by;
            expanded += second.expanded;
            reopened += second.reopened;
            cells.extend(second.cells().iter().skip(1));
        }
        self.cells = cells;
        let route =
            found.then(|| RouteRef { cells: &self.cells, cost: query.options.rules.cost_of_steps(grid, &self.cells) });
        Ok(SearchResult { stopped_by, ..SearchResult::new(route, [expanded, reopened], query.options.optimal()) })
    }
}
