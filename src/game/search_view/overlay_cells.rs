//! The content of the overlays, cell by cell.

use std::ops::{Index, IndexMut};

use bevy::prelude::*;

use crate::game::action::half::Half;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_picture::overlay::{CellMark, Label, Overlay};

use super::overlay_area::OverlayArea;

/// The overlays of the halves of the window. Without a race, only the left one is shown, on the whole window. Plugins
/// write overlays here; the view draws them.
#[derive(Resource, Default)]
pub struct Overlays([OverlayCells; 2]);

impl Index<Half> for Overlays {
    type Output = OverlayCells;

    fn index(&self, half: Half) -> &OverlayCells {
        &self.0[half as usize]
    }
}

impl IndexMut<Half> for Overlays {
    fn index_mut(&mut self, half: Half) -> &mut OverlayCells {
        &mut self.0[half as usize]
    }
}

impl Overlays {
    /// Whether any overlay is shown.
    pub(in crate::game) fn any_shown(&self) -> bool {
        self.0.iter().any(OverlayCells::is_shown)
    }
}

/// An overlay, cell by cell, on a part of the map.
#[derive(Default)]
pub struct OverlayCells {
    /// A number that is different after each change.
    version: u64,
    area: OverlayArea,
    cells: Vec<OverlayCell>,
}

/// The overlay's content on a cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OverlayCell {
    /// How the cell is marked.
    pub mark: CellMark,
    /// The text on it.
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

    /// A number that is different after each change.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The size of the map that the overlay is for; zero if none is shown.
    pub fn size(&self) -> Size {
        self.area.map()
    }

    /// The part of the map on which it is drawn.
    pub fn area(&self) -> OverlayArea {
        self.area
    }

    /// The content of each square of the area, row by row.
    pub fn cells(&self) -> &[OverlayCell] {
        &self.cells
    }

    /// The content on a cell; `None` outside the area, and if no overlay is shown.
    pub fn get(&self, cell: Cell) -> Option<&OverlayCell> {
        self.cells.get(self.area.index(cell)?)
    }

    /// Shows an overlay on a part of a map.
    pub fn show(&mut self, area: OverlayArea, overlay: &dyn Overlay) {
        self.version += 1;
        self.area = area;
        self.cells.clear();
        self.cells.extend(area.cells().map(|cell| OverlayCell::of(overlay, cell)));
    }

    /// Updates some cells of the overlay that is shown.
    pub fn update(&mut self, cells: impl IntoIterator<Item = Cell>, overlay: &dyn Overlay) {
        self.version += 1;
        for cell in cells {
            if let Some(at) = self.area.index(cell) {
                self.cells[at] = OverlayCell::of(overlay, self.area.counting(cell));
            }
        }
    }

    /// Shows no overlay.
    pub(in crate::game) fn hide(&mut self) {
        *self = Self { version: self.version + 1, ..Self::default() };
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Overlays>();
}
