//! How Tiled's columns and rows lie to ours.

use crate::grid::{Cell, Size};

/// The two ways that maps are drawn in Tiled, with the size that the map has there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Seen from above, north up: nothing is turned.
    Orthogonal(Size),
    /// Turned by a quarter, so that the same lies above on both screens.
    Isometric(Size),
}

impl Turn {
    /// Our size of the map.
    pub fn size(self) -> Size {
        match self {
            Self::Orthogonal(size) => size,
            Self::Isometric(size) => Size::new(size.height, size.width),
        }
    }

    /// Tiled's column and row of a cell of the map.
    pub fn there(self, cell: Cell) -> Cell {
        match self {
            Self::Orthogonal(_) => cell,
            Self::Isometric(size) => Cell::new(cell.y, size.height as i32 - 1 - cell.x),
        }
    }

    /// The cell at Tiled's column and row.
    pub fn here(self, there: Cell) -> Cell {
        match self {
            Self::Orthogonal(_) => there,
            Self::Isometric(size) => Cell::new(size.height as i32 - 1 - there.y, there.x),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iso::Projection;

    #[test]
    fn there_and_here_are_inverse_and_look_the_same() {
        let size = Size::new(5, 3);
        let isometric = Turn::Isometric(size);
        let picture = Projection::new(isometric.size(), crate::iso::TileMetrics::CLASSIC);
        let (left, top) = picture.corner(isometric.here(Cell::new(0, 0)));
        for there in size.cells() {
            let here = isometric.here(there);
            assert!(isometric.size().contains(here));
            assert_eq!(isometric.there(here), there);
            // Where Tiled draws it: half a step right for each column, half a step left for each row, and down for both.
            let (x, y) = picture.corner(here);
            assert_eq!((x - left, y - top), (26 * (there.x - there.y), 13 * (there.x + there.y)));
            assert_eq!(Turn::Orthogonal(size).here(there), there);
        }
    }
}
