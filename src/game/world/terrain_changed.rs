//! The one message about changes of terrain, with their cause and the edits that undo them.

use bevy::prelude::*;

use crate::grid::{Cell, Size};
use crate::map::CellEdit;
use crate::scene::Scene;

/// A batch of edits was applied to the open map.
#[derive(Message, Clone, Debug)]
pub struct TerrainChanged {
    /// The edits that undo the batch: the cells that have changed, and what was there before.
    pub undo: Vec<CellEdit>,
    /// Why the terrain has changed.
    pub cause: ChangeCause,
}

/// Why terrain has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeCause {
    /// Volcanoes have erupted or calmed down.
    Eruption,
    /// The player has edited the map.
    Edit,
    /// The file of the map has changed.
    Reload,
}

impl TerrainChanged {
    /// Returns the cells that have changed; a cell may appear more than once.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        self.undo.iter().map(|edit| edit.cell)
    }

    /// Returns the cells whose own image may have changed; a cell may appear more than once.
    pub fn cells_to_redraw(&self, scene: &Scene, size: Size) -> impl Iterator<Item = Cell> {
        self.cells().flat_map(move |cell| scene.images_affected_by(size, cell))
    }

    /// Returns the cells whose light and shadow may have changed; a cell may appear more than once.
    pub fn cells_to_relight(&self, scene: &Scene, size: Size) -> impl Iterator<Item = Cell> {
        self.cells().flat_map(move |cell| scene.shading_affected_by(size, cell))
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_message::<TerrainChanged>();
}
