//! Generates open land with few obstacles.

use super::context::GeneratorContext;
use super::draft::{BaseTerrain, DraftMap, OverlayTerrain, cells_around};
use super::maze::patchy_base;
use super::valley::add_tombstones;
use super::woods::Woods;
use emberwalk_path::grid::{Cell, Direction};

pub(super) fn generate(context: &mut GeneratorContext<'_>) -> DraftMap {
    let size = context.size;
    context.report("laying the ground", 10);
    let mut random = context.random("open");
    let mut draft = patchy_base(size, &mut random);
    context.report("placing obstacles", 50);
    for _ in 0..size.area() / 260 {
        let centre = random.cell(size);
        match random.below(4) {
            0 => {
                let (columns, rows) = (random.between(0, 2), random.between(0, 2));
                let cells: Vec<Cell> = cells_around(centre, columns, rows).collect();
                cells.into_iter().for_each(|cell| draft.set_base(cell, BaseTerrain::Water));
            }
            1 => {
                // A ruined wall.
                let side = random.pick(&Direction::SIDES);
                let mut cell = centre;
                for _ in 0..random.between(3, 6) {
                    draft.set_overlay_if_free(cell, OverlayTerrain::Wall);
                    cell = cell + side;
                }
            }
            _ => {
                for _ in 0..random.between(1, 4) {
                    let cell = centre + (random.between(-1, 1), random.between(-1, 1));
                    draft.set_overlay_if_free(cell, OverlayTerrain::Mountain);
                }
            }
        }
    }
    draft.smooth(1);
    Woods::new(size, context.random("woods")).grow(&mut draft, 60, 20);
    add_tombstones(&mut draft, &mut context.random("graves"));
    draft
}
