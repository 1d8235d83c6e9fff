//! Reads the terrain of cells, on and off the map.

use std::collections::HashMap;

use super::projection;
use crate::iso::Projection;
use emberwalk_map::terrain::TerrainId;
use emberwalk_map::{CellEdit, LayerEdit, Layers};
use emberwalk_path::grid::{Cell, Size};

/// The terrain from which images are chosen: a map, or a map as it would be after some edits.
pub trait TerrainCells {
    /// Returns the ground of a cell; `None` off the map.
    fn base_id(&self, cell: Cell) -> Option<TerrainId>;

    /// Returns the overlay of a cell; `None` if it has none, and off the map.
    fn overlay_id(&self, cell: Cell) -> Option<TerrainId>;

    /// Returns the level of a cell; 0 off the map.
    fn level(&self, cell: Cell) -> u8;

    /// Returns the highest level of all cells, or a higher one.
    fn top(&self) -> u8;

    /// Returns the projection of cells at level 0.
    fn projection(&self) -> Projection;
}

impl TerrainCells for Layers {
    fn base_id(&self, cell: Cell) -> Option<TerrainId> {
        self.base().get(cell).copied()
    }

    fn overlay_id(&self, cell: Cell) -> Option<TerrainId> {
        self.overlay().get(cell).copied().flatten()
    }

    fn level(&self, cell: Cell) -> u8 {
        Self::level(self, cell)
    }

    fn top(&self) -> u8 {
        Self::top(self)
    }

    fn projection(&self) -> Projection {
        projection(self)
    }
}

/// A map as it would be after some edits. It copies nothing but the edits.
///
/// ```
/// use emberwalk_path::grid::Cell;
/// use emberwalk_map::{CellEdit, Map};
/// use emberwalk_picture::scene::{EditedTerrain, TerrainCells};
/// use emberwalk_map::terrain::Tileset;
/// let map = Map::open("figures/snow".as_ref(), &Tileset::load(None)?.into())?;
/// let wall = map.tileset().find('W');
/// let edited = EditedTerrain::new(&map, &[CellEdit::overlay(Cell::new(4, 5), wall)]);
/// assert_eq!(edited.overlay_id(Cell::new(4, 5)), wall);
/// assert_eq!(map.overlay()[Cell::new(4, 5)], None, "the map itself is unchanged");
/// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
/// ```
pub struct EditedTerrain<'a> {
    map: &'a Layers,
    base: HashMap<Cell, TerrainId>,
    overlay: HashMap<Cell, Option<TerrainId>>,
    levels: HashMap<Cell, u8>,
}

impl<'a> EditedTerrain<'a> {
    /// Applies edits, in their order, on top of a map. Edits of cells off the map have no effect.
    pub fn new(map: &'a Layers, edits: &[CellEdit]) -> Self {
        let (mut base, mut overlay, mut levels) = (HashMap::new(), HashMap::new(), HashMap::new());
        for CellEdit { cell, to } in edits.iter().filter(|edit| map.size().contains(edit.cell)) {
            match to {
                LayerEdit::Base(ground) => drop(base.insert(*cell, *ground)),
                LayerEdit::Overlay(terrain) => drop(overlay.insert(*cell, *terrain)),
                LayerEdit::Level(level) => drop(levels.insert(*cell, *level)),
            }
        }
        Self { map, base, overlay, levels }
    }
}

impl TerrainCells for EditedTerrain<'_> {
    fn base_id(&self, cell: Cell) -> Option<TerrainId> {
        self.base.get(&cell).copied().or_else(|| self.map.base_id(cell))
    }

    fn overlay_id(&self, cell: Cell) -> Option<TerrainId> {
        self.overlay.get(&cell).copied().unwrap_or_else(|| self.map.overlay_id(cell))
    }

    fn level(&self, cell: Cell) -> u8 {
        self.levels.get(&cell).copied().unwrap_or_else(|| self.map.level(cell))
    }

    fn top(&self) -> u8 {
        self.levels.values().copied().max().unwrap_or(0).max(self.map.top())
    }

    /// Cells are where they are in the picture of the map without the edits. Those that are raised higher than all of
    /// its cells are above it.
    fn projection(&self) -> Projection {
        projection(self.map)
    }
}

/// Returns the cells of the map that are at most `radius` columns and rows away from `cell`.
pub(super) fn cells_around(size: Size, cell: Cell, radius: i32) -> impl Iterator<Item = Cell> {
    let span = |at: i32, length: u32| {
        at.saturating_sub(radius).max(0)..at.saturating_add(radius).saturating_add(1).min(length as i32)
    };
    let columns = span(cell.x, size.width);
    span(cell.y, size.height).flat_map(move |y| columns.clone().map(move |x| Cell::new(x, y)))
}
