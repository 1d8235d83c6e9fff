//! Reads the terrain of cells, on and off the map.

use crate::grid::{Cell, Size};
use crate::map::Map;
use crate::terrain::TerrainId;

/// Returns the ground of a cell; `None` off the map.
pub(super) fn base(map: &Map, cell: Cell) -> Option<TerrainId> {
    map.base().get(cell).copied()
}

/// Returns the overlay of a cell; `None` if it has none, and off the map.
pub(super) fn overlay(map: &Map, cell: Cell) -> Option<TerrainId> {
    map.overlay().get(cell).copied().flatten()
}

/// Returns the cells of the map that are at most `radius` columns and rows away from `cell`.
pub(super) fn cells_around(size: Size, cell: Cell, radius: i32) -> impl Iterator<Item = Cell> {
    let span = |at: i32, length: u32| {
        at.saturating_sub(radius).max(0)..at.saturating_add(radius).saturating_add(1).min(length as i32)
    };
    let columns = span(cell.x, size.width);
    span(cell.y, size.height).flat_map(move |y| columns.clone().map(move |x| Cell::new(x, y)))
}
