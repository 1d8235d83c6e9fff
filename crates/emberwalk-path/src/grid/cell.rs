//! The coordinates of a cell.

use std::fmt;
use std::num::{IntErrorKind, ParseIntError};
use std::ops::{Add, Sub};
use std::slice;
use std::str::FromStr;

use super::MAX_SIDE;

/// The column and row of a cell. The cell may be off a given map, see [`Size::contains`](super::Size::contains).
///
/// With the feature `serde` it is a pair, `(x, y)`.
///
/// ```
/// use emberwalk_path::grid::{Cell, Direction};
/// let cell: Cell = "3,4".parse().unwrap();
/// assert_eq!(cell + Direction::NE, Cell::new(4, 3));
/// assert_eq!(cell.to_string(), "3,4");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "(i32, i32)", into = "(i32, i32)")
)]
pub struct Cell {
    /// The column, counted eastwards from 0.
    pub x: i32,
    /// The row, counted southwards from 0.
    pub y: i32,
}

impl Cell {
    /// Creates the cell in column `x` and row `y`.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// Whether a step from this cell to its neighbour `other` is diagonal: it changes both the column and the row.
    pub const fn is_diagonal_to(self, other: Self) -> bool {
        self.x != other.x && self.y != other.y
    }

    /// The square of the straight-line distance to `other`, in cells; [`i64::MAX`] if it is larger than that.
    pub fn distance_squared(self, other: Self) -> i64 {
        let (dx, dy) = (i64::from(self.x) - i64::from(other.x), i64::from(self.y) - i64::from(other.y));
        dx.saturating_mul(dx).saturating_add(dy.saturating_mul(dy))
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

/// A slice of this cell alone, for what takes one cell or several, as a [`FieldQuery`](crate::FieldQuery) does.
impl AsRef<[Self]> for Cell {
    fn as_ref(&self) -> &[Self] {
        slice::from_ref(self)
    }
}

/// Moves the cell by columns and rows; wraps around at the ends of `i32`.
impl Add<(i32, i32)> for Cell {
    type Output = Self;

    fn add(self, (dx, dy): (i32, i32)) -> Self {
        Self::new(self.x.wrapping_add(dx), self.y.wrapping_add(dy))
    }
}

/// The columns and rows from the second cell to the first; wraps around at the ends of `i32`.
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

/// Why a text is not a cell.
///
/// ```
/// use emberwalk_path::grid::{Cell, ParseCellError};
/// assert_eq!("3;4".parse::<Cell>(), Err(ParseCellError::Form));
/// assert_eq!("3,99999999999".parse::<Cell>(), Err(ParseCellError::TooLarge));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseCellError {
    /// The text is not two whole numbers with a comma between them.
    #[error("a cell is written X,Y, two whole numbers, such as 3,4")]
    Form,
    /// A number does not fit into 32 bits.
    #[error("the number is too large: columns and rows go from 0 to {}", MAX_SIDE - 1)]
    TooLarge,
}

impl FromStr for Cell {
    type Err = ParseCellError;

    fn from_str(text: &str) -> Result<Self, ParseCellError> {
        let (x, y) = text.split_once(',').ok_or(ParseCellError::Form)?;
        let number = |part: &str| {
            part.trim().parse().map_err(|error: ParseIntError| match error.kind() {
                IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => ParseCellError::TooLarge,
                _ => ParseCellError::Form,
            })
        };
        Ok(Self::new(number(x)?, number(y)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_needs_two_numbers() {
        for text in ["", "3", "3,", ",4", "3,4,5", "a,b", "3.5,1", "99999999999,1"] {
            assert!(text.parse::<Cell>().is_err(), "{text:?}");
        }
        assert_eq!(" 3, 4".parse(), Ok(Cell::new(3, 4)));
    }

    #[test]
    fn distances_saturate() {
        assert_eq!(Cell::new(-3, 0).distance_squared(Cell::new(0, 4)), 25);
        let (min, max) = (Cell::new(i32::MIN, i32::MIN), Cell::new(i32::MAX, i32::MAX));
        assert_eq!((min.distance_squared(max), max.distance_squared(min)), (i64::MAX, i64::MAX));
    }
}
