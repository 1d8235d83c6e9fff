//! Fields: the least cost from one cell to every other, or from every other to one.

use crate::grid::{Cell, Size};
use crate::nearest_reachable;
use crate::query::passable;
use crate::query::{Endpoint, QueryError};
use crate::search::buckets::Buckets;
use crate::search::dijkstra;
use crate::search::dijkstra::{Backwards, Onwards};
use crate::search::nodes::Nodes;
use crate::search::open_list::Heap;
use crate::search::steps::with_rule;
use crate::{Corners, CostGrid, Moves, RouteCost};

/// Which way the routes of a [`Field`] lead. The two differ in cost, for a step costs what the cell entered costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FieldDirection {
    /// From the field's cell to every other.
    #[default]
    From,
    /// From every other cell to the field's.
    To,
}

/// The least cost between one cell and every other, with a route for each.
///
/// A field holds for the grid as it was when it was computed. Its memory is kept for the next computation.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{Corners, CostGrid, Diagonal, EntryCost, Field, Moves, FieldDirection};
/// let grid = CostGrid::from_fn(Size::new(4, 3), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
/// let mut field = Field::new();
/// field.compute(&grid, Cell::new(0, 0), FieldDirection::From, Moves::Eight, Corners::Never)?;
/// assert_eq!(field.cost(Cell::new(3, 0)).unwrap().tiles(), 3.0);
/// let mut cells = Vec::new();
/// assert!(field.route(Cell::new(2, 0), &mut cells));
/// assert_eq!(cells, [Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Field {
    nodes: Nodes,
    buckets: Buckets,
    heap: Heap,
    size: Size,
    centre: Cell,
    way: FieldDirection,
}

impl Field {
    /// A field of nothing: no cell has a cost before [`compute`](Self::compute).
    pub fn new() -> Self {
        Self::default()
    }

    /// Computes the least costs between `centre` and every cell, by Dijkstra's algorithm.
    ///
    /// # Errors
    /// [`QueryError`] if `centre` is off the map or blocked (named the start, or the goal of a field [`FieldDirection::To`] it);
    /// the field is then one of nothing.
    pub fn compute(
        &mut self,
        grid: &CostGrid,
        centre: Cell,
        way: FieldDirection,
        moves: Moves,
        corners: Corners,
    ) -> Result<(), QueryError> {
        self.size = Size::default();
        let end = if way == FieldDirection::From { Endpoint::Start } else { Endpoint::Goal };
        let at = passable(grid, end, centre)?;
        (self.size, self.centre, self.way) = (grid.size(), centre, way);
        let Self { nodes, buckets, heap, .. } = self;
        with_rule!(moves, corners, rule => match way {
            FieldDirection::From => dijkstra::fill(nodes, buckets, heap, grid, at, rule, Onwards),
            FieldDirection::To => dijkstra::fill(nodes, buckets, heap, grid, at, rule, Backwards),
        });
        Ok(())
    }

    /// The least cost of a route between the field's cell and `cell`; `None` if there is none.
    pub fn cost(&self, cell: Cell) -> Option<RouteCost> {
        let at = self.index(cell)?;
        self.nodes.is_seen(at).then(|| RouteCost::from_units(self.nodes.label(at) - self.nodes.zero()))
    }

    /// Writes a route of that cost into `cells`, from its start to its goal: `cell` is the last of a field
    /// [`FieldDirection::From`], the first of a field [`FieldDirection::To`]. `false` and no cells if there is none.
    pub fn route(&self, cell: Cell, cells: &mut Vec<Cell>) -> bool {
        cells.clear();
        if self.cost(cell).is_none() {
            return false;
        }
        cells.push(cell);
        let mut cell = cell;
        while let Some(at) = self.index(cell)
            && cell != self.centre
        {
            cell = cell + self.nodes.by(at).opposite();
            cells.push(cell);
        }
        if self.way == FieldDirection::From {
            cells.reverse();
        }
        true
    }

    /// The cell nearest to `goal` that has a route: the smallest straight-line distance, ties by the cheapest, then the
    /// smaller row, then the smaller column. `None` if `goal` is off the map, or of a field of nothing.
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
