//! Woods in patches, dense inside, and away from roads.

use super::chance::{Chance, Noise, Relief};
use super::sketch::{Ground, Sketch, Thing, around};
use crate::grid::Cell;

/// Lets so many of a thousand cells of the map be wood, where land is free; `lone` of a thousand cells elsewhere bear
/// trees too.
pub(super) fn grow(sketch: &mut Sketch, thousandths: u32, lone: u32, chance: &mut Chance) {
    let noise = Noise::new(chance, 13, 3);
    let relief = Relief::new(sketch.size(), |cell| noise.at(cell));
    let (wood, dense) = (relief.level(1000 - thousandths), relief.level(1000 - thousandths / 5));
    for cell in sketch.size().cells() {
        let height = relief.0[cell];
        let alone = chance.below(1000) < lone;
        if (height < wood && !alone) || !may_grow(sketch, cell) {
            continue;
        }
        // Woods are thinner in snow and hardly grow in sand.
        let ground = sketch.ground[cell];
        let bare = match ground {
            Ground::Grass => 8,
            Ground::Snow => 35,
            Ground::Sand | Ground::Water => 85,
        };
        if chance.percent(bare) {
            continue;
        }
        let thing = if height >= dense && ground == Ground::Grass { Thing::Thicket } else { Thing::Pines };
        sketch.put(cell, thing);
    }
}

/// Whether trees on `cell` would hide nothing.
fn may_grow(sketch: &Sketch, cell: Cell) -> bool {
    let kept = |thing: Thing| matches!(thing, Thing::Tent | Thing::Castle | Thing::Volcano | Thing::Wall);
    sketch.is_free(cell) && !sketch.would_hide_a_road(cell) && !around(cell, 1, 1).any(|near| kept(sketch.thing(near)))
}
