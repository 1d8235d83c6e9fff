//! A flat array with one value a cell.

use std::ops::{Index, IndexMut};

use super::{Cell, Size};

/// One value for each cell of a rectangle, row by row from the north-west.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid<T> {
    size: Size,
    values: Vec<T>,
}

impl<T> Grid<T> {
    /// A grid whose value at each cell is `value(cell)`.
    pub fn from_fn(size: Size, value: impl FnMut(Cell) -> T) -> Self {
        Self { size, values: size.cells().map(value).collect() }
    }

    /// Columns and rows.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The value at `cell`; `None` off the grid.
    pub fn get(&self, cell: Cell) -> Option<&T> {
        self.size.index(cell).map(|at| &self.values[at])
    }

    /// The value at `cell` to change; `None` off the grid.
    pub fn get_mut(&mut self, cell: Cell) -> Option<&mut T> {
        self.size.index(cell).map(|at| &mut self.values[at])
    }

    /// Every cell with its value, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, &T)> {
        self.size.cells().zip(&self.values)
    }

    /// The values alone, row by row.
    pub fn values(&self) -> &[T] {
        &self.values
    }
}

/// Panics off the grid, as a slice does; [`Grid::get`] does not.
impl<T> Index<Cell> for Grid<T> {
    type Output = T;

    fn index(&self, cell: Cell) -> &T {
        let at = self.size.index(cell).expect("the cell lies on the grid");
        &self.values[at]
    }
}

impl<T> IndexMut<Cell> for Grid<T> {
    fn index_mut(&mut self, cell: Cell) -> &mut T {
        let at = self.size.index(cell).expect("the cell lies on the grid");
        &mut self.values[at]
    }
}
