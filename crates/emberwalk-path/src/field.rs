//! Fields: the lowest cost from one cell to every other, or from every other cell to one.

use std::ops::ControlFlow;
use std::task::Poll;

use crate::budget::{Budget, finished, poll};
#[cfg(feature = "serde")]
use crate::grid::Direction;
use crate::grid::{Cell, Size};
use crate::nearest_reachable;
use crate::query::unusable;
use crate::search::dijkstra::fill_from;
use crate::search::memory::{Memory, Progress};
use crate::search::repair::Repair;
use crate::search::steps::Backward;
use crate::search::steps::with_steps;
use crate::{Corners, CostGrid, Endpoint, Moves, QueryError, Route, RouteCost, Stamp, StepRules, Ties};

/// The direction of the routes of a [`Field`]. The two differ in cost, because a step costs the entry cost of the cell
/// that it enters, and because a route that leads down leads up in reverse.
///
/// ```
/// use emberwalk_path::grid::Cell;
/// use emberwalk_path::{FieldDirection, FieldQuery};
/// assert_eq!(FieldQuery::routes_to(Cell::new(1, 2)).direction, FieldDirection::To);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum FieldDirection {
    /// From the field's cell to every other cell.
    #[default]
    From,
    /// From every other cell to the field's cell.
    To,
}

/// The query of a [`Field`]: for the routes from one cell to every other, or from every other cell to one. With several
/// cells, the routes begin or end at the nearest of them: of mines, exits, or all cells beside a building, see
/// [`Cell::around`].
///
/// The cells are a [`Cell`], or a slice, an array or a vector of cells, owned or borrowed. Of several cells, the ones
/// off the map and the blocked ones are ignored.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Field, FieldQuery, Moves, StepRules};
/// let grid = CostGrid::open(Size::new(9, 5))?;
/// let mut field = Field::new();
/// let rules = StepRules::default().with_moves(Moves::Four);
/// field.compute(&grid, &FieldQuery::routes_from(Cell::new(0, 0)).with_rules(rules))?;
/// assert_eq!(field.cost(Cell::new(3, 2)).unwrap().tiles(), 5.0);
///
/// let exits = [Cell::new(0, 2), Cell::new(8, 2)];
/// field.compute(&grid, &FieldQuery::routes_to(&exits))?;
/// assert_eq!(field.cost(Cell::new(6, 2)).unwrap().tiles(), 2.0);
/// assert_eq!(field.next(Cell::new(6, 2)), Some(Cell::new(7, 2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[must_use]
pub struct FieldQuery<C = Cell> {
    /// The cell or the cells that all routes begin or end at.
    pub cells: C,
    /// Whether the routes lead from there or to it.
    pub direction: FieldDirection,
    /// Which steps are allowed.
    #[cfg_attr(feature = "serde", serde(default))]
    pub rules: StepRules,
    /// Which of several cheapest routes the field has.
    ///
    /// With [`Ties::Canonical`] they depend on the costs, the levels and the query alone, also after an
    /// [update](Field::update), which takes up to twice as long. In a field [`From`](FieldDirection::From) a cell, they
    /// are the routes of a planner with canonical ties. In a field [`To`](FieldDirection::To) a cell, each step is the
    /// first, clockwise from north, of the first steps of all cheapest routes.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::saved::is_default"))]
    pub ties: Ties,
    /// The highest cost of a route, see [`with_max_cost`](Self::with_max_cost).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub max_cost: Option<RouteCost>,
}

impl<C> FieldQuery<C> {
    /// Creates a query for the routes in that direction, with the default rules.
    pub const fn new(cells: C, direction: FieldDirection) -> Self {
        let rules = StepRules::new(Moves::Eight, Corners::Never);
        Self { cells, direction, rules, ties: Ties::Any, max_cost: None }
    }

    /// Creates a query for the routes from a cell, or from the nearest of several, to every other cell, with the
    /// default rules.
    pub const fn routes_from(cells: C) -> Self {
        Self::new(cells, FieldDirection::From)
    }

    /// Creates a query for the routes from every other cell to a cell, or to the nearest of several, with the default
    /// rules.
    pub const fn routes_to(cells: C) -> Self {
        Self::new(cells, FieldDirection::To)
    }

    /// The same query with other step rules.
    pub const fn with_rules(mut self, rules: StepRules) -> Self {
        self.rules = rules;
        self
    }

    /// The same query with another rule for routes of the same cost.
    pub const fn with_ties(mut self, ties: Ties) -> Self {
        self.ties = ties;
        self
    }

    /// The same query for routes that cost at most this: more distant cells have no route. The search does not expand
    /// them, so it takes less time.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Field, FieldQuery, RouteCost};
    /// // Where can this agent go with three movement points?
    /// let grid = CostGrid::open(Size::new(100, 1))?;
    /// let mut field = Field::new();
    /// let points = RouteCost::from_tiles(3.0)?;
    /// field.compute(&grid, &FieldQuery::routes_from(Cell::new(50, 0)).with_max_cost(points))?;
    /// assert_eq!(grid.size().cells().filter(|&cell| field.cost(cell).is_some()).count(), 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn with_max_cost(mut self, cost: RouteCost) -> Self {
        self.max_cost = Some(cost);
        self
    }

    /// The same query for other cells.
    fn with_cells<D>(&self, cells: D) -> FieldQuery<D> {
        let &Self { direction, rules, ties, max_cost, .. } = self;
        FieldQuery { cells, direction, rules, ties, max_cost }
    }

    /// The highest cost of a route, in units.
    fn max_units(&self) -> u64 {
        self.max_cost.map_or(u64::MAX, RouteCost::units)
    }
}

impl FieldQuery<&[Cell]> {
    /// The indices of the cells that are on the grid and passable.
    fn starts(self, grid: &CostGrid) -> impl Iterator<Item = usize> {
        self.cells.iter().filter(|&&cell| grid.is_passable(cell)).map(|&cell| grid.index(cell))
    }

    /// Why none of the cells can be used.
    fn error(self, grid: &CostGrid) -> QueryError {
        let end = match self.direction {
            FieldDirection::From => Endpoint::Start,
            FieldDirection::To => Endpoint::Goal,
        };
        unusable(grid, end, self.cells.first())
    }
}

/// The lowest cost between one cell, or the nearest of several, and every other, with a route for each.
///
/// A field does not follow the grid by itself: it keeps the costs of the grid as it was when they were computed, until
/// [`update`](Self::update) repairs them. Its memory is kept for the next computation.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Field, FieldQuery};
/// let grid = CostGrid::open(Size::new(4, 3))?;
/// let mut field = Field::new();
/// field.compute(&grid, &FieldQuery::routes_from(Cell::new(0, 0)))?;
/// assert_eq!(field.cost(Cell::new(3, 0)).unwrap().tiles(), 3.0);
/// let route = field.route(Cell::new(2, 0)).unwrap();
/// assert_eq!(route.cells, [Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Field {
    memory: Memory,
    size: Size,
    /// The indices of the cells of the query that were passable.
    starts: Vec<usize>,
    /// The query of the last computation, without its cells.
    query: FieldQuery<()>,
    stamp: Stamp,
}

/// A field as a crowd saves it: where it differs from the field that is computed on the current grid. That is nowhere or in a
/// few cells, where there are several cheapest routes or where the grid has changed since.
#[cfg(feature = "serde")]
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct SavedField {
    #[serde(with = "crate::cost::stamp::saved")]
    stamp: Stamp,
    is_empty: bool,
    /// The starts, if they differ.
    starts: Option<Vec<usize>>,
    /// The cells that differ, by their indices: the cost in units and the direction of the step, if there is a route.
    cells: Vec<(usize, Option<(u64, Direction)>)>,
}

#[cfg(feature = "serde")]
impl SavedField {
    /// A field that was computed for a query, perhaps on an earlier state of the grid, to save it.
    pub fn new(field: &Field, grid: &CostGrid, query: FieldQuery<&[Cell]>) -> Self {
        let now = Field::filled(grid, query);
        let is_empty = field.size == Size::default();
        let len = if is_empty { 0 } else { grid.entry_units().len() };
        let route = |field: &Field, at| Some((field.memory.nodes.cost(at)?, field.memory.nodes.direction(at)));
        let cells = (0..len).filter(|&at| route(field, at) != route(&now, at)).map(|at| (at, route(field, at)));
        let starts = (field.starts != now.starts).then(|| field.starts.clone());
        Self { stamp: field.stamp, is_empty, starts, cells: cells.collect() }
    }

    /// The field, on an equal grid and for the same query.
    pub fn load(self, grid: &CostGrid, query: FieldQuery<&[Cell]>) -> Field {
        let mut field = Field::filled(grid, query);
        let nodes = &mut field.memory.nodes;
        let (zero, limit) = (nodes.zero(), nodes.limit());
        for (at, route) in self.cells.into_iter().filter(|&(at, _)| at < grid.entry_units().len()) {
            match route.filter(|&(cost, _)| cost < limit - zero) {
                Some((cost, direction)) => {
                    nodes.open(at, zero + cost, direction);
                    nodes.close(at);
                }
                None => nodes.forget(at),
            }
        }
        field.size = if self.is_empty { Size::default() } else { grid.size() };
        field.stamp = self.stamp;
        field.starts = self.starts.unwrap_or(field.starts);
        field
    }

    /// The stamp of the grid for which it was computed.
    pub fn stamp_mut(&mut self) -> &mut Stamp {
        &mut self.stamp
    }
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
    /// [`QueryError`] if the cell of the query is off the map or blocked; of several cells, the error of the
    /// first one if none can be used. The error calls it the start if routes lead [`From`](FieldDirection::From) it,
    /// and the goal if they lead [`To`](FieldDirection::To) it. The field is then empty.
    pub fn compute(&mut self, grid: &CostGrid, query: &FieldQuery<impl AsRef<[Cell]>>) -> Result<(), QueryError> {
        self.forget();
        self.update(grid, query).map(|_| ())
    }

    /// Brings the field up to date with a grid that has changed since the field was computed for the same query, and
    /// returns how many cells were expanded. It visits only the cells whose costs change and the cells around them. It
    /// computes the field again if that is less work: if many costs change, if the query or the grid is not the same as
    /// before, or if the grid has [links](CostGrid::add_link) or no longer remembers all changes. It takes at most about
    /// twice as long as [`compute`](Self::compute).
    ///
    /// The costs are the same as after `compute`. Of several cheapest routes, a repaired field may return a different
    /// one, unless [ties](FieldQuery::ties) are canonical.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, EntryCost, Field, FieldQuery};
    /// let mut grid = CostGrid::open(Size::new(40, 30))?;
    /// let (mut field, query) = (Field::new(), FieldQuery::routes_from(Cell::new(0, 0)));
    /// assert_eq!(field.update(&grid, &query)?, 1200, "at first all cells are expanded");
    /// grid.set(Cell::new(38, 0), Some(EntryCost::from_tiles(3.0)?));
    /// assert!(field.update(&grid, &query)? < 20);
    /// assert_eq!(field.cost(Cell::new(38, 0)).unwrap().tiles(), 40.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`compute`](Self::compute).
    pub fn update(&mut self, grid: &CostGrid, query: &FieldQuery<impl AsRef<[Cell]>>) -> Result<u64, QueryError> {
        finished(self.advance(grid, query, Budget::UNLIMITED))
    }

    /// Does the work of [`update`](Self::update) [in slices](crate#work-in-slices) of about `cells` visited cells.
    /// Until it has finished, the field is empty. It starts over if the query or the grid is not the same as in the
    /// last call.
    ///
    /// ```
    /// use std::task::Poll;
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Field, FieldQuery};
    /// let grid = CostGrid::open(Size::new(200, 150))?;
    /// let (mut field, query) = (Field::new(), FieldQuery::routes_from(Cell::new(0, 0)));
    /// assert!(field.advance(&grid, &query, 20_000).is_pending());
    /// assert_eq!(field.cost(Cell::new(1, 0)), None);
    /// // After the next frame:
    /// assert_eq!(field.advance(&grid, &query, 20_000), Poll::Ready(Ok(30_000)), "cells in all");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`compute`](Self::compute).
    pub fn advance(
        &mut self,
        grid: &CostGrid,
        query: &FieldQuery<impl AsRef<[Cell]>>,
        cells: u64,
    ) -> Poll<Result<u64, QueryError>> {
        let query = query.with_cells(query.cells.as_ref());
        match self.repair(grid, query, u64::MAX) {
            Some(expanded) => Poll::Ready(Ok(expanded)),
            None => self.fill(grid, query, &mut Budget::new(cells)),
        }
    }

    /// Brings the field up to date without computing it again, and returns how many cells were expanded; `None`, with
    /// the field as it was, if it would be more than this many, or if it would take longer than that.
    #[doc(hidden)]
    pub fn repair(&mut self, grid: &CostGrid, query: FieldQuery<&[Cell]>, max_expanded: u64) -> Option<u64> {
        let stamp = self.stamp;
        let can_follow =
            self.size == grid.size() && self.answers(grid, query) && grid.count_changes_since(stamp).is_some();
        let is_same = stamp == grid.stamp();
        if !can_follow || is_same || grid.links_for(query.rules).is_some() {
            return (can_follow && is_same).then_some(0);
        }
        let (memory, ties, max_units) = (&mut self.memory, query.ties, query.max_units());
        let expanded = with_steps!(grid, query.rules, steps => match query.direction {
            FieldDirection::From => Repair { grid, stamp, steps, ties, max_units, max_expanded }.run(memory),
            FieldDirection::To => {
                let steps = Backward::new(steps);
                Repair { grid, stamp, steps, ties, max_units, max_expanded }.run(memory)
            }
        })?;
        self.stamp = grid.stamp();
        Some(expanded)
    }

    /// Empties the field, so that the next update computes it. Its memory is kept.
    #[doc(hidden)]
    pub fn forget(&mut self) {
        self.size = Size::default();
        self.memory.fill = Progress::default();
    }

    /// The stamp of the grid that the field was last computed or repaired for.
    #[doc(hidden)]
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// The same, to replace it by the stamp of an equal grid.
    #[doc(hidden)]
    pub fn stamp_mut(&mut self) -> &mut Stamp {
        &mut self.stamp
    }

    /// Whether the last computation was for this query, with the same passable cells.
    fn answers(&self, grid: &CostGrid, query: FieldQuery<&[Cell]>) -> bool {
        self.query == query.with_cells(()) && query.starts(grid).eq(self.starts.iter().copied())
    }

    /// Starts or continues the computation of all costs; once it has finished, returns how many cells were expanded.
    fn fill(
        &mut self,
        grid: &CostGrid,
        query: FieldQuery<&[Cell]>,
        budget: &mut Budget,
    ) -> Poll<Result<u64, QueryError>> {
        if self.stamp != grid.stamp() || !self.answers(grid, query) {
            self.memory.fill = Progress::default();
        }
        self.size = Size::default();
        self.query = query.with_cells(());
        self.stamp = grid.stamp();
        self.starts.clear();
        self.starts.extend(query.starts(grid));
        if self.starts.is_empty() {
            return Poll::Ready(Err(query.error(grid)));
        }
        let filled = self.fill_from_starts(grid, query, budget);
        if filled.is_continue() {
            self.size = grid.size();
        }
        poll(filled.map_continue(Ok))
    }

    /// The same once the starts are known.
    fn fill_from_starts(
        &mut self,
        grid: &CostGrid,
        query: FieldQuery<&[Cell]>,
        budget: &mut Budget,
    ) -> ControlFlow<(), u64> {
        let (memory, starts, kind) = (&mut self.memory, &self.starts, (query.max_units(), query.ties));
        with_steps!(grid, query.rules, steps => match query.direction {
            FieldDirection::From => fill_from(memory, grid, starts, steps, kind, budget),
            FieldDirection::To => fill_from(memory, grid, starts, Backward::new(steps), kind, budget),
        })
    }

    /// The field of a grid, with room for labels also if the query has no start.
    #[cfg(feature = "serde")]
    fn filled(grid: &CostGrid, query: FieldQuery<&[Cell]>) -> Self {
        let mut field = Self::new();
        let budget = &mut Budget::new(Budget::UNLIMITED);
        if let Poll::Ready(Err(_)) = field.fill(grid, query, budget) {
            let _ = field.fill_from_starts(grid, query, budget);
        }
        field
    }

    /// The lowest cost of a route between the field's cell, or the nearest of its cells, and `cell`; `None` if there is
    /// no route.
    pub fn cost(&self, cell: Cell) -> Option<RouteCost> {
        self.units_at(self.index(cell)?).map(RouteCost::from_units)
    }

    /// The same in units, for an index of the grid's array.
    #[inline]
    #[doc(hidden)]
    pub fn cost_at(&self, at: usize) -> Option<u64> {
        if self.size == Size::default() { None } else { self.units_at(at) }
    }

    /// The same for a field that is not empty.
    #[inline]
    fn units_at(&self, at: usize) -> Option<u64> {
        self.memory.nodes.cost(at).filter(|&units| units <= self.query.max_units())
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
        while let Some(next) = self.next(cell) {
            cell = next;
            route.cells.push(cell);
        }
        if self.query.direction == FieldDirection::From {
            route.cells.reverse();
        }
        true
    }

    /// The cell after `cell` on its route towards the field's cells: the next step of an agent in a field
    /// [`To`](FieldDirection::To) its goal. In a field [`From`](FieldDirection::From) a cell, it is the cell before
    /// `cell` on the route from there. `None` at the field's cells and where there is no route. O(1), with
    /// [links](CostGrid::add_link) O(log links).
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Field, FieldQuery};
    /// let grid = CostGrid::open(Size::new(4, 1))?;
    /// let mut field = Field::new();
    /// field.compute(&grid, &FieldQuery::routes_to(Cell::new(3, 0)))?;
    /// assert_eq!(field.next(Cell::new(0, 0)), Some(Cell::new(1, 0)));
    /// assert_eq!(field.next(Cell::new(3, 0)), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn next(&self, cell: Cell) -> Option<Cell> {
        let at = self.index(cell)?;
        let nodes = &self.memory.nodes;
        (self.units_at(at)? > 0).then(|| match nodes.link_parent(at) {
            Some(next) => self.cell(next),
            None => cell + nodes.direction(at).opposite(),
        })
    }

    /// The cell nearest to `goal` that has a route: the smallest straight-line distance, then the lowest cost, then the
    /// smaller row, then the smaller column, as for [partial routes](crate::SearchResult::partial). `None` if `goal` is
    /// off the map or the field is empty.
    pub fn nearest_reachable(&self, goal: Cell) -> Option<Cell> {
        if !self.size.contains(goal) {
            return None;
        }
        let distance = nearest_reachable::distance_squared(self.size, goal, |cell| self.cost(cell).is_some())?;
        let tied =
            nearest_reachable::at_distance(goal, distance).filter_map(|cell| Some((self.cost(cell)?, cell.y, cell.x)));
        tied.min().map(|(_, y, x)| Cell::new(x, y))
    }

    /// The cell with that index.
    fn cell(&self, at: usize) -> Cell {
        let stride = self.size.width as usize + 1;
        Cell::new((at % stride) as i32 - 1, (at / stride) as i32 - 1)
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        let stride = self.size.width as usize + 1;
        self.size.contains(cell).then(|| (cell.y as usize + 1) * stride + cell.x as usize + 1)
    }
}
