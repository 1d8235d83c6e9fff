//! Woods in patches, dense inside, and away from roads.

use super::draft::{BaseTerrain, DraftMap, OverlayTerrain, around};
use super::random::{Noise, ScalarField, SeededRandom};
use crate::grid::Cell;

/// Lets so many of a thousand cells of the map be wood, where land is free; `lone` of a thousand cells elsewhere bear
/// trees too.
pub(super) fn grow(draft: &mut DraftMap, thousandths: u32, lone: u32, random: &mut SeededRandom) {
    let noise = Noise::new(random, 13, 3);
    let relief = ScalarField::new(draft.size(), |cell| noise.at(cell));
    let (wood, dense) = (relief.quantile(1000 - thousandths), relief.quantile(1000 - thousandths / 5));
    for cell in draft.size().cells() {
        let height = relief.0[cell];
        let alone = random.below(1000) < lone;
        if (height < wood && !alone) || !may_grow(draft, cell) {
            continue;
        }
        // Woods are thinner in snow and hardly grow in sand.
        let ground = draft.base[cell];
        let bare = match ground {
            BaseTerrain::Grass => 8,
            BaseTerrain::Snow => 35,
            BaseTerrain::Sand | BaseTerrain::Water => 85,
        };
        if random.percent(bare) {
            continue;
        }
        let thing = if height >= dense && ground == BaseTerrain::Grass {
            OverlayTerrain::Thicket
        } else {
            OverlayTerrain::Pines
        };
        draft.set_overlay(cell, thing);
    }
}

/// Whether trees on `cell` would hide nothing.
fn may_grow(draft: &DraftMap, cell: Cell) -> bool {
    let kept = |thing: OverlayTerrain| {
        matches!(thing, OverlayTerrain::Tent | OverlayTerrain::Castle | OverlayTerrain::Volcano | OverlayTerrain::Wall)
    };
    draft.is_free(cell)
        && !draft.would_hide_a_road(cell)
        && !around(cell, 1, 1).any(|near| kept(draft.overlay_at(near)))
}
