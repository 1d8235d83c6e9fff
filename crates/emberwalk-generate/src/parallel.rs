//! Visits all cells of a map, on all processors if it is large.

use rayon::prelude::*;

use emberwalk_path::grid::{Cell, Grid, Size};

/// Fewer cells are not worth a second thread.
const MIN_CELLS: usize = 1 << 15;

/// Iterates over the rows from north to south.
pub(super) fn rows(size: Size) -> impl IndexedParallelIterator<Item = i32> {
    let min_rows = MIN_CELLS / size.width.max(1) as usize;
    (0..size.height as i32).into_par_iter().with_min_len(min_rows.max(1))
}

/// Creates a grid whose value at each cell is `value(cell)`.
pub(super) fn grid<T: Send>(size: Size, value: impl Fn(Cell) -> T + Sync) -> Grid<T> {
    let value = &value;
    let values = rows(size).flat_map_iter(|y| cells_of_row(size, y).map(value)).collect();
    Grid::from_values(size, values).expect("there is a value for each cell")
}

/// Finds the cells for which `is_wanted` is true, row by row.
pub(super) fn find(size: Size, is_wanted: impl Fn(Cell) -> bool + Sync) -> Vec<Cell> {
    let is_wanted = &is_wanted;
    rows(size).flat_map_iter(|y| cells_of_row(size, y).filter(|cell| is_wanted(*cell))).collect()
}

fn cells_of_row(size: Size, y: i32) -> impl Iterator<Item = Cell> {
    (0..size.width as i32).map(move |x| Cell::new(x, y))
}
