//! Jump points: the few cells at which a cheapest route may have to turn.
//!
//! Where all cells around a cell have the same cost, a route that goes diagonally first never turns there, except from
//! a diagonal to a straight run. So it turns only beside the end of a wall and where costs differ, at cells where a
//! turn is [forced](super::forced_turns). A search over these cells passes over all others and still finds the lowest
//! cost, as every route can be replaced by one of the same or a lower cost that only turns at jump points.
//!
//! That holds where a cell and its passable neighbours are on one level. On a slope, where they are not, every run stops,
//! and the search goes on by single steps.
//!
//! Finding all jump points takes O(cells), an update O(changes). Memory: 1.5 bytes per cell, one bit for each of eight
//! directions and bit boards for the four straight ones.

use crate::bounds::bit_board::BitBoard;
use crate::bounds::forced_turns::Neighbourhood;
use crate::grid::{Cell, Direction};
use crate::search::hill_steps::is_slope;
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
    has_few_slopes: bool,
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
    /// search over neighbours was measured to be faster; without landmarks also with more than a few slopes.
    pub(crate) fn are_worthwhile(&self, grid: &CostGrid, rules: StepRules, has_landmarks: bool) -> bool {
        let suit_bounds = has_landmarks || self.has_few_slopes;
        self.grid == grid.id() && Self::exist_for(rules) && self.are_sparse && suit_bounds
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
            let (mut passable, mut points, mut slopes) = (0, 0, 0);
            for cell in size.cells() {
                let is_slope = self.update_cell(grid, cell);
                if grid.is_passable(cell) {
                    passable += 1;
                    slopes += usize::from(is_slope);
                    points += usize::from(self.stops[grid.index(cell)] != 0);
                }
            }
            self.are_sparse = points * 4 <= passable * 3;
            self.has_few_slopes = slopes * 16 <= passable;
        }
        (self.grid, self.version) = (grid.id(), grid.version());
    }

    /// Computes the stops at a cell, and returns whether it is on a slope; does nothing for a cell off the grid.
    fn update_cell(&mut self, grid: &CostGrid, cell: Cell) -> bool {
        if !grid.size().contains(cell) {
            return false;
        }
        let at = grid.index(cell);
        let is_slope = grid.heights().is_some_and(|heights| is_slope(grid, heights, at));
        let stops = if is_slope { !0 } else { Neighbourhood::new(grid, at).stops() };
        self.stops[at] = stops;
        let (column, row) = (cell.x as usize + 1, cell.y as usize + 1);
        for (k, board) in self.straight.iter_mut().enumerate() {
            let (line, position) = if k % 2 == 1 { (row, column) } else { (column, row) };
            board.set(line, position, stops >> (2 * k) & 1 != 0);
        }
        is_slope
    }

    /// Returns whether a run in that `direction` has to stop at the cell with this index.
    #[inline(always)]
    pub(crate) fn stops_at(&self, at: usize, direction: Direction) -> bool {
        self.stops[at] >> direction as u32 & 1 != 0
    }

    /// Returns whether a run in any direction has to stop at the cell with this index, as it has to on slopes.
    #[inline(always)]
    pub(crate) fn stops_everywhere(&self, at: usize) -> bool {
        self.stops[at] == !0
    }

    /// Returns the bit board of a straight direction.
    #[inline(always)]
    pub(crate) fn board(&self, direction: Direction) -> &BitBoard {
        &self.straight[direction as usize / 2]
    }
}
