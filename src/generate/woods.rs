//! Grows woods in patches, which are dense inside and keep away from roads.

use super::draft::{BaseTerrain, DraftMap, OverlayTerrain, cells_around};
use super::random::{Noise, ScalarField, SeededRandom};
use crate::grid::Cell;

/// Grows woods in an area of `thousandths` out of a thousand cells, and single trees on `lone_thousandths` out of a
/// thousand cells of the rest. Cells that are not free are left out.
pub(super) fn grow(draft: &mut DraftMap, thousandths: u32, lone_thousandths: u32, random: &mut SeededRandom) {
    let noise = Noise::new(random, 13, 3);
    let density = ScalarField::new(draft.size(), |cell| noise.at(cell));
    let (wood, dense) = (density.quantile(1000 - thousandths), density.quantile(1000 - thousandths / 5));
    for cell in draft.size().cells() {
        let value = density.0[cell];
        let alone = random.below(1000) < lone_thousandths;
        if (value < wood && !alone) || !may_grow(draft, cell) {
            continue;
        }
        // Woods are thinner in snow, and there are few trees in sand.
        let base = draft.base[cell];
        let bare_percent = match base {
            BaseTerrain::Grass => 8,
            BaseTerrain::Snow => 35,
            BaseTerrain::Sand | BaseTerrain::Water => 85,
        };
        if random.percent(bare_percent) {
            continue;
        }
        let overlay =
            if value >= dense && base == BaseTerrain::Grass { OverlayTerrain::Thicket } else { OverlayTerrain::Pines };
        draft.set_overlay(cell, overlay);
    }
}

/// Whether `cell` is free and a tree on it would hide nothing important.
fn may_grow(draft: &DraftMap, cell: Cell) -> bool {
    let is_important = |overlay: OverlayTerrain| {
        matches!(
            overlay,
            OverlayTerrain::Tent | OverlayTerrain::Castle | OverlayTerrain::Volcano | OverlayTerrain::Wall
        )
    };
    draft.is_free(cell)
        && !draft.would_hide_a_road(cell)
        && !cells_around(cell, 1, 1).any(|near| is_important(draft.overlay_at(near)))
}
