//! Watching a search as it goes.

use crate::grid::Cell;

/// Is told what a search does, in order; `()` watches nothing and costs nothing.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Observer, Planner, Query};
///
/// struct Closed(Vec<Cell>);
/// impl Observer for Closed {
///     fn closed(&mut self, cell: Cell) {
///         self.0.push(cell);
///     }
/// }
///
/// let grid = CostGrid::from_fn(Size::new(3, 1), Diagonal::GAME, |_| Some(EntryCost::TILE)).unwrap();
/// let mut closed = Closed(Vec::new());
/// let query = Query::new(Cell::new(0, 0), Cell::new(2, 0));
/// Planner::new().plan_observed(&grid, &query, &mut closed).unwrap();
/// assert_eq!(closed.0, [Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 0)]);
/// ```
pub trait Observer {
    /// `cell` was put on the open list: for the first time, or again because a cheaper way to it was found.
    fn opened(&mut self, cell: Cell) {
        let _ = cell;
    }

    /// `cell` was taken off the open list and put on the closed list: once, or once more each time it was reopened.
    /// The goal is closed last, when its route is known to be the answer.
    fn closed(&mut self, cell: Cell) {
        let _ = cell;
    }
}

impl Observer for () {}

impl<O: Observer> Observer for &mut O {
    fn opened(&mut self, cell: Cell) {
        (**self).opened(cell);
    }

    fn closed(&mut self, cell: Cell) {
        (**self).closed(cell);
    }
}
