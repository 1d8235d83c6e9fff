//! The one message about changes of terrain, with their cause and the edits that undo them.

use std::sync::Arc;

use bevy::prelude::*;

use emberwalk_map::{CellEdit, LayerEdit, Map};
use emberwalk_path::CostGrid;
use emberwalk_path::grid::Cell;

/// With more edits than this, finding the changes around each of them takes longer than drawing the whole map again.
pub(in crate::game) const MAX_REDRAWN: usize = 1 << 17;

/// A batch of edits was applied to the open map.
#[derive(Message, Clone, Debug)]
pub struct TerrainChanged {
    /// The edits that undo the batch: the changed cells, and their previous content. Cells that have opened or shut
    /// have the same content.
    pub undo: Vec<CellEdit>,
    /// Why the terrain has changed.
    pub cause: ChangeCause,
    /// The previous cost grid, if the map has a new one, whose list of changes does not contain the earlier costs.
    pub old_costs: Option<Arc<CostGrid>>,
}

/// Why terrain has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeCause {
    /// Volcanoes have erupted or become dormant.
    Eruption,
    /// Cells have opened or shut.
    Hours,
    /// The player has edited the map.
    Edit,
    /// The file of the map has changed.
    Reload,
}

impl TerrainChanged {
    /// The cells that have changed; a cell may appear more than once.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        self.undo.iter().map(|edit| edit.cell)
    }

    /// Adds earlier changes. A change of size has no edits, as its cells have moved.
    pub(in crate::game) fn add_earlier(&mut self, undo: Vec<CellEdit>) {
        if !self.undo.is_empty() {
            self.undo.extend(undo);
        }
    }

    /// Adds later changes.
    pub(in crate::game) fn add_later(&mut self, mut undo: Vec<CellEdit>) {
        if !self.undo.is_empty() {
            std::mem::swap(&mut self.undo, &mut undo);
            self.undo.extend(undo);
        }
    }

    /// The highest level of the map before and after the batch.
    pub fn top(&self, map: &Map) -> u8 {
        let before = self.undo.iter().filter_map(|edit| match edit.to {
            LayerEdit::Level(level) => Some(level),
            LayerEdit::Base(_) | LayerEdit::Overlay(_) => None,
        });
        before.max().unwrap_or(0).max(map.top())
    }
}

/// The number of cells that are edited. The edits of several layers of a cell are next to each other.
pub(in crate::game) fn count_cells(edits: &[CellEdit]) -> usize {
    edits.chunk_by(|one, next| one.cell == next.cell).count()
}

pub(super) fn plugin(app: &mut App) {
    app.add_message::<TerrainChanged>();
}
