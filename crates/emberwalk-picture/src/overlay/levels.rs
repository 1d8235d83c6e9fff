//! The overlay of levels.

use super::{CellMark, Label, MarkStyle, Overlay, scale_colour};
use emberwalk_map::Layers;
use emberwalk_path::grid::Cell;

/// Tints each cell by its level, from 0 to the highest level of the map.
#[derive(Clone, Copy, Debug)]
pub struct LevelOverlay<'a> {
    map: &'a Layers,
}

impl<'a> LevelOverlay<'a> {
    /// Creates the overlay of a map.
    pub fn new(map: &'a Layers) -> Self {
        Self { map }
    }
}

impl Overlay for LevelOverlay<'_> {
    fn mark(&self, cell: Cell) -> CellMark {
        let share = f32::from(self.map.level(cell)) / f32::from(self.map.top().max(1));
        CellMark { style: MarkStyle::Value, colour: scale_colour(share), ..CellMark::default() }
    }

    fn label(&self, cell: Cell) -> Option<Label> {
        Some(Label::Count(self.map.level(cell).into()))
    }
}
