//! Collects cells that are named more than once.

use emberwalk_path::grid::{Cell, Grid, Size};

/// Where cells are sparser than this in the rectangle around them, sorting them is faster than marking them in it.
const CELLS_PER_NAMED: u64 = 64;

/// Each of the cells once, row by row. Calls `cells` twice, which must name the same ones both times.
pub(super) fn distinct_cells<I: Iterator<Item = Cell>>(cells: impl Fn() -> I) -> Vec<Cell> {
    let Some(first) = cells().next() else { return Vec::new() };
    let (low, high, named) = cells().fold((first, first, 0), |(low, high, named): (Cell, Cell, u64), cell| {
        let low = Cell::new(low.x.min(cell.x), low.y.min(cell.y));
        (low, Cell::new(high.x.max(cell.x), high.y.max(cell.y)), named + 1)
    });
    let around = Size::new(high.x.abs_diff(low.x) + 1, high.y.abs_diff(low.y) + 1);
    if u64::from(around.width) * u64::from(around.height) > named * CELLS_PER_NAMED {
        let mut cells: Vec<_> = cells().collect();
        cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
        cells.dedup();
        return cells;
    }
    let mut is_named = Grid::from_fn(around, |_| false);
    cells().for_each(|cell| is_named[Cell::from(cell - low)] = true);
    is_named.iter().filter(|(_, named)| **named).map(|(cell, _)| cell + (low.x, low.y)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparse_and_dense_cells_are_each_returned_once_row_by_row() {
        assert_eq!(distinct_cells(std::iter::empty), []);
        for far in [3, 4095] {
            let named = [(far, far), (1, 2), (0, 2), (1, 2), (2, 1), (far, far)].map(Cell::from);
            let expected = [(2, 1), (0, 2), (1, 2), (far, far)].map(Cell::from);
            assert_eq!(distinct_cells(|| named.into_iter()), expected, "as far as {far}");
        }
    }
}
