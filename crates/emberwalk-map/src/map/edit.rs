//! Changes a map: batches of edits, and eruptions.

use std::sync::Arc;

use super::cost_formula::path_level;
use super::{CellEdit, LayerEdit, Layers, MAX_LEVEL, Map};
use crate::terrain::{Role, TerrainId};
use emberwalk_path::grid::{Cell, Size};

/// Why an edit is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The cell is not on the map.
    #[error("{0} is not on the map")]
    OffTheMap(Cell),
    /// The edit puts ground into the overlay, or an overlay terrain into the ground.
    #[error("{0} belongs in the other layer")]
    OtherLayer(String),
    /// The layers have different sizes, or a size that a map cannot have.
    #[error("a map has 1 to 4096 columns and rows, the same in both layers, not {base} and {overlay}")]
    Size {
        /// Columns and rows of the ground.
        base: Size,
        /// Columns and rows of the overlay.
        overlay: Size,
    },
    /// The levels have another size than the map.
    #[error("the map has {map} cells, but there are {levels} levels")]
    LevelSize {
        /// Columns and rows of the map.
        map: Size,
        /// Columns and rows of the levels.
        levels: Size,
    },
    /// The level is too high.
    #[error("a level is 0 to {MAX_LEVEL}, not {0}")]
    Level(u8),
    /// The tent or the castle would be on an impassable cell.
    #[error("the cell of the {0} would be impassable")]
    Impassable(String),
    /// There would be a second tent or castle.
    #[error("there is already a {name} at {at}")]
    Second {
        /// The name of the terrain.
        name: String,
        /// Where the first one is.
        at: Cell,
    },
}

impl Map {
    /// Applies a batch of edits in order, and returns the edits that undo it. Edits that change nothing need no undo.
    ///
    /// Only the map after the last edit has to be valid, so one batch can move the tent. The cost of every affected
    /// cell is computed once. Takes time proportional to the number of edits and the number of cells within reach of
    /// their influences.
    ///
    /// ```
    /// use emberwalk_path::grid::Cell;
    /// use emberwalk_map::{CellEdit, Map};
    /// use emberwalk_map::terrain::Tileset;
    /// let mut map = Map::open("figures/snow".as_ref(), &Tileset::load(None)?.into())?;
    /// let wall = map.tileset().find('W');
    /// let edits = [CellEdit::overlay(Cell::new(4, 5), wall), CellEdit::overlay(Cell::new(4, 6), wall)];
    /// let undo = map.apply(&edits)?;
    /// assert_eq!(map.cost(Cell::new(4, 5)), None, "a wall is impassable");
    /// map.apply(&undo)?;
    /// assert!(map.cost(Cell::new(4, 5)).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EditError`]; the map is then unchanged.
    pub fn apply(&mut self, edits: &[CellEdit]) -> Result<Vec<CellEdit>, EditError> {
        let tileset = self.tileset().clone();
        for edit in edits {
            if !self.size().contains(edit.cell) {
                return Err(EditError::OffTheMap(edit.cell));
            }
            if let Some((id, _)) = edit.terrain().filter(|(id, layer)| tileset[*id].layer != *layer) {
                return Err(EditError::OtherLayer(tileset[id].name.clone()));
            }
            if let LayerEdit::Level(level) = edit.to
                && level > MAX_LEVEL
            {
                return Err(EditError::Level(level));
            }
        }
        let mut affected = Vec::new();
        let mut undo = Vec::new();
        for edit in edits {
            let before = self.content_before(*edit);
            if before == edit.to {
                continue;
            }
            // The old terrain no longer has an influence, and the new terrain has one.
            let reached = self.reached_area(edit.cell);
            self.replace(*edit);
            if !matches!(edit.to, LayerEdit::Level(_))
                && let Some((before, after)) = reached.zip(self.reached_area(edit.cell))
            {
                self.add_area(&mut affected, before.around(after));
            }
            undo.push(CellEdit { cell: edit.cell, to: before });
        }
        undo.reverse();
        match self.tent_and_castle([self.tent, self.castle], undo.iter().map(|edit| edit.cell)) {
            Ok(found) => [self.tent, self.castle] = found,
            Err(error) => {
                for edit in undo {
                    self.replace(edit);
                }
                return Err(error);
            }
        }
        self.update_costs(affected);
        for edit in undo.iter().filter(|edit| matches!(edit.to, LayerEdit::Level(_))) {
            let level = path_level(self.level(edit.cell));
            Arc::make_mut(&mut self.costs).set_level(edit.cell, level);
        }
        Ok(undo)
    }

    /// Changes or removes the overlay of a cell; returns whether this changed the cell.
    ///
    /// # Errors
    /// [`EditError`]; the map is then unchanged.
    pub fn set_overlay(&mut self, cell: Cell, overlay: Option<TerrainId>) -> Result<bool, EditError> {
        self.apply(&[CellEdit::overlay(cell, overlay)]).map(|undo| !undo.is_empty())
    }

    /// Whether there is a volcano, dormant or erupting.
    pub fn has_volcano(&self) -> bool {
        self.volcanoes_in_rows.iter().any(|volcanoes| *volcanoes > 0)
    }

    /// Whether an edit removes or puts a volcano, or, if it is the undo of one, has done so.
    pub fn is_about_volcano(&self, edit: &CellEdit) -> bool {
        let LayerEdit::Overlay(to) = edit.to else { return false };
        [self.overlay_id(edit.cell), to].into_iter().flatten().any(|id| self.tileset().is_volcano(id))
    }

    /// Whether there is a dormant volcano.
    pub fn any_dormant(&self) -> bool {
        self.volcanoes(|id| self.tileset().erupted(id)).next().is_some()
    }

    /// The cells of the dormant volcanoes, row by row.
    pub fn dormant(&self) -> Vec<Cell> {
        self.volcanoes(|id| self.tileset().erupted(id)).map(|(cell, _)| cell).collect()
    }

    /// The edits that make every dormant volcano erupt, row by row.
    pub fn edits_to_erupt(&self) -> Vec<CellEdit> {
        self.overlay_edits(|id| self.tileset().erupted(id))
    }

    /// The edits that make every erupting volcano dormant, row by row.
    pub fn edits_to_calm(&self) -> Vec<CellEdit> {
        self.overlay_edits(|id| self.tileset().calmed(id))
    }

    /// Makes every dormant volcano erupt; returns their cells, row by row.
    ///
    /// ```
    /// use emberwalk_map::Map;
    /// use emberwalk_map::terrain::Tileset;
    /// let mut map = Map::open("figures/snow".as_ref(), &Tileset::load(None)?.into())?;
    /// let before = map.costs().stamp();
    /// let volcanoes = map.erupt_all();
    /// assert_eq!(volcanoes.len(), 1);
    /// let warmed = map.costs().changes_since(before).unwrap().count();
    /// assert!(warmed > 30, "the cells around it have become cheaper");
    /// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
    /// ```
    pub fn erupt_all(&mut self) -> Vec<Cell> {
        self.apply_all(&self.edits_to_erupt())
    }

    /// Makes every erupting volcano dormant; returns their cells, row by row.
    pub fn calm_all(&mut self) -> Vec<Cell> {
        self.apply_all(&self.edits_to_calm())
    }

    /// The cells of the erupting volcanoes, row by row.
    pub fn erupting(&self) -> Vec<Cell> {
        self.volcanoes(|id| self.tileset().calmed(id)).map(|(cell, _)| cell).collect()
    }

    fn overlay_edits(&self, to: impl Fn(TerrainId) -> Option<TerrainId>) -> Vec<CellEdit> {
        self.volcanoes(to).map(|(cell, to)| CellEdit::overlay(cell, Some(to))).collect()
    }

    /// The volcanoes for which `value` returns a value, with this value, row by row.
    fn volcanoes<T>(&self, value: impl Fn(TerrainId) -> Option<T>) -> impl Iterator<Item = (Cell, T)> {
        let rows = (0..).zip(&self.volcanoes_in_rows).filter(|(_, volcanoes)| **volcanoes > 0);
        let cells = rows.flat_map(|(y, _)| (0..).zip(self.overlay().row(y)).map(move |(x, id)| (Cell::new(x, y), id)));
        cells.filter_map(move |(cell, id)| Some((cell, value((*id)?)?)))
    }

    /// Replaces the content of a cell, and updates the numbers of volcanoes and of cells with opening hours.
    fn replace(&mut self, edit: CellEdit) {
        let is_volcano = |map: &Self| map.overlay()[edit.cell].is_some_and(|id| map.tileset().is_volcano(id));
        let counted = |map: &Self| [is_volcano(map), map.is_timed(edit.cell)].map(u32::from);
        let was = counted(self);
        self.content.layers.replace(edit);
        let is = counted(self);
        for (k, rows) in [&mut self.volcanoes_in_rows, &mut self.timed_in_rows].into_iter().enumerate() {
            let count = &mut rows[edit.cell.y as usize];
            *count = *count + is[k] - was[k];
        }
    }

    fn apply_all(&mut self, edits: &[CellEdit]) -> Vec<Cell> {
        let applied = self.apply(edits);
        debug_assert!(applied.is_ok(), "a tileset lets only overlays erupt that are neither start nor goal");
        edits.iter().map(|edit| edit.cell).collect()
    }
}

impl Layers {
    /// The cells of tent and castle after `changed` cells have changed.
    pub(super) fn tent_and_castle(
        &self,
        before: [Option<Cell>; 2],
        changed: impl Iterator<Item = Cell>,
    ) -> Result<[Option<Cell>; 2], EditError> {
        let with_role = |cell: Cell| {
            let terrain = &self.tileset[self.overlay[cell]?];
            Some((terrain, usize::from(terrain.role? == Role::Goal)))
        };
        let mut found =
            [0, 1].map(|role| before[role].filter(|cell| with_role(*cell).is_some_and(|(_, is)| is == role)));
        for cell in changed {
            let Some((terrain, role)) = with_role(cell) else { continue };
            if let Some(at) = found[role].filter(|at| *at != cell) {
                return Err(EditError::Second { name: terrain.name.clone(), at });
            }
            if self.is_blocked(cell) {
                return Err(EditError::Impassable(terrain.name.clone()));
            }
            found[role] = Some(cell);
        }
        Ok(found)
    }
}
