//! Grows woods in patches, which are dense inside and keep away from roads.

use super::draft::{BaseTerrain, DraftMap, OverlayTerrain, cells_around};
use super::noise::Noise;
use super::parallel;
use super::random::{ScalarField, SeededRandom};
use emberwalk_path::grid::{Cell, Size};

/// Plans where woods grow.
pub(super) struct Woods {
    /// The density of the woods.
    density: ScalarField,
    random: SeededRandom,
}

impl Woods {
    /// Decides where woods can grow, regardless of what is on the map.
    pub fn new(size: Size, mut random: SeededRandom) -> Self {
        let noise = Noise::new(&mut random, 13, 3);
        Self { density: noise.field(size), random }
    }

    /// Grows woods in an area of `thousandths` out of a thousand cells, and single trees on `lone_thousandths` out of a
    /// thousand cells of the rest. Cells that are not free are left out.
    pub fn grow(self, draft: &mut DraftMap, thousandths: u32, lone_thousandths: u32) {
        let Self { density, mut random } = self;
        let (wood, dense) = (density.quantile(1000 - thousandths), density.quantile(1000 - thousandths / 5));
        // Trees do not block other trees.
        let has_room = parallel::grid(draft.size(), |cell| may_grow(draft, cell));
        for cell in draft.size().cells() {
            let value = density.0[cell];
            let alone = random.below(1000) < lone_thousandths;
            if (value < wood && !alone) || !has_room[cell] {
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
            let is_thicket = value >= dense && base == BaseTerrain::Grass;
            draft.set_overlay(cell, if is_thicket { OverlayTerrain::Thicket } else { OverlayTerrain::Pines });
        }
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
