//! Where there is room for another agent.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use crate::Crowd;
use crate::index::CellIndex;
use emberwalk_path::grid::Cell;
use emberwalk_path::internal::{Steps, with_steps};

impl Crowd {
    /// The cell nearest to this one in which an agent of a kind can be [added](Self::add_with): this cell itself, or
    /// else the free cell to which a route costs least from there. If the cell is blocked or off the map, routes begin
    /// in the [nearest passable](emberwalk_path::CostGrid::nearest_passable) one. `None` if there is no such kind, or
    /// no free cell that can be reached. It takes as long as a search that stops at the first free cell.
    ///
    /// ```
    /// use emberwalk_crowd::Crowd;
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::time::Pace;
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};
    /// let passable = |cell: Cell| cell.x != 2;
    /// let cost = |cell| passable(cell).then_some(EntryCost::TILE);
    /// let grid = CostGrid::from_fn(Size::new(5, 1), Diagonal::GAME, cost)?;
    /// let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
    /// let cells = [1, 0].map(|x| Cell::new(x, 0));
    /// for cell in cells {
    ///     assert_eq!(crowd.nearest_free(0, cells[0]), Some(cell));
    ///     crowd.add(cell)?;
    /// }
    /// assert_eq!(crowd.nearest_free(0, cells[0]), None, "a wall is before the other cells");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nearest_free(&self, kind: usize, cell: Cell) -> Option<Cell> {
        let board = &self.board;
        let grid = board.land().grids().nth(kind)?;
        let start = if grid.is_passable(cell) { cell } else { grid.nearest_passable(cell)? };
        let mut seen = HashSet::new();
        let mut open = BinaryHeap::from([Reverse((0, board.index(start)))]);
        while let Some(Reverse((cost, at))) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            if board.is_free(kind, at) {
                return Some(board.cell(at));
            }
            with_steps!(grid, board.land().rules(), steps => steps.for_each(at.get(), None, |step| {
                open.push(Reverse((cost + step.cost, CellIndex::new(step.to))));
            }));
        }
        None
    }
}
