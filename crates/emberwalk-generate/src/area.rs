//! Rectangles of cells.

use emberwalk_path::grid::{Cell, Size};

/// A rectangle of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    /// The north-western cell.
    pub corner: Cell,
    pub size: Size,
}

impl Area {
    /// All cells of a map.
    pub fn of_map(size: Size) -> Self {
        Self { corner: Cell::new(0, 0), size }
    }

    /// The cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        self.size.cells().map(move |cell| self.corner + (cell.x, cell.y))
    }

    pub fn contains(self, cell: Cell) -> bool {
        self.size.contains(Cell::from(cell - self.corner))
    }

    /// The area without a margin of `margin` cells on each side.
    pub fn inside(self, margin: u32) -> Self {
        let Size { width, height } = self.size;
        let size = Size::new(width.saturating_sub(2 * margin), height.saturating_sub(2 * margin));
        Self { corner: self.corner + (margin as i32, margin as i32), size }
    }

    /// The cells along its edges.
    pub fn rim(self) -> impl Iterator<Item = Cell> {
        self.cells().filter(move |&cell| !self.inside(1).contains(cell))
    }

    pub fn middle(self) -> Cell {
        self.corner + (self.size.width as i32 / 2, self.size.height as i32 / 2)
    }
}
