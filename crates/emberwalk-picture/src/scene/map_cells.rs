//! The cells around a cell.

use emberwalk_path::grid::{Cell, Size};

/// The cells of the map that are at most `radius` columns and rows away from `cell`.
pub(super) fn cells_around(size: Size, cell: Cell, radius: i32) -> impl Iterator<Item = Cell> {
    let span = |at: i32, length: u32| {
        at.saturating_sub(radius).max(0)..at.saturating_add(radius).saturating_add(1).min(length as i32)
    };
    let columns = span(cell.x, size.width);
    span(cell.y, size.height).flat_map(move |y| columns.clone().map(move |x| Cell::new(x, y)))
}
