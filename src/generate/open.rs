//! Open land: nearly nothing in the way.

use super::maze::ground;
use super::sketch::{Ground, Sketch, Thing, around};
use super::valley::bury;
use super::{Work, woods};
use crate::grid::{Cell, Direction};

pub(super) fn draw(work: &mut Work<'_>) -> Sketch {
    let size = work.size;
    work.tell("laying the ground", 10);
    let mut chance = work.chance("open");
    let mut sketch = ground(size, &mut chance);
    work.tell("scattering things", 50);
    for _ in 0..size.area() / 260 {
        let centre = chance.cell(size);
        match chance.below(4) {
            0 => {
                let (across, down) = (chance.between(0, 2), chance.between(0, 2));
                let cells: Vec<Cell> = around(centre, across, down).collect();
                cells.into_iter().for_each(|cell| sketch.lay(cell, Ground::Water));
            }
            1 => {
                // A wall that has lost its house.
                let way = chance.pick(&Direction::SIDES);
                let mut cell = centre;
                for _ in 0..chance.between(3, 6) {
                    sketch.put_if_free(cell, Thing::Wall);
                    cell = cell + way;
                }
            }
            _ => {
                for _ in 0..chance.between(1, 4) {
                    let cell = centre + (chance.between(-1, 1), chance.between(-1, 1));
                    sketch.put_if_free(cell, Thing::Mountain);
                }
            }
        }
    }
    sketch.smooth(1);
    woods::grow(&mut sketch, 60, 20, &mut work.chance("woods"));
    bury(&mut sketch, &mut work.chance("graves"));
    sketch
}
