//! The part of a hash that is about the map: all its cells, or the painted cells.

use emberwalk_map::{CellEdit, LayerEdit, Map, MapContent};
use emberwalk_path::hash::{Digest, mixed};

/// All cells of a map, by their index: ground, overlay and level.
pub fn digest_of_map(map: &MapContent) -> Digest {
    let tileset = map.tileset();
    let mut digest = Digest::default();
    for (cell, number) in map.size().cells().zip(0..) {
        let base = map.base_id(cell).map_or(0, |id| u64::from(u32::from(tileset[id].char)));
        let overlay = map.overlay_id(cell).map_or(0, |id| u64::from(u32::from(tileset[id].char)));
        digest.add(number, base << 32 | overlay << 8 | u64::from(map.level(cell)));
    }
    digest
}

/// Notes painted cells, whose earlier content is in `undo`.
pub(super) fn add_painted(painted: &mut Digest, map: &Map, undo: &[CellEdit]) {
    // The first content of a cell that was painted twice is in its last undo.
    let mut seen = std::collections::HashMap::new();
    for edit in undo {
        let layer = match edit.to {
            LayerEdit::Base(_) => 0_u64,
            LayerEdit::Overlay(_) => 1,
            LayerEdit::Level(_) => 2,
        };
        seen.insert((edit.cell, layer), edit.to);
    }
    let tileset = map.tileset();
    let value = |to: LayerEdit| match to {
        LayerEdit::Base(id) => u64::from(u32::from(tileset[id].char)),
        LayerEdit::Overlay(id) => id.map_or(0, |id| u64::from(u32::from(tileset[id].char))),
        LayerEdit::Level(level) => u64::from(level),
    };
    for ((cell, layer), before) in seen {
        let Some(number) = map.size().index(cell) else { continue };
        let now = match before {
            LayerEdit::Base(id) => LayerEdit::Base(map.base_id(cell).unwrap_or(id)),
            LayerEdit::Overlay(_) => LayerEdit::Overlay(map.overlay_id(cell)),
            LayerEdit::Level(_) => LayerEdit::Level(map.level(cell)),
        };
        painted.remove(number as u64, mixed([layer, value(before)]));
        painted.add(number as u64, mixed([layer, value(now)]));
    }
}
