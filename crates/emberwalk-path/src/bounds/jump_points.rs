//! Jump points: the few cells at which a cheapest route may have to turn.
//!
//! Where all cells around a cell have the same cost, a route that goes diagonally first never turns there, except from
//! a diagonal to a straight run. So it turns only beside the end of a wall and where costs differ, at cells where a
//! turn is [forced](super::forced_turns). A search over these cells passes over all others and still finds the lowest
//! cost, as every route can be replaced by one of the same or a lower cost that only turns at jump points.
//!
//! Finding all jump points takes O(cells), an update O(changes). Memory: 1.5 bytes per cell, one bit for each of eight
//! directions and bit boards for the four straight ones.

use crate::bounds::bit_board::BitBoard;
use crate::bounds::forced_turns::Neighbourhood;
use crate::grid::{Cell, Direction};
use crate::{Corners, CostGrid, Moves, StepRules};

/// The jump points of a grid: for each cell, the directions in which a run that enters it has to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct JumpPoints {
    /// One bit for each direction, by the grid's index.
    stops: Vec<u8>,
    /// The same bits for north, east, south and west, by columns for north and south and by rows for east and west. The
    /// bits of blocked cells are set.
    straight: [BitBoard; 4],
    are_sparse: bool,
    grid: u64,
    version: u64,
}

impl JumpPoints {
    /// Returns whether jump points exist for these steps.
    pub(crate) fn exist_for(rules: StepRules) -> bool {
        rules.moves == Moves::Eight && rules.corners == Corners::Never
    }

    /// Returns whether a search with these rules should use them: they must be those of that grid, apart from its latest
    /// changes, and at the last full update at most three quarters of the passable cells were jump points. With more, a
    /// search over neighbours was measured to be faster.
    pub(crate) fn are_worthwhile(&self, grid: &CostGrid, rules: StepRules) -> bool {
        self.grid == grid.id() && Self::exist_for(rules) && self.are_sparse
    }

    /// Catches up with the grid as it is now: O(changes), and O(cells) for another grid than before or if the grid does
    /// not remember all its changes.
    pub(crate) fn update(&mut self, grid: &CostGrid) {
        let size = grid.size();
        let changes = grid.changes_since(self.version).filter(|_| self.grid == grid.id());
        if let Some(changes) = changes {
            for change in changes {
                self.update_cell(grid, change.cell);
                for direction in Direction::ALL {
                    self.update_cell(grid, change.cell + direction);
                }
            }
        } else {
            self.stops.clear();
            self.stops.resize(grid.entry_units().len(), 0);
            for (k, board) in self.straight.iter_mut().enumerate() {
                if k % 2 == 1 { board.begin(size.height, size.width) } else { board.begin(size.width, size.height) }
            }
            let (mut passable, mut points) = (0, 0);
            for cell in size.cells() {
                self.update_cell(grid, cell);
                if grid.is_passable(cell) {
                    passable += 1;
                    points += usize::from(self.stops[grid.index(cell)] != 0);
                }
            }
            self.are_sparse = points * 4 <= passable * 3;
        }
        (self.grid, self.version) = (grid.id(), grid.version());
    }

    /// Computes the stops at a cell; does nothing for a cell off the grid.
    fn update_cell(&mut self, grid: &CostGrid, cell: Cell) {
        if !grid.size().contains(cell) {
            return;
        }
        let at = grid.index(cell);
        let stops = Neighbourhood::new(grid, at).stops();
        self.stops[at] = stops;
        let (column, row) = (cell.x as usize + 1, cell.y as usize + 1);
        for (k, board) in self.straight.iter_mut().enumerate() {
            let (line, position) = if k % 2 == 1 { (row, column) } else { (column, row) };
            board.set(line, position, stops >> (2 * k) & 1 != 0);
        }
    }

    /// Returns whether a run in that `direction` has to stop at the cell with this index.
    #[inline(always)]
    pub(crate) fn stops_at(&self, at: usize, direction: Direction) -> bool {
        self.stops[at] >> direction as u32 & 1 != 0
    }

    /// Returns the bit board of a straight direction.
    #[inline(always)]
    pub(crate) fn board(&self, direction: Direction) -> &BitBoard {
        &self.straight[direction as usize / 2]
    }
}
