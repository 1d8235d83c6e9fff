//! The part of a hash that is about the map: all its cells, or the painted cells.

use emberwalk_map::terrain::{TerrainId, Tileset};
use emberwalk_map::{CellEdit, LayerEdit, Map, MapContent};
use emberwalk_path::hash::{Digest, mixed};

/// All cells of a map, by their index: ground, overlay and level.
pub fn digest_of_map(map: &MapContent) -> Digest {
    let tileset = map.tileset();
    let mut digest = Digest::default();
    for (cell, number) in map.size().cells().zip(0..) {
        let base = number_of(tileset, map.base_id(cell));
        let overlay = number_of(tileset, map.overlay_id(cell));
        digest.add(number, base << 32 | overlay << 8 | u64::from(map.level(cell)));
    }
    digest
}

/// Notes painted cells, whose earlier content is in `undo`.
pub(super) fn add_painted(painted: &mut Digest, map: &Map, undo: &[CellEdit]) {
    // The first content of a cell that was painted twice is in its last undo.
    let mut seen = std::collections::HashMap::new();
    for edit in undo {
        seen.insert((edit.cell, std::mem::discriminant(&edit.to)), *edit);
    }
    let tileset = map.tileset();
    let item = |to: LayerEdit| match to {
        LayerEdit::Base(id) => mixed([0, number_of(tileset, Some(id))]),
        LayerEdit::Overlay(id) => mixed([1, number_of(tileset, id)]),
        LayerEdit::Level(level) => mixed([2, level.into()]),
    };
    for before in seen.into_values() {
        let Some(number) = map.size().index(before.cell) else { continue };
        painted.remove(number as u64, item(before.to));
        painted.add(number as u64, item(map.content_before(before)));
    }
}

/// The character of a terrain as a number; 0 for none.
fn number_of(tileset: &Tileset, id: Option<TerrainId>) -> u64 {
    id.map_or(0, |id| u32::from(tileset[id].char).into())
}
