//! A grid whose clones share memory.

use std::ops::{Index, Range};
use std::sync::Arc;

use emberwalk_path::grid::{Cell, Grid, Size};

/// The approximate number of cells in a block.
const CELLS_PER_BLOCK: u32 = 1 << 15;

/// One value for each cell of a rectangle, like a [`Grid`](emberwalk_path::grid::Grid), but cheap to clone: rows are stored in
/// blocks of about 32,768 cells, which clones share. A block is copied when one of its cells is set.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_map::SharedGrid;
/// let mut heights = SharedGrid::from_fn(Size::new(3, 2), |cell| cell.x + 10 * cell.y);
/// let before = heights.clone();
/// heights.set(Cell::new(2, 1), 7);
/// assert_eq!((heights[Cell::new(2, 1)], before[Cell::new(2, 1)]), (7, 12));
/// assert_eq!(heights.row(1), [10, 11, 7]);
/// assert_eq!(heights.get(Cell::new(3, 0)), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedGrid<T> {
    size: Size,
    /// A block has 2 to this power rows; the last block may have fewer.
    row_bits: u32,
    blocks: Vec<Arc<[T]>>,
}

/// The power of 2 that is the number of rows of a block.
fn row_bits(size: Size) -> u32 {
    (CELLS_PER_BLOCK / size.width.max(1)).max(1).ilog2()
}

/// The range of values in each block, where values are numbered row by row.
fn ranges_of_blocks(size: Size, row_bits: u32) -> impl Iterator<Item = Range<usize>> {
    let cells = (size.width.max(1) as usize) << row_bits;
    (0..size.area()).step_by(cells).map(move |start| start..size.area().min(start + cells))
}

impl<T> SharedGrid<T> {
    /// Creates a grid whose value at each cell is `value(cell)`; `value` is called row by row.
    pub fn from_fn(size: Size, value: impl FnMut(Cell) -> T) -> Self {
        let row_bits = row_bits(size);
        let mut values = size.cells().map(value);
        let mut blocks = Vec::new();
        for range in ranges_of_blocks(size, row_bits) {
            blocks.push(values.by_ref().take(range.len()).collect());
        }
        Self { size, row_bits, blocks }
    }

    /// The number of columns and rows.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The value at `cell`; `None` off the grid.
    pub fn get(&self, cell: Cell) -> Option<&T> {
        let (block, at) = self.place(cell)?;
        self.blocks.get(block)?.get(at)
    }

    /// The values of row `y`, from west to east; empty off the grid.
    pub fn row(&self, y: i32) -> &[T] {
        let row = self.place(Cell::new(0, y)).and_then(|(block, at)| {
            let end = at + self.size.width as usize;
            self.blocks.get(block)?.get(at..end)
        });
        row.unwrap_or_default()
    }

    /// All values, row by row.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.blocks.iter().flat_map(|block| block.iter())
    }

    /// Iterates over every cell with its value, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, &T)> {
        self.size.cells().zip(self.values())
    }

    /// Whether the two grids share the memory of row `y`, so that its values are certainly equal.
    pub fn shares_row(&self, other: &Self, y: i32) -> bool {
        let block =
            |grid: &Self| grid.place(Cell::new(0, y)).and_then(|(block, _)| grid.blocks.get(block)).map(Arc::as_ptr);
        self.size == other.size && block(self).zip(block(other)).is_some_and(|(one, other)| std::ptr::eq(one, other))
    }

    /// The number of bytes of its list of blocks and of the values that it does not share with another grid.
    pub fn bytes_beside(&self, other: &Self) -> usize {
        let is_shared = |index: usize, block| other.blocks.get(index).is_some_and(|other| Arc::ptr_eq(other, block));
        let own = self.blocks.iter().enumerate().filter(|(index, block)| !is_shared(*index, block));
        size_of_val(&*self.blocks) + own.map(|(_, block)| size_of_val(&**block)).sum::<usize>()
    }

    /// The block of a cell, and the position in it; `None` off the grid.
    fn place(&self, cell: Cell) -> Option<(usize, usize)> {
        self.size.contains(cell).then(|| {
            let y = cell.y as usize;
            let rows = 1 << self.row_bits;
            (y >> self.row_bits, (y & (rows - 1)) * self.size.width as usize + cell.x as usize)
        })
    }
}

impl<T: Clone> From<Grid<T>> for SharedGrid<T> {
    fn from(grid: Grid<T>) -> Self {
        let row_bits = row_bits(grid.size());
        let blocks = ranges_of_blocks(grid.size(), row_bits).map(|range| grid.values()[range].into()).collect();
        Self { size: grid.size(), row_bits, blocks }
    }
}

impl<T: Clone> SharedGrid<T> {
    /// Creates a grid with the same value everywhere. Even its blocks share their memory.
    pub fn filled(size: Size, value: T) -> Self {
        let row_bits = row_bits(size);
        let mut block: Arc<[T]> = Arc::default();
        let blocks = ranges_of_blocks(size, row_bits).map(|range| {
            if block.len() != range.len() {
                block = vec![value.clone(); range.len()].into();
            }
            block.clone()
        });
        Self { size, row_bits, blocks: blocks.collect() }
    }

    /// Sets the value at `cell`; does nothing off the grid. The first time after a clone, the block of the cell is
    /// copied.
    pub fn set(&mut self, cell: Cell, value: T) {
        let Some((block, at)) = self.place(cell) else { return };
        if let Some(old) = self.blocks.get_mut(block).and_then(|block| Arc::make_mut(block).get_mut(at)) {
            *old = value;
        }
    }
}

impl<T: PartialEq> SharedGrid<T> {
    /// Shares the memory of `other` for each block with equal values. Does nothing if the sizes differ.
    pub fn share_blocks_with(&mut self, other: &Self) {
        if self.size == other.size {
            let pairs = self.blocks.iter_mut().zip(&other.blocks);
            // Most blocks are already shared.
            let same = pairs.filter(|(own, other)| !Arc::ptr_eq(own, other) && own == other);
            same.for_each(|(own, other)| *own = other.clone());
        }
    }
}

/// See [`SharedGrid::get`] for cells that may be off the grid.
///
/// # Panics
/// If the cell is off the grid.
impl<T> Index<Cell> for SharedGrid<T> {
    type Output = T;

    fn index(&self, cell: Cell) -> &T {
        let (block, at) = self.place(cell).expect("the cell is on the grid");
        &self.blocks[block][at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes with one block, with several, and with a last block that has fewer rows.
    const SIZES: [(u32, u32); 7] = [(0, 3), (1, 1), (1, 70_000), (3, 2), (300, 260), (4096, 19), (70_000, 3)];

    #[test]
    fn all_methods_of_reading_agree_with_a_grid() {
        for size in SIZES.map(|(width, height)| Size::new(width, height)) {
            let value = |cell: Cell| cell.x * 31 + cell.y;
            let shared = SharedGrid::from_fn(size, value);
            let grid = Grid::from_fn(size, value);
            assert_eq!(shared, grid.clone().into(), "{size}");
            assert_eq!(SharedGrid::filled(size, 7), SharedGrid::from_fn(size, |_| 7), "{size}");
            assert!(shared.values().eq(grid.values()), "{size}");
            assert!(shared.iter().eq(grid.iter()), "{size}");
            assert!(
                size.cells().all(|cell| shared[cell] == grid[cell] && shared.get(cell) == grid.get(cell)),
                "{size}"
            );
            let rows = (-1..=size.height as i32).flat_map(|y| shared.row(y));
            assert!(rows.eq(grid.values()), "{size}");
            for cell in
                [Cell::new(-1, 0), Cell::new(0, -1), Cell::new(size.width as i32, 0), Cell::new(0, size.height as i32)]
            {
                assert_eq!(shared.get(cell), None, "{size}");
            }
        }
    }

    #[test]
    fn a_clone_shares_all_blocks_except_the_changed_one() {
        let size = Size::new(4096, 64);
        let mut grid = SharedGrid::from_fn(size, |_| 0u8);
        let before = grid.clone();
        let shared = |grid: &SharedGrid<u8>| (0..64).filter(|&y| grid.shares_row(&before, y)).count();
        assert_eq!(shared(&grid), 64);
        grid.set(Cell::new(5, 20), 1);
        grid.set(Cell::new(6, 21), 2);
        assert!(before.values().all(|value| *value == 0), "the clone is unchanged");
        assert_eq!((grid.values().filter(|value| **value > 0).count(), grid[Cell::new(6, 21)]), (2, 2));
        assert_eq!(shared(&grid), 56, "a block has 8 rows");

        let mut read_again = SharedGrid::from_fn(size, |cell| grid[cell]);
        assert_eq!(shared(&read_again), 0);
        read_again.share_blocks_with(&before);
        assert_eq!(shared(&read_again), 56);
        assert_eq!(read_again, grid);
        read_again.share_blocks_with(&SharedGrid::from_fn(Size::new(64, 4096), |_| 0));
        assert_eq!(read_again, grid);
        assert!(!grid.shares_row(&before, 64) && !grid.shares_row(&before, -1));
    }
}
