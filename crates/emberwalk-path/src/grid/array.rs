//! A two-dimensional array with one value for each cell.

use std::iter::Zip;
use std::ops::{Index, IndexMut};
use std::slice;

use super::{Cell, Cells, Size};

/// One value for each cell of a rectangle, stored row by row from the north-west.
///
/// ```
/// use emberwalk_path::grid::{Cell, Grid, Size};
/// let mut heights = Grid::from_fn(Size::new(3, 2), |cell| cell.x + 10 * cell.y);
/// assert_eq!(heights[Cell::new(2, 1)], 12);
/// assert_eq!(heights.get(Cell::new(3, 0)), None);
/// for (cell, height) in heights.iter_mut() {
///     *height -= cell.x;
/// }
/// assert_eq!(heights.values(), [0, 0, 0, 10, 10, 10]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Grid<T> {
    size: Size,
    values: Vec<T>,
}

impl<T> Grid<T> {
    /// Creates a grid whose value at each cell is `value(cell)`; `value` is called row by row.
    ///
    /// # Panics
    /// If the values need more than [`isize::MAX`] bytes, the limit of a vector.
    pub fn from_fn(size: Size, value: impl FnMut(Cell) -> T) -> Self {
        Self { size, values: size.cells().map(value).collect() }
    }

    /// Creates a grid of these values, row by row; `None` if there are not as many values as cells.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Grid, Size};
    /// let grid = Grid::from_values(Size::new(2, 1), vec!['a', 'b']).unwrap();
    /// assert_eq!(grid[Cell::new(1, 0)], 'b');
    /// assert_eq!(Grid::from_values(Size::new(2, 2), vec!['a', 'b']), None);
    /// ```
    pub fn from_values(size: Size, values: Vec<T>) -> Option<Self> {
        (values.len() == size.cells().len()).then_some(Self { size, values })
    }

    /// The number of columns and rows.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The value at `cell`; `None` off the grid.
    pub fn get(&self, cell: Cell) -> Option<&T> {
        self.size.index(cell).map(|at| &self.values[at])
    }

    /// The value at `cell` by mutable reference; `None` off the grid.
    pub fn get_mut(&mut self, cell: Cell) -> Option<&mut T> {
        self.size.index(cell).map(|at| &mut self.values[at])
    }

    /// Iterates over every cell with its value, row by row.
    pub fn iter(&self) -> Zip<Cells, slice::Iter<'_, T>> {
        self.size.cells().zip(&self.values)
    }

    /// Iterates over every cell with its value by mutable reference, row by row.
    pub fn iter_mut(&mut self) -> Zip<Cells, slice::IterMut<'_, T>> {
        self.size.cells().zip(&mut self.values)
    }

    /// The values alone, row by row.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// All values, row by row, to change them.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }
}

impl<T> Index<Cell> for Grid<T> {
    type Output = T;

    fn index(&self, cell: Cell) -> &T {
        let at = self.size.index(cell).expect("the cell is on the grid");
        &self.values[at]
    }
}

/// See [`Grid::get_mut`] for cells that may be off the grid.
///
/// # Panics
/// If the cell is off the grid.
impl<T> IndexMut<Cell> for Grid<T> {
    fn index_mut(&mut self, cell: Cell) -> &mut T {
        let at = self.size.index(cell).expect("the cell is on the grid");
        &mut self.values[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_iterators_agree_with_the_index() {
        let mut grid = Grid::from_fn(Size::new(4, 3), |cell| (cell.x, cell.y));
        assert!(grid.iter().all(|(cell, &value)| grid[cell] == value && value == (cell.x, cell.y)));
        for (cell, value) in grid.iter_mut() {
            *value = (cell.y, cell.x);
        }
        assert_eq!(grid.iter().count(), 12);
        assert!(grid.iter().all(|(cell, &value)| grid[cell] == value && value == (cell.y, cell.x)));
        assert!(grid.iter().map(|(_, value)| value).eq(grid.values()));
    }
}
