//! What the functions that read a Tiled map need to know of its file.

use std::sync::Arc;

use super::document::{CellBlock, Document, Shift};
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_map::terrain::{Layer, TerrainId, Tileset};
use emberwalk_path::grid::Cell;

/// The file to read, and the terrains that its tiles can become.
pub(super) struct ReadContext<'a> {
    pub file: &'a str,
    pub source: &'a str,
    pub tileset: &'a Arc<Tileset>,
}

impl ReadContext<'_> {
    /// An error of the whole file.
    pub fn error(&self, message: impl Into<String>, help: &str) -> Diagnostics {
        Diagnostics::of_file(self.file, message, Some(help.to_owned()))
    }

    /// Calls `visit` with each tile of a layer or chunk.
    pub fn for_each_tile(&self, block: &CellBlock<'_>, visit: impl FnMut(Cell, u32)) -> Result<(), Diagnostics> {
        block.for_each_tile(self.source, visit).map_err(|error| error.in_file(self.file, self.source))
    }

    /// The height of a level divided by the height of a tile on the ground.
    pub fn level_height(&self) -> f64 {
        let tile = self.tileset.tile();
        f64::from(tile.level()) / f64::from(tile.step().1)
    }

    /// What the offset of the block's layer does to its cells; `None` if they are moved by a part of a cell.
    pub fn shift(&self, document: &Document<'_>, block: &CellBlock<'_>) -> Option<Shift> {
        document.shift(&document.layers[block.layer], self.level_height())
    }

    /// The terrain of cells without ground: the first ground of the tileset.
    pub fn default_ground(&self) -> Result<TerrainId, Diagnostics> {
        let first = self.tileset.layer(Layer::Base).next();
        first.map(|(id, _)| id).ok_or_else(|| self.error("the tileset has no ground", "add a terrain of layer base"))
    }
}
