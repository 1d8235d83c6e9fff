//! The size of a rectangle of cells, and its cells one by one.

use std::fmt;
use std::iter::FusedIterator;

use super::Cell;

/// The numbers of columns and rows of a rectangle of cells.
///
/// The coordinates of a [`Cell`] are `i32`, so a rectangle with a side above [`i32::MAX`] has no [`cells`](Self::cells)
/// and contains none.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// let size = Size::new(3, 2);
/// assert!(size.contains(Cell::new(2, 1)) && !size.contains(Cell::new(3, 1)));
/// assert_eq!((size.area(), size.index(Cell::new(1, 1))), (6, Some(4)));
/// assert_eq!(size.to_string(), "3 x 2");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Size {
    /// The number of columns.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
}

impl Size {
    /// Creates the size of `width` columns and `height` rows.
    pub const fn new(width: u32, height: u32) -> Self {
        Self { width, height }
    }

    /// The product of the sides: the number of cells.
    pub const fn area(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Whether `cell` is in the rectangle.
    #[inline]
    pub const fn contains(self, cell: Cell) -> bool {
        let has_cells = self.width <= i32::MAX as u32 && self.height <= i32::MAX as u32;
        // A negative coordinate becomes a number above every side.
        has_cells && (cell.x as u32) < self.width && (cell.y as u32) < self.height
    }

    /// The cell of the rectangle that is nearest to `cell`, which may be outside; (0, 0) if the rectangle has no cells.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// let size = Size::new(9, 5);
    /// assert_eq!(size.nearest(Cell::new(-4, 3)), Cell::new(0, 3));
    /// assert_eq!(size.nearest(Cell::new(9, 7)), Cell::new(8, 4));
    /// assert_eq!(size.nearest(Cell::new(2, 2)), Cell::new(2, 2));
    /// ```
    pub fn nearest(self, cell: Cell) -> Cell {
        let nearest = |x: i32, side: u32| x.clamp(0, i32::try_from(side.saturating_sub(1)).unwrap_or(i32::MAX));
        Cell::new(nearest(cell.x, self.width), nearest(cell.y, self.height))
    }

    /// The position of `cell` in an array that holds the rectangle row by row; `None` if the cell is not in it.
    pub const fn index(self, cell: Cell) -> Option<usize> {
        if self.contains(cell) { Some(cell.y as usize * self.width as usize + cell.x as usize) } else { None }
    }

    /// Iterates over all cells, row by row from the north, each row from the west.
    pub const fn cells(self) -> Cells {
        let (width, height) = (self.width as i32, self.height as i32);
        Cells { width, next: Cell::new(0, 0), left: if width <= 0 || height <= 0 { 0 } else { self.area() } }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {}", self.width, self.height)
    }
}

/// The cells of a rectangle, row by row, see [`Size::cells`].
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// let mut cells = Size::new(2, 2).cells();
/// assert_eq!((cells.len(), cells.next()), (4, Some(Cell::new(0, 0))));
/// assert!(cells.eq([Cell::new(1, 0), Cell::new(0, 1), Cell::new(1, 1)]));
/// ```
#[derive(Clone, Debug)]
pub struct Cells {
    width: i32,
    next: Cell,
    left: usize,
}

impl Iterator for Cells {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        self.left = self.left.checked_sub(1)?;
        let cell = self.next;
        self.next.x += 1;
        if self.next.x == self.width {
            self.next = Cell::new(0, cell.y.wrapping_add(1));
        }
        Some(cell)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Cells {}

impl FusedIterator for Cells {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_cells_are_off_every_map() {
        let size = Size::new(4096, 4096);
        for cell in [Cell::new(-1, 0), Cell::new(0, -1), Cell::new(4096, 0), Cell::new(i32::MIN, i32::MAX)] {
            assert_eq!(size.index(cell), None, "{cell}");
        }
        assert_eq!(size.index(Cell::new(4095, 4095)), Some(4096 * 4096 - 1));
    }

    #[test]
    fn sides_above_the_range_of_coordinates_leave_no_cells() {
        for side in [i32::MAX as u32 + 1, u32::MAX] {
            for size in [Size::new(side, 1), Size::new(1, side), Size::new(side, side)] {
                assert_eq!(size.cells().next(), None, "{size}");
                for cell in [Cell::new(0, 0), Cell::new(-1, 0), Cell::new(0, -2), Cell::new(i32::MAX, i32::MAX)] {
                    assert!(!size.contains(cell), "{size}, {cell}");
                }
            }
        }
    }

    #[test]
    fn cells_come_in_the_order_of_their_index() {
        for size in [(1, 1), (1, 5), (5, 1), (4, 3)].map(|(width, height)| Size::new(width, height)) {
            let all: Vec<_> = size.cells().collect();
            assert!(all.iter().enumerate().all(|(at, &cell)| size.index(cell) == Some(at)), "{size}");
            assert_eq!(all.len(), size.area());
            for taken in 0..=all.len() {
                let mut cells = size.cells();
                assert!(cells.by_ref().take(taken).eq(all[..taken].iter().copied()));
                assert_eq!(cells.len(), all.len() - taken);
                assert!(cells.eq(all[taken..].iter().copied()), "{size}, {taken}");
            }
        }
        for size in [(0, 0), (0, 4), (4, 0)].map(|(width, height)| Size::new(width, height)) {
            assert_eq!(size.cells().next(), None);
        }
    }
}
