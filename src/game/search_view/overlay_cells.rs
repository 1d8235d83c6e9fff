//! What the overlay that is shown draws on each cell.

use bevy::prelude::*;

use crate::grid::{Cell, Size};
use crate::overlay::{CellMark, Label, Overlay};

/// The overlay that is shown, cell by cell. Whoever shows an overlay writes it here; the view draws it.
#[derive(Resource, Default)]
pub struct OverlayCells {
    size: Size,
    cells: Vec<OverlayCell>,
}

/// What the overlay draws on a cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OverlayCell {
    /// How the cell is marked.
    pub mark: CellMark,
    /// What is written on it.
    pub label: Option<Label>,
    /// The value for lines of equal value, see [`Overlay::contour`].
    pub contour: Option<f32>,
}

impl OverlayCell {
    fn of(overlay: &dyn Overlay, cell: Cell) -> Self {
        Self { mark: overlay.mark(cell), label: overlay.label(cell), contour: overlay.contour(cell) }
    }
}

impl OverlayCells {
    /// Whether an overlay is shown.
    pub fn is_shown(&self) -> bool {
        !self.cells.is_empty()
    }

    /// Returns the size of the map that the overlay is for; zero if none is shown.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns what is drawn on each cell, row by row.
    pub fn cells(&self) -> &[OverlayCell] {
        &self.cells
    }

    /// Returns what is drawn on a cell; `None` off the map, and if no overlay is shown.
    pub fn get(&self, cell: Cell) -> Option<&OverlayCell> {
        self.cells.get(self.size.index(cell)?)
    }

    /// Shows an overlay on all cells of a map.
    pub fn show(&mut self, size: Size, overlay: &dyn Overlay) {
        self.size = size;
        self.cells.clear();
        self.cells.extend(size.cells().map(|cell| OverlayCell::of(overlay, cell)));
    }

    /// Updates some cells of the overlay that is shown.
    pub fn update(&mut self, cells: impl IntoIterator<Item = Cell>, overlay: &dyn Overlay) {
        for cell in cells {
            if let Some(at) = self.size.index(cell) {
                self.cells[at] = OverlayCell::of(overlay, cell);
            }
        }
    }

    /// Shows no overlay.
    pub fn hide(&mut self) {
        *self = Self::default();
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<OverlayCells>();
}
