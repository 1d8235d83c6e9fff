//! Computes what depends on each cell alone, on all processors if the map is large, and two things at once.

use std::ops::Range;
use std::thread;

use crate::grid::{Cell, Grid, Size};
use crate::threads::{for_parts, processors};

/// Maps with fewer cells are not worth a thread.
const MIN_CELLS_TO_SHARE: usize = 1 << 16;

/// Divides the rows of a map into bands and calls `work` for each of them, on several threads if that saves time.
/// Returns the results from north to south.
pub(super) fn for_bands<R: Send>(size: Size, work: impl Fn(Range<i32>) -> R + Sync) -> Vec<R> {
    let threads = if size.area() < MIN_CELLS_TO_SHARE { 1 } else { processors() };
    let rows = size.height.div_ceil(threads as u32).max(1);
    let band = |start: u32| start as i32..(start + rows).min(size.height) as i32;
    let bands = (0..size.height).step_by(rows as usize).map(band);
    for_parts(bands, work)
}

/// Creates a grid whose value at each cell is `value(cell)`.
pub(super) fn grid<T: Send>(size: Size, value: impl Fn(Cell) -> T + Sync) -> Grid<T> {
    grid_by_rows(size, |y, values| values.extend((0..size.width as i32).map(|x| value(Cell::new(x, y)))))
}

/// Creates a grid to whose values `extend` appends those of one row, whose number it gets.
pub(super) fn grid_by_rows<T: Send>(size: Size, extend: impl Fn(i32, &mut Vec<T>) + Sync) -> Grid<T> {
    let bands = for_bands(size, |rows| {
        let mut values = Vec::with_capacity(rows.len() * size.width as usize);
        rows.for_each(|y| extend(y, &mut values));
        values
    });
    let values = bands.into_iter().reduce(|mut values, mut band| {
        values.append(&mut band);
        values
    });
    Grid::from_values(size, values.unwrap_or_default()).expect("the bands have all rows")
}

/// Returns the cells for which `is_wanted` is true, row by row.
pub(super) fn find(size: Size, is_wanted: impl Fn(Cell) -> bool + Sync) -> Vec<Cell> {
    let bands = for_bands(size, |rows| {
        let mut wanted = Vec::new();
        for y in rows {
            wanted.extend((0..size.width as i32).map(|x| Cell::new(x, y)).filter(|cell| is_wanted(*cell)));
        }
        wanted
    });
    bands.concat()
}

/// Runs `other` on a thread while `own` runs; returns what both return.
pub(super) fn both<A, B: Send>(own: impl FnOnce() -> A, other: impl Fn() -> B + Sync) -> (A, B) {
    thread::scope(|scope| {
        let thread = thread::Builder::new().spawn_scoped(scope, &other);
        let own = own();
        let other = match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // No thread could be started.
            Err(_) => other(),
        };
        (own, other)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_have_every_row_once_and_in_order() {
        for size in [Size::new(1, 1), Size::new(300, 7), Size::new(1, 4096), Size::new(257, 311), Size::new(4096, 17)] {
            let rows: Vec<_> = for_bands(size, |rows| rows).into_iter().flatten().collect();
            assert!(rows.into_iter().eq(0..size.height as i32), "{size}");
            let same = grid(size, |cell| (cell.x, cell.y));
            assert!(same.iter().all(|(cell, &value)| value == (cell.x, cell.y)), "{size}");
        }
    }
}
