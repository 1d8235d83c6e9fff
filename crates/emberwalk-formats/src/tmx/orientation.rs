//! How Tiled's columns and rows relate to the cells of a map.

use emberwalk_path::grid::{Cell, Size};

/// How a map is drawn in Tiled, with its size in Tiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MapOrientation {
    /// Seen from above, with north at the top: columns and rows are the same as ours.
    Orthogonal(Size),
    /// Isometric: rotated by a quarter turn against ours, so that it looks the same on both screens.
    Isometric(Size),
}

impl MapOrientation {
    /// The size of our map.
    pub fn size(self) -> Size {
        match self {
            Self::Orthogonal(size) => size,
            Self::Isometric(size) => Size::new(size.height, size.width),
        }
    }

    /// Tiled's column and row of a cell.
    pub fn tiled_position(self, cell: Cell) -> Cell {
        match self {
            Self::Orthogonal(_) => cell,
            Self::Isometric(size) => Cell::new(cell.y, size.height as i32 - 1 - cell.x),
        }
    }

    /// The cell at Tiled's column and row.
    pub fn cell_at(self, tiled: Cell) -> Cell {
        match self {
            Self::Orthogonal(_) => tiled,
            Self::Isometric(size) => Cell::new(size.height as i32 - 1 - tiled.y, tiled.x),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_map::terrain::TileMetrics;
    use emberwalk_picture::iso::Projection;

    #[test]
    fn an_isometric_map_looks_the_same_in_tiled() {
        let size = Size::new(5, 3);
        let isometric = MapOrientation::Isometric(size);
        let picture = Projection::new(isometric.size(), TileMetrics::CLASSIC);
        let (left, top) = picture.corner(isometric.cell_at(Cell::new(0, 0)));
        for tiled in size.cells() {
            let cell = isometric.cell_at(tiled);
            assert!(isometric.size().contains(cell));
            assert_eq!(isometric.tiled_position(cell), tiled);
            // Tiled draws each column half a step to the right, each row half a step to the left, and both further
            // down.
            let (x, y) = picture.corner(cell);
            assert_eq!((x - left, y - top), (26 * (tiled.x - tiled.y), 13 * (tiled.x + tiled.y)));
            assert_eq!(MapOrientation::Orthogonal(size).cell_at(tiled), tiled);
        }
    }
}
