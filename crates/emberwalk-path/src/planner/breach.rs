//! The fewest blocked cells to open where there is no route.

use super::{Planner, ends};
use crate::grid::Cell;
use crate::search::breach;
use crate::search::steps::with_steps;
use crate::{CostGrid, EntryCost, QueryError, Route, RouteCost, RouteQuery};

/// The smallest set of blocked cells that must be opened to make a route possible, see [`Planner::breach`].
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Planner, RouteQuery};
/// let grid = CostGrid::open(Size::new(2, 1))?;
/// let query = RouteQuery::new(Cell::new(0, 0), Cell::new(1, 0));
/// let breach = Planner::new().breach(&grid, &query, |_| None)?.unwrap();
/// assert!(breach.opened.is_empty(), "there is a route");
/// assert_eq!(breach.route.cost.tiles(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
pub struct Breach {
    /// The cells to open, in the order in which the route enters them; empty if there is a route without opening any.
    pub opened: Vec<Cell>,
    /// The cheapest route that opens this number of cells.
    pub route: Route,
}

impl Planner {
    /// The smallest set of blocked cells that must be opened to make a route possible; of several sets of the same
    /// size, the one with the cheapest route. `None` if opening cells does not help. If there is a route already, no
    /// cell is opened.
    ///
    /// `opened_cost` returns the entry cost of a blocked cell once it is opened, or `None` if it cannot be opened. It
    /// is called only for blocked cells of the grid, up to four times for each.
    ///
    /// Blocked cells are entered and left by straight steps only, or by any step with six moves. The corner rule still
    /// sees them as blocked. Cliffs stay: a blocked cell keeps its level, and steps to and from it climb. Of the
    /// options, only the [step rules](crate::Options::rules) matter. The search visits every cell that can be reached
    /// by opening fewer cells: O(cells log cells) at most.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Planner, RouteQuery};
    /// // Two walls across the grid. The second one has a gap in the south.
    /// let grid = CostGrid::from_fn(Size::new(5, 3), Diagonal::GAME, |cell| {
    ///     let is_wall = cell.x == 1 || cell.x == 3 && cell.y < 2;
    ///     (!is_wall).then_some(EntryCost::TILE)
    /// })?;
    /// let query = RouteQuery::new(Cell::new(0, 0), Cell::new(4, 0));
    /// let mut planner = Planner::new();
    /// assert!(!planner.plan(&grid, &query)?.found());
    ///
    /// let breach = planner.breach(&grid, &query, |_| Some(EntryCost::TILE))?.unwrap();
    /// assert_eq!(breach.opened, [Cell::new(1, 2)], "on the shortest route through the gap");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`QueryError`] if the start or the goal is off the map or blocked.
    pub fn breach(
        &mut self,
        grid: &CostGrid,
        query: &RouteQuery,
        opened_cost: impl Fn(Cell) -> Option<EntryCost>,
    ) -> Result<Option<Breach>, QueryError> {
        self.paused = None;
        let endpoints = ends(grid, query)?;
        let opened_units = |cell: Cell| opened_cost(cell).map_or(0, EntryCost::units);
        let memory = &mut self.memory;
        // Without links, because a link to a blocked cell would have to open it, too.
        let steps = query.options.rules.without_links();
        let found = with_steps!(grid, steps, steps => breach::search(memory, grid, endpoints, steps, opened_units));
        if !found {
            return Ok(None);
        }
        memory.has_jumped = false;
        self.cells.clear();
        self.follow_parents(grid, endpoints);
        let nodes = &self.memory.nodes;
        let cost = RouteCost::from_units(nodes.label(endpoints.goal) - nodes.zero());
        let opened = self.cells.iter().copied().filter(|&cell| !grid.is_passable(cell)).collect();
        Ok(Some(Breach { opened, route: Route { cells: self.cells.clone(), cost } }))
    }
}
