//! Which cells are narrow passages between wide areas.

use emberwalk_path::CostGrid;
use emberwalk_path::internal::offsets;

/// Whether a passable cell is a narrow passage between others.
pub(crate) fn is_passage(grid: &CostGrid, at: usize) -> bool {
    let offsets = offsets(grid.stride());
    !is_wide(|k| can_pass(grid, at, at.wrapping_add_signed(offsets[k])))
}

/// Whether a neighbour of a cell is passable, without a cliff or a one-way ledge between them.
pub(crate) fn can_pass(grid: &CostGrid, at: usize, next: usize) -> bool {
    grid.entry_units()[next] != 0 && grid.heights().is_none_or(|heights| heights.join(at, next))
}

/// Whether the passable neighbours of a cell are all on one side of it: the cell is no passage between others.
fn is_wide(is_passable: impl Fn(usize) -> bool) -> bool {
    // Each side of a passage begins, clockwise, with a passable cell after a blocked one. A corner counts with its
    // sides.
    let is_free =
        |k: usize| is_passable(k % 8) && (k.is_multiple_of(2) || is_passable((k + 7) % 8) || is_passable((k + 1) % 8));
    (0..8).filter(|&k| is_free(k) && !is_free(k + 7)).count() < 2
}
