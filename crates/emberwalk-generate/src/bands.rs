//! Computes what depends on each cell alone, on all processors if the map is large, and two things at once. On small
//! maps and on a single processor, all this is done in parts.

use std::ops::Range;
use std::panic::resume_unwind;
use std::pin::pin;
use std::thread;

use emberwalk_map::parts::{do_at_once, pause};
use emberwalk_map::threads::{for_parts, processors};
use emberwalk_path::grid::{Cell, Grid, Size};

/// Maps with fewer cells are not worth a thread.
const MIN_CELLS_TO_SHARE: usize = 1 << 16;

/// About how many cells a single processor works on before a pause.
pub(super) const CELLS_IN_PART: usize = 1 << 14;

/// Divides the rows of a map into bands and calls `work` for each of them, on several threads if that saves time.
/// `take` receives the results from north to south.
pub(super) async fn for_bands<R: Send>(size: Size, work: impl Fn(Range<i32>) -> R + Sync, mut take: impl FnMut(R)) {
    let threads = if size.area() < MIN_CELLS_TO_SHARE { 1 } else { processors() };
    let bands: Vec<_> = match threads {
        1 => parts_of_rows(size).collect(),
        _ => bands(size, size.height.div_ceil(threads as u32)).collect(),
    };
    for bands in bands.chunks(threads) {
        for_parts(bands.iter().cloned(), &work).into_iter().for_each(&mut take);
        pause().await;
    }
}

/// Divides the rows of a map into parts between which work can be paused.
pub(super) fn parts_of_rows(size: Size) -> impl Iterator<Item = Range<i32>> {
    bands(size, (CELLS_IN_PART as u32 / size.width.max(1)).max(1))
}

/// Returns the cells of these parts, row by row.
pub(super) fn parts_of_cells(size: Size) -> impl Iterator<Item = impl Iterator<Item = Cell>> {
    parts_of_rows(size).map(move |rows| rows.flat_map(move |y| cells_of_row(size, y)))
}

/// Divides the rows of a map into bands of so many rows. The last one may have fewer.
fn bands(size: Size, rows: u32) -> impl Iterator<Item = Range<i32>> {
    let band = move |start: u32| start as i32..(start + rows).min(size.height) as i32;
    (0..size.height).step_by(rows.max(1) as usize).map(band)
}

fn cells_of_row(size: Size, y: i32) -> impl Iterator<Item = Cell> {
    (0..size.width as i32).map(move |x| Cell::new(x, y))
}

/// Creates a grid whose value at each cell is `value(cell)`.
pub(super) async fn grid<T: Send>(size: Size, value: impl Fn(Cell) -> T + Sync) -> Grid<T> {
    grid_by_rows(size, |y, values| values.extend(cells_of_row(size, y).map(&value))).await
}

/// Creates a grid to whose values `extend` appends those of one row, whose number it gets.
pub(super) async fn grid_by_rows<T: Send>(size: Size, extend: impl Fn(i32, &mut Vec<T>) + Sync) -> Grid<T> {
    let work = |rows: Range<i32>| {
        let mut values = Vec::with_capacity(rows.len() * size.width as usize);
        rows.for_each(|y| extend(y, &mut values));
        values
    };
    let mut values = Vec::with_capacity(size.area());
    for_bands(size, work, |mut band| values.append(&mut band)).await;
    Grid::from_values(size, values).expect("the bands have all rows")
}

/// Returns the cells for which `is_wanted` is true, row by row.
pub(super) async fn find(size: Size, is_wanted: impl Fn(Cell) -> bool + Sync) -> Vec<Cell> {
    let work = |rows: Range<i32>| {
        let mut wanted = Vec::new();
        for y in rows {
            wanted.extend(cells_of_row(size, y).filter(|cell| is_wanted(*cell)));
        }
        wanted
    };
    let mut wanted = Vec::new();
    for_bands(size, work, |band| wanted.extend(band)).await;
    wanted
}

/// Does `other` on a thread while it does `own`; returns what both return.
pub(super) async fn both<A, B: Send>(own: impl Future<Output = A>, other: impl Future<Output = B> + Send) -> (A, B) {
    if processors() == 1 {
        return (own.await, other.await);
    }
    let mut other = pin!(other);
    let (own, done) = thread::scope(|scope| {
        let thread = thread::Builder::new().spawn_scoped(scope, || do_at_once(other.as_mut()));
        let own = do_at_once(own);
        (own, thread.map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))))
    });
    match done {
        Ok(done) => (own, done),
        // No thread could be started.
        Err(_) => (own, other.await),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_have_every_row_once_and_in_order() {
        for size in [Size::new(1, 1), Size::new(300, 7), Size::new(1, 4096), Size::new(257, 311), Size::new(4096, 17)] {
            let mut rows = Vec::new();
            do_at_once(for_bands(size, |rows| rows, |band| rows.extend(band)));
            assert!(rows.into_iter().eq(0..size.height as i32), "{size}");
            assert!(parts_of_cells(size).flatten().eq(size.cells()), "{size}");
            let same = do_at_once(grid(size, |cell| (cell.x, cell.y)));
            assert!(same.iter().all(|(cell, &value)| value == (cell.x, cell.y)), "{size}");
        }
    }
}
