//! Fields: the lowest cost from one cell to every other, or from every other cell to one.

use crate::budget::Budget;
use crate::grid::{Cell, Size};
use crate::nearest_reachable;
use crate::query::passable;
use crate::search::dijkstra::{self, Backward};
use crate::search::memory::{Memory, Progress};
use crate::search::repair::Repair;
use crate::search::steps::with_steps;
use crate::{CostGrid, Endpoint, QueryError, Route, RouteCost, Stamp, StepRules};

/// The direction of the routes of a [`Field`]. The two differ in cost, because a step costs the entry cost of the cell
/// that it enters, and because a route that leads down leads up in reverse.
///
/// ```
/// use emberwalk_path::grid::Cell;
/// use emberwalk_path::{FieldDirection, FieldQuery};
/// assert_eq!(FieldQuery::to_cell(Cell::new(1, 2)).direction, FieldDirection::To);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum FieldDirection {
    /// From the field's cell to every other cell.
    #[default]
    From,
    /// From every other cell to the field's cell.
    To,
}

/// The query of a [`Field`].
///
/// ```
/// use emberwalk_path::grid::Cell;
/// use emberwalk_path::{FieldQuery, Moves, StepRules};
/// let rules = StepRules { moves: Moves::Four, ..StepRules::default() };
/// let query = FieldQuery::from_cell(Cell::new(3, 4)).with_rules(rules);
/// assert_eq!(query.rules.moves, Moves::Four);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FieldQuery {
    /// The cell that all routes begin or end at.
    pub cell: Cell,
    /// Whether the routes lead from that cell or to it.
    pub direction: FieldDirection,
    /// Which steps are allowed.
    #[cfg_attr(feature = "serde", serde(default))]
    pub rules: StepRules,
}

impl FieldQuery {
    /// Creates a query for the routes from `cell` to every other, with the default rules.
    pub fn from_cell(cell: Cell) -> Self {
        Self { cell, direction: FieldDirection::From, rules: StepRules::default() }
    }

    /// Creates a query for the routes from every other cell to `cell`, with the default rules.
    pub fn to_cell(cell: Cell) -> Self {
        Self { cell, direction: FieldDirection::To, rules: StepRules::default() }
    }

    /// The same query with other rules.
    #[must_use]
    pub fn with_rules(self, rules: StepRules) -> Self {
        Self { rules, ..self }
    }
}

/// The lowest cost between one cell and every other, with a route for each.
///
/// A field does not follow the grid by itself: it keeps the costs of the grid as it was when they were computed, until
/// [`update`](Self::update) repairs them. Its memory is kept for the next computation.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Field, FieldQuery};
/// let grid = CostGrid::from_fn(Size::new(4, 3), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
/// let mut field = Field::new();
/// field.compute(&grid, &FieldQuery::from_cell(Cell::new(0, 0)))?;
/// assert_eq!(field.cost(Cell::new(3, 0)).unwrap().tiles(), 3.0);
/// let route = field.route(Cell::new(2, 0)).unwrap();
/// assert_eq!(route.cells, [Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Field {
    memory: Memory,
    size: Size,
    query: FieldQuery,
    stamp: Stamp,
}

impl Field {
    /// An empty field: no cell has a cost before [`compute`](Self::compute).
    pub fn new() -> Self {
        Self::default()
    }

    /// Computes the lowest costs by Dijkstra's algorithm: O(cells), or O(cells log cells) if the costs of the grid are
    /// far apart.
    ///
    /// # Errors
    /// [`QueryError`] if the cell of the query is off the map or blocked. The error calls it the start if routes lead
    /// [`From`](FieldDirection::From) it, and the goal if they lead [`To`](FieldDirection::To) it. The field is then
    /// empty.
    pub fn compute(&mut self, grid: &CostGrid, query: &FieldQuery) -> Result<(), QueryError> {
        self.size = Size::default();
        self.update(grid, query).map(|_| ())
    }

    /// Brings the field up to date with a grid that has changed since the field was computed for the same query, and
    /// returns how many cells were expanded. It visits only the cells whose costs change and the cells around them. It
    /// computes the field again if that is less work: if many costs change, if the query or the grid is not the same as
    /// before, or if the grid no longer remembers all changes. It takes at most about twice as long as
    /// [`compute`](Self::compute).
    ///
    /// The costs are the same as after `compute`. Of several cheapest routes, a repaired field may return a different
    /// one.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Field, FieldQuery};
    /// let mut grid = CostGrid::from_fn(Size::new(40, 30), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
    /// let (mut field, query) = (Field::new(), FieldQuery::from_cell(Cell::new(0, 0)));
    /// assert_eq!(field.update(&grid, &query)?, 1200, "at first all cells are expanded");
    /// grid.set(Cell::new(38, 0), EntryCost::from_tiles(3.0).ok());
    /// assert!(field.update(&grid, &query)? < 20);
    /// assert_eq!(field.cost(Cell::new(38, 0)).unwrap().tiles(), 40.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`compute`](Self::compute).
    pub fn update(&mut self, grid: &CostGrid, query: &FieldQuery) -> Result<u64, QueryError> {
        self.advance(grid, query, Budget::UNLIMITED).unwrap_or(Ok(0))
    }

    /// Does the work of [`update`](Self::update) in slices: continues until about `cells` cells have been visited.
    /// Returns `None` until it has finished, then the result of `update`. Until then the field is empty. It starts over
    /// if the query or the grid is not the same as in the last call.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Field, FieldQuery};
    /// let grid = CostGrid::from_fn(Size::new(200, 150), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
    /// let (mut field, query) = (Field::new(), FieldQuery::from_cell(Cell::new(0, 0)));
    /// assert_eq!(field.advance(&grid, &query, 20_000), None);
    /// assert_eq!(field.cost(Cell::new(1, 0)), None);
    /// // After the next frame:
    /// assert_eq!(field.advance(&grid, &query, 20_000), Some(Ok(30_000)), "cells in all");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`compute`](Self::compute).
    pub fn advance(&mut self, grid: &CostGrid, query: &FieldQuery, cells: u64) -> Option<Result<u64, QueryError>> {
        let stamp = self.stamp;
        let can_follow = self.size == grid.size()
            && self.query == *query
            && grid.is_passable(query.cell)
            && grid.count_changes_since(stamp).is_some();
        if can_follow {
            let (memory, start) = (&mut self.memory, grid.index(query.cell));
            let expanded = with_steps!(grid, query.rules, steps => match query.direction {
                _ if stamp == grid.stamp() => Some(0),
                FieldDirection::From => Repair { grid, start, stamp, steps }.run(memory),
                FieldDirection::To => Repair { grid, start, stamp, steps: Backward(steps) }.run(memory),
            });
            if let Some(expanded) = expanded {
                self.stamp = grid.stamp();
                return Some(Ok(expanded));
            }
        }
        self.fill(grid, query, &mut Budget::new(cells))
    }

    /// Starts or continues the computation of all costs; once it has finished, returns how many cells were expanded.
    fn fill(&mut self, grid: &CostGrid, query: &FieldQuery, budget: &mut Budget) -> Option<Result<u64, QueryError>> {
        if (self.query, self.stamp) != (*query, grid.stamp()) {
            self.memory.fill = Progress::default();
        }
        self.size = Size::default();
        let end = match query.direction {
            FieldDirection::From => Endpoint::Start,
            FieldDirection::To => Endpoint::Goal,
        };
        let start = match passable(grid, end, query.cell) {
            Ok(start) => start,
            Err(error) => return Some(Err(error)),
        };
        (self.query, self.stamp) = (*query, grid.stamp());
        let memory = &mut self.memory;
        let filled = with_steps!(grid, query.rules, steps => match query.direction {
            FieldDirection::From => dijkstra::fill(memory, grid, start, steps, budget),
            FieldDirection::To => dijkstra::fill(memory, grid, start, Backward(steps), budget),
        });
        let expanded = filled.continue_value()?;
        self.size = grid.size();
        Some(Ok(expanded))
    }

    /// The lowest cost of a route between the field's cell and `cell`; `None` if there is no route.
    pub fn cost(&self, cell: Cell) -> Option<RouteCost> {
        let at = self.index(cell)?;
        self.memory.nodes.cost(at).map(RouteCost::from_units)
    }

    /// A cheapest route, from its start to its goal; `None` if there is none. `cell` is the goal in a field
    /// [`FieldDirection::From`] and the start in a field [`FieldDirection::To`].
    ///
    /// [`route_into`](Self::route_into) does the same without a new allocation. O(cells of the route).
    pub fn route(&self, cell: Cell) -> Option<Route> {
        let mut route = Route::default();
        self.route_into(cell, &mut route).then_some(route)
    }

    /// Writes the route of [`route`](Self::route) into `route` and returns whether there is one; `route` is empty if
    /// there is none. Allocates only for a route of more cells than `route` has held before.
    pub fn route_into(&self, cell: Cell, route: &mut Route) -> bool {
        route.clear();
        let Some(cost) = self.cost(cell) else { return false };
        route.cost = cost;
        route.cells.push(cell);
        let mut cell = cell;
        while let Some(at) = self.index(cell)
            && cell != self.query.cell
        {
            cell = cell + self.memory.nodes.direction(at).opposite();
            route.cells.push(cell);
        }
        if self.query.direction == FieldDirection::From {
            route.cells.reverse();
        }
        true
    }

    /// The cell nearest to `goal` that has a route: the smallest straight-line distance, then the lowest cost,
    /// then the smaller row, then the smaller column. `None` if `goal` is off the map or the field is empty.
    pub fn nearest_reachable(&self, goal: Cell) -> Option<Cell> {
        if !self.size.contains(goal) {
            return None;
        }
        let distance = nearest_reachable::distance_squared(self.size, goal, |cell| self.cost(cell).is_some())?;
        let tied =
            nearest_reachable::at_distance(goal, distance).filter_map(|cell| Some((self.cost(cell)?, cell.y, cell.x)));
        tied.min().map(|(_, y, x)| Cell::new(x, y))
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        let stride = self.size.width as usize + 1;
        self.size.contains(cell).then(|| (cell.y as usize + 1) * stride + cell.x as usize + 1)
    }
}
