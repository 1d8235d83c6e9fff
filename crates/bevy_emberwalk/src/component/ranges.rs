//! The cells around a cell, by their distances in a straight line.

use emberwalk_path::grid::{Cell, Size};

/// The largest distance from a cell that a goal may name, so that no list of cells is too long.
pub(crate) const MAX_REACH: u32 = 64;

/// The cells up to this many columns and rows from this cell, row by row.
fn square_around(cell: Cell, reach: i64) -> impl Iterator<Item = Cell> {
    let side = 2 * reach as u32 + 1;
    Size::new(side, side).cells().map(move |at| {
        let (x, y) = at - Cell::new(reach as i32, reach as i32);
        Cell::new(cell.x.saturating_add(x), cell.y.saturating_add(y))
    })
}

/// The cells in a circle, and in a ring around it through which every route without links leads out of it: no step is longer
/// than two cells.
pub(crate) fn cells_around(middle: Cell, reach: u32) -> impl Iterator<Item = Cell> {
    let ring_end = i64::from(reach + 2).pow(2);
    square_around(middle, i64::from(reach) + 2).filter(move |cell| cell.distance_squared(middle) < ring_end)
}

/// The cells in the ring.
pub(crate) fn cells_out_of_range(middle: Cell, reach: u32) -> Vec<Cell> {
    let ring = i64::from(reach).pow(2);
    cells_around(middle, reach).filter(|cell| cell.distance_squared(middle) >= ring).collect()
}

/// The cells that are at most this many cells from a cell, in a straight line.
pub(crate) fn cells_in_range(middle: Cell, reach: u32) -> Vec<Cell> {
    let end = i64::from(reach).pow(2);
    square_around(middle, reach.into()).filter(|cell| cell.distance_squared(middle) <= end).collect()
}
