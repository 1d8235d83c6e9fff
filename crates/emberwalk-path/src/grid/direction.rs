//! The eight directions of a step.

use std::ops::Add;

use super::Cell;

/// The direction of a step to one of the eight neighbours of a cell, clockwise from north.
///
/// ```
/// use emberwalk_path::grid::{Cell, Direction};
/// assert_eq!(Cell::new(3, 4) + Direction::SE, Cell::new(4, 5));
/// assert_eq!(Direction::SE.opposite().letters(), "NW");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Direction {
    /// North: one row up.
    N,
    /// North-east.
    NE,
    /// East: one column to the right.
    E,
    /// South-east.
    SE,
    /// South: one row down.
    S,
    /// South-west.
    SW,
    /// West: one column to the left.
    W,
    /// North-west.
    NW,
}

impl Direction {
    /// All eight, clockwise from north; the position of each is `direction as usize`.
    pub const ALL: [Self; 8] = [Self::N, Self::NE, Self::E, Self::SE, Self::S, Self::SW, Self::W, Self::NW];

    /// North, east, south, west.
    pub const SIDES: [Self; 4] = [Self::N, Self::E, Self::S, Self::W];

    /// North-east, south-east, south-west, north-west.
    pub const CORNERS: [Self; 4] = [Self::NE, Self::SE, Self::SW, Self::NW];

    /// The six directions to the neighbours of a hexagon in axial coordinates: north, east, south-east, south, west,
    /// north-west.
    pub const HEXAGON: [Self; 6] = [Self::N, Self::E, Self::SE, Self::S, Self::W, Self::NW];

    /// The columns and rows that a step in this direction moves.
    pub const fn offset(self) -> (i32, i32) {
        match self {
            Self::N => (0, -1),
            Self::NE => (1, -1),
            Self::E => (1, 0),
            Self::SE => (1, 1),
            Self::S => (0, 1),
            Self::SW => (-1, 1),
            Self::W => (-1, 0),
            Self::NW => (-1, -1),
        }
    }

    /// The direction with this [`offset`](Self::offset); `None` if it leads to no neighbour.
    ///
    /// ```
    /// use emberwalk_path::grid::Direction;
    /// assert_eq!(Direction::from_offset((1, -1)), Some(Direction::NE));
    /// assert_eq!(Direction::from_offset((2, -2)), None);
    /// ```
    pub const fn from_offset(offset: (i32, i32)) -> Option<Self> {
        Some(match offset {
            (0, -1) => Self::N,
            (1, -1) => Self::NE,
            (1, 0) => Self::E,
            (1, 1) => Self::SE,
            (0, 1) => Self::S,
            (-1, 1) => Self::SW,
            (-1, 0) => Self::W,
            (-1, -1) => Self::NW,
            _ => return None,
        })
    }

    /// The direction of the neighbour that lies towards an offset: of a step along a link. North for no offset.
    #[doc(hidden)]
    #[inline]
    pub fn towards((dx, dy): (i32, i32)) -> Self {
        Self::from_offset((dx.signum(), dy.signum())).unwrap_or(Self::N)
    }

    /// Whether the step changes both the column and the row.
    #[inline]
    pub const fn is_diagonal(self) -> bool {
        (self as u8) % 2 == 1
    }

    /// The direction of the step back.
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 4) % 8]
    }

    /// The name in compass letters: `N`, `NE` and so on.
    pub const fn letters(self) -> &'static str {
        ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][self as usize]
    }
}

/// The neighbour in that direction.
impl Add<Direction> for Cell {
    type Output = Self;

    fn add(self, direction: Direction) -> Self {
        self + direction.offset()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_and_directions_are_inverse() {
        for (k, direction) in Direction::ALL.into_iter().enumerate() {
            assert_eq!(direction as usize, k);
            assert_eq!(Direction::from_offset(direction.offset()), Some(direction));
            let (dx, dy) = direction.offset();
            assert_eq!(direction.opposite().offset(), (-dx, -dy));
            assert_eq!(direction.is_diagonal(), dx != 0 && dy != 0);
        }
        let far = |&(dx, dy): &(i32, i32)| dx.abs() > 1 || dy.abs() > 1 || (dx, dy) == (0, 0);
        for offset in (-3..=3).flat_map(|dy| (-3..=3).map(move |dx| (dx, dy))).filter(far) {
            assert_eq!(Direction::from_offset(offset), None, "{offset:?}");
        }
        assert_eq!(Direction::from_offset((i32::MIN, i32::MAX)), None);
    }
}
