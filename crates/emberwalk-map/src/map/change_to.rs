//! Changes a map into another version of it, sharing memory between versions.

use std::sync::Arc;

use super::{CellEdit, EditError, Layers, Map, MapContent};
use crate::diagnostics::Diagnostics;
use crate::terrain::Tileset;

impl Map {
    /// Makes the content of the map equal to another version of it, and returns the edits that undo the changes of
    /// cells. Returns no edits if the size or the tileset changes.
    ///
    /// Only differing cells are edited; they are found quickly if the versions share memory. Afterwards the map shares
    /// all of its memory with the version.
    ///
    /// # Errors
    /// [`EditError`] if no map can have this content; the map is then unchanged.
    pub fn change_to(&mut self, version: &MapContent) -> Result<Vec<CellEdit>, EditError> {
        let hour = self.hour;
        let Some(edits) = self.edits_towards(version) else {
            *self = Self::of_content(version.clone());
            self.set_hour(hour);
            return Ok(Vec::new());
        };
        let undo = self.apply(&edits)?;
        self.content = version.clone();
        self.content.layers.hour = hour;
        Ok(undo)
    }
}

impl MapContent {
    /// See [`Layers::share_blocks_with`].
    pub fn share_blocks_with(&mut self, earlier: &Layers) {
        self.layers.share_blocks_with(earlier);
    }

    /// The same map with a tileset that may be different. Terrains keep their characters.
    ///
    /// # Errors
    /// The diagnostics, if the tileset lacks a terrain or has it in the other layer.
    pub fn with_tileset(&self, tileset: &Arc<Tileset>) -> Result<Self, Diagnostics> {
        if Arc::ptr_eq(self.tileset(), tileset) {
            return Ok(self.clone());
        }
        Self::parse(self.name(), &self.to_ron(), tileset)
    }
}

impl Layers {
    /// The number of bytes of the layers that are not shared with other layers.
    pub fn bytes_beside(&self, other: &Self) -> usize {
        self.base().bytes_beside(other.base())
            + self.overlay().bytes_beside(other.overlay())
            + self.levels().bytes_beside(other.levels())
    }
}
