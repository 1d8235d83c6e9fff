//! An edit of one cell.

use crate::terrain::{Layer, TerrainId};
use emberwalk_path::grid::Cell;

/// A new value for one layer of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellEdit {
    /// The cell that changes.
    pub cell: Cell,
    /// The layer and its new content.
    pub to: LayerEdit,
}

/// The new content of one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerEdit {
    /// The new ground.
    Base(TerrainId),
    /// The new overlay; `None` removes it.
    Overlay(Option<TerrainId>),
    /// The new level, 0 to [`MAX_LEVEL`](super::MAX_LEVEL).
    Level(u8),
}

impl CellEdit {
    /// Creates an edit that changes the ground of a cell.
    pub fn base(cell: Cell, ground: TerrainId) -> Self {
        Self { cell, to: LayerEdit::Base(ground) }
    }

    /// Creates an edit that changes or removes the overlay of a cell.
    pub fn overlay(cell: Cell, overlay: Option<TerrainId>) -> Self {
        Self { cell, to: LayerEdit::Overlay(overlay) }
    }

    /// Creates an edit that changes the level of a cell.
    pub fn level(cell: Cell, level: u8) -> Self {
        Self { cell, to: LayerEdit::Level(level) }
    }

    /// The new terrain and its layer.
    pub(super) fn terrain(self) -> Option<(TerrainId, Layer)> {
        match self.to {
            LayerEdit::Base(ground) => Some((ground, Layer::Base)),
            LayerEdit::Overlay(overlay) => overlay.map(|id| (id, Layer::Overlay)),
            LayerEdit::Level(_) => None,
        }
    }
}
