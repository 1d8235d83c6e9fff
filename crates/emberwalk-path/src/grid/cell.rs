//! A cell's coordinates and the size of a rectangle of cells.

use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;

/// A cell by column and row; it may lie off a given map, see [`Size::contains`].
///
/// ```
/// use emberwalk_path::grid::{Cell, Direction};
/// let cell: Cell = "3,4".parse().unwrap();
/// assert_eq!(cell + Direction::NE, Cell::new(4, 3));
/// assert_eq!(cell.to_string(), "3,4");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "(i32, i32)", into = "(i32, i32)")
)]
pub struct Cell {
    /// Column, eastwards from 0.
    pub x: i32,
    /// Row, southwards from 0.
    pub y: i32,
}

impl Cell {
    /// The cell in column `x` and row `y`.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// The square of the straight-line distance to `other`, in cells.
    pub fn distance_squared(self, other: Self) -> i64 {
        let (dx, dy) = (i64::from(self.x) - i64::from(other.x), i64::from(self.y) - i64::from(other.y));
        dx * dx + dy * dy
    }
}

impl From<(i32, i32)> for Cell {
    fn from((x, y): (i32, i32)) -> Self {
        Self { x, y }
    }
}

impl From<Cell> for (i32, i32) {
    fn from(cell: Cell) -> Self {
        (cell.x, cell.y)
    }
}

impl Add<(i32, i32)> for Cell {
    type Output = Self;

    fn add(self, (dx, dy): (i32, i32)) -> Self {
        Self::new(self.x.wrapping_add(dx), self.y.wrapping_add(dy))
    }
}

impl Sub for Cell {
    type Output = (i32, i32);

    fn sub(self, other: Self) -> (i32, i32) {
        (self.x.wrapping_sub(other.x), self.y.wrapping_sub(other.y))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// The text was not two whole numbers with a comma between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a cell is written X,Y, two whole numbers from 0, such as 3,4")]
pub struct ParseCellError;

impl FromStr for Cell {
    type Err = ParseCellError;

    fn from_str(text: &str) -> Result<Self, ParseCellError> {
        let (x, y) = text.split_once(',').ok_or(ParseCellError)?;
        let number = |part: &str| part.trim().parse().map_err(|_| ParseCellError);
        Ok(Self::new(number(x)?, number(y)?))
    }
}

/// Columns and rows of a rectangle of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Size {
    /// Number of columns.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
}

impl Size {
    /// A rectangle of `width` columns and `height` rows.
    pub const fn new(width: u32, height: u32) -> Self {
        Self { width, height }
    }

    /// Number of cells.
    pub const fn area(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Whether `cell` lies in the rectangle.
    pub const fn contains(self, cell: Cell) -> bool {
        (cell.x as u32) < self.width && (cell.y as u32) < self.height
    }

    /// Where `cell` stands in an array of rows; `None` off the rectangle.
    pub const fn index(self, cell: Cell) -> Option<usize> {
        if self.contains(cell) { Some(cell.y as usize * self.width as usize + cell.x as usize) } else { None }
    }

    /// All cells, row by row from the north, in a row from the west.
    pub fn cells(self) -> impl DoubleEndedIterator<Item = Cell> + Clone {
        let (width, height) = (self.width as i32, self.height as i32);
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {}", self.width, self.height)
    }
}

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
    fn a_cell_needs_two_numbers() {
        for text in ["", "3", "3,", ",4", "3,4,5", "a,b", "3.5,1", "99999999999,1"] {
            assert!(text.parse::<Cell>().is_err(), "{text:?}");
        }
        assert_eq!(" 3, 4".parse(), Ok(Cell::new(3, 4)));
    }
}
