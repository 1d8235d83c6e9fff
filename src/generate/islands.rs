//! Islands: lands of different ground in water, joined by bridges and fords.

use super::Work;
use super::chance::{Chance, Noise, Relief};
use super::places::Places;
use super::roads::{self, Roads};
use super::sketch::{Ground, Sketch, Thing, around};
use super::valley::bury;
use super::woods;
use crate::grid::{Cell, Direction, Grid};

pub(super) fn draw(work: &mut Work<'_>) -> Sketch {
    let size = work.size;
    work.tell("raising the land", 0);
    let mut chance = work.chance("islands");
    let (noise, detail) = (Noise::new(&mut chance, 14, 3), Noise::new(&mut chance, 60, 1));
    let rim = |at: i32, length: u32| at.min(length as i32 - 1 - at).min(3);
    let heights = Relief::new(size, |cell| {
        // The sea lies all around, where there is room for it.
        let edge = (3 - rim(cell.x, size.width).min(rim(cell.y, size.height))) * 2600;
        let edge = if size.width.min(size.height) < 12 { 0 } else { edge };
        (i32::from(noise.at(cell)) * 3 / 4 + i32::from(detail.at(cell)) / 6 - edge).clamp(-32767, 32767) as i16
    });
    let (sea, peak) = (heights.level(560), heights.level(965));
    let mut sketch = Sketch::new(size, |cell| if heights.0[cell] < sea { Ground::Water } else { Ground::Grass });
    sketch.smooth(2);
    work.tell("naming the islands", 15);
    differ(&mut sketch, &heights, sea, &mut chance);
    for cell in size.cells() {
        if heights.0[cell] >= peak && sketch.is_free(cell) {
            sketch.put(cell, Thing::Mountain);
        }
    }
    work.tell("choosing places", 30);
    let side = ((size.width + size.height) / 8).clamp(5, 18);
    let suits = |cell: Cell| {
        sketch.is_free(cell).then(|| around(cell, 2, 2).filter(|&near| !sketch.is_free(near)).count() as u32)
    };
    let places = Places::find(size, side, &mut chance, suits);
    let mut roads = Roads::new(&sketch);
    places.join(&mut sketch, &mut roads, work);
    roads::thin(&mut sketch);
    ford(&mut sketch, &mut chance);
    if let Some((tent, castle)) = places.farthest(1, 1) {
        sketch.put(tent, Thing::Tent);
        sketch.put(castle, Thing::Castle);
    }
    work.tell("growing woods", 76);
    woods::grow(&mut sketch, 260, 30, &mut work.chance("woods"));
    bury(&mut sketch, &mut work.chance("graves"));
    sketch
}

/// Gives every island ground of its own, takes the smallest away, and lays sand along some shores.
fn differ(sketch: &mut Sketch, heights: &Relief, sea: i16, chance: &mut Chance) {
    let size = sketch.size();
    let dryness = Noise::new(chance, 14, 2);
    let mut seen = Grid::from_fn(size, |_| false);
    let mut island = Vec::new();
    for start in size.cells() {
        if seen[start] || sketch.is(start, Ground::Water) {
            continue;
        }
        island.clear();
        island.push(start);
        seen[start] = true;
        let mut next = 0;
        while let Some(&cell) = island.get(next) {
            next += 1;
            for beside in Direction::SIDES.map(|way| cell + way) {
                if seen.get(beside) == Some(&false) && !sketch.is(beside, Ground::Water) {
                    seen[beside] = true;
                    island.push(beside);
                }
            }
        }
        let inner = match chance.below(10) {
            0..=5 => Ground::Grass,
            6..=7 => Ground::Snow,
            _ => Ground::Sand,
        };
        for &cell in &island {
            let shore = heights.0[cell] < sea.saturating_add(2600);
            let sand = inner == Ground::Grass && shore && dryness.at(cell) > -3000;
            let small = island.len() < 7 && size.area() > 60;
            sketch.lay(
                cell,
                if small {
                    Ground::Water
                } else if sand {
                    Ground::Sand
                } else {
                    inner
                },
            );
        }
    }
}

/// Makes some short bridges fords: sand that one wades through.
fn ford(sketch: &mut Sketch, chance: &mut Chance) {
    let bridges: Vec<_> =
        sketch.things.iter().filter(|(_, thing)| **thing == Thing::Bridge).map(|(cell, _)| cell).collect();
    for cell in bridges {
        let long = Direction::SIDES.iter().any(|&way| sketch.thing(cell + way) == Thing::Bridge);
        if !long && chance.percent(60) {
            sketch.put(cell, Thing::Road);
            sketch.lay(cell, Ground::Sand);
            for beside in Direction::SIDES.map(|way| cell + way) {
                if sketch.is(beside, Ground::Water) && chance.percent(50) {
                    sketch.lay(beside, Ground::Sand);
                }
            }
        }
    }
}
