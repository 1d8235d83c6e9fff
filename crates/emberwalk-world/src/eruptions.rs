//! Guesses which volcanoes of a recording by an earlier version were drawn otherwise than they are.

use std::collections::BTreeMap;
use std::sync::Arc;

use emberwalk_map::terrain::TerrainId;
use emberwalk_map::{CellEdit, LayerEdit, Map};
use emberwalk_path::grid::Cell;

/// The volcanoes of a map that V has changed, and how they were drawn. In recordings by earlier versions, an order paints
/// both what V does and what a brush does. All volcanoes alike, and nothing else, is what V does.
#[derive(Clone, Debug, Default)]
pub(super) struct Eruptions(Arc<BTreeMap<Cell, TerrainId>>);

impl Eruptions {
    /// Learns of an order that has painted cells, whose content was that of `undo`.
    pub fn note(&mut self, map: &Map, undo: &[CellEdit]) {
        let overlay = |edit: &CellEdit| if let LayerEdit::Overlay(before) = edit.to { Some(before) } else { None };
        let changed: Option<Vec<_>> =
            undo.iter().map(|edit| changed_volcano(map, edit.cell, overlay(edit)??)).collect();
        match changed {
            Some(changed) if !changed.is_empty() && (!map.any_dormant() || map.erupting().is_empty()) => {
                let drawn = Arc::make_mut(&mut self.0);
                for (cell, before) in changed {
                    let drawn_as = *drawn.entry(cell).or_insert(before);
                    if map.overlay_id(cell) == Some(drawn_as) {
                        drawn.remove(&cell);
                    }
                }
            }
            _ => {
                let painted = undo.iter().filter(|edit| overlay(edit).is_some() && self.0.contains_key(&edit.cell));
                let painted: Vec<_> = painted.map(|edit| edit.cell).collect();
                if !painted.is_empty() {
                    let drawn = Arc::make_mut(&mut self.0);
                    for cell in painted {
                        drawn.remove(&cell);
                    }
                }
            }
        }
    }

    /// Goes on with another map. A version of the one before keeps its eruptions.
    pub fn open(&mut self, before: &Map, map: &Map) {
        let is_version = before.size() == map.size() && before.name() == map.name();
        if !is_version {
            self.0 = Arc::default();
        } else if !self.0.is_empty() {
            let stays = |cell: &Cell| before.overlay_id(*cell) == map.overlay_id(*cell);
            Arc::make_mut(&mut self.0).retain(|cell, _| stays(cell));
        }
    }

    /// The edits after which the volcanoes are as they were drawn.
    pub fn undo(&self) -> Vec<CellEdit> {
        self.0.iter().map(|(cell, drawn)| CellEdit::overlay(*cell, Some(*drawn))).collect()
    }
}

/// The volcano in a cell, which was `before` a change that V can make; `None` after any other change.
fn changed_volcano(map: &Map, cell: Cell, before: TerrainId) -> Option<(Cell, TerrainId)> {
    let now = map.overlay_id(cell)?;
    let tileset = map.tileset();
    let is_by_key = tileset.erupted(before) == Some(now) || tileset.calmed(before) == Some(now);
    is_by_key.then_some((cell, before))
}
