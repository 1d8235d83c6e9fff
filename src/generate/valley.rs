//! The valley: heights, rivers, woods and snow, with roads between places and a walled castle.

use super::Work;
use super::chance::{Chance, Noise, Relief};
use super::places::Places;
use super::roads::{self, Roads};
use super::sketch::{Ground, Sketch, Thing, around};
use super::walls::{self, Ring};
use super::{rivers, woods};
use crate::grid::{Cell, Direction, Size};

pub(super) fn draw(work: &mut Work<'_>) -> Sketch {
    let size = work.size;
    work.tell("raising the land", 0);
    let mut chance = work.chance("heights");
    let noise = Noise::new(&mut chance, 34, 4);
    let heights = Relief::new(size, |cell| noise.at(cell));
    let mut sketch = ground(size, &heights, work);
    work.tell("letting rivers run", 25);
    let mut chance = work.chance("rivers");
    // A river parts a map of middling size; on larger ones rivers are everywhere.
    let parted = size.width.min(size.height) >= 16 && size.width.max(size.height) <= 512;
    let upright = if size.width == size.height { chance.percent(50) } else { size.width > size.height };
    if parted {
        rivers::divide(&mut sketch, &heights, upright, &mut chance);
    }
    rivers::run(&mut sketch, &heights, 900, &mut chance);
    work.tell("choosing places", 36);
    let weights = if !parted {
        (1, 1)
    } else if upright {
        (4, 1)
    } else {
        (1, 4)
    };
    settle(&mut sketch, &heights, weights, work);
    work.tell("growing woods", 76);
    woods::grow(&mut sketch, 280, 25, &mut work.chance("woods"));
    bury(&mut sketch, &mut work.chance("graves"));
    sketch
}

/// Water in the depths, mountains on the heights, snow where it is cold, sand on some shores.
fn ground(size: Size, heights: &Relief, work: &mut Work<'_>) -> Sketch {
    let mut chance = work.chance("ground");
    let sea = heights.level(110);
    let climate = Noise::new(&mut chance, 55, 3);
    let dryness = Noise::new(&mut chance, 18, 3);
    // One side of the land is colder; on a large map cold and warm alternate.
    let towards = chance.pick(&Direction::ALL).offset();
    let colder = |cell: Cell| {
        let along = (cell.x * towards.0 + cell.y * towards.1).rem_euclid(240);
        (along.min(240 - along) - 60) * 170
    };
    let cold = Relief::new(size, |cell| {
        let sum = i32::from(climate.at(cell)) + i32::from(heights.0[cell]) / 2 + colder(cell);
        (sum / 2).clamp(-32767, 32767) as i16
    });
    work.tell("laying the ground", 12);
    let (snow, dry) = (cold.level(780), -i16::MAX / 100 * 6);
    let shore = sea.saturating_add(4200);
    let desert = Relief::new(size, |cell| dryness.at(cell));
    let (arid, mild) = (desert.level(965), cold.level(600));
    let mut sketch = Sketch::new(size, |cell| {
        let height = heights.0[cell];
        if height < sea {
            Ground::Water
        } else if cold.0[cell] >= snow {
            Ground::Snow
        } else if height < shore && desert.0[cell] > dry || desert.0[cell] >= arid && cold.0[cell] < mild {
            Ground::Sand
        } else {
            Ground::Grass
        }
    });
    sketch.smooth(3);
    let ridges = Noise::new(&mut chance, 9, 2);
    let (foot, peak) = (heights.level(840), heights.level(930));
    for cell in size.cells() {
        // Ragged at the foot, closed further up.
        let height = heights.0[cell];
        let free = sketch.is_free(cell);
        if free && height >= foot && (height >= peak || ridges.at(cell) > -2000) {
            sketch.put(cell, Thing::Mountain);
        }
    }
    sketch
}

/// Places, walls around some, and roads between them. Tent and castle are far apart; `weights` says how many times columns
/// and rows count in that.
fn settle(sketch: &mut Sketch, heights: &Relief, weights: (i64, i64), work: &mut Work<'_>) {
    let size = sketch.size();
    let mut chance = work.chance("places");
    let side = ((size.width + size.height) / 6).clamp(6, 26);
    let high = heights.level(700);
    let suits = |cell: Cell| {
        let near = around(cell, 2, 2);
        let rough = near.filter(|&cell| !sketch.is_free(cell)).count() as u32;
        let snow = u32::from(sketch.is(cell, Ground::Snow)) * 3;
        let steep = u32::from(heights.0[cell] > high) * 4;
        sketch.is_free(cell).then_some(rough + snow + steep)
    };
    let mut places = Places::find(size, side, &mut chance, suits);
    let mut ends = places.farthest(weights.0, weights.1);
    if let Some((one, other)) = ends.filter(|_| chance.percent(50)) {
        ends = Some((other, one));
    }
    let mut rings = Vec::new();
    if let Some((_, castle)) = &mut ends {
        let reach = if size.width.min(size.height) < 16 { (2, 2) } else { (chance.between(3, 4), 3) };
        if let Some(ring) = room(sketch, *castle, reach, side as i32 / 3) {
            places.shift(*castle, ring.centre);
            *castle = ring.centre;
            rings.push(ring);
        }
    }
    for ring in &rings {
        ring.build(sketch);
    }
    let (tent, castle) = ends.unzip();
    let others: Vec<_> = places.iter().filter(|&place| Some(place) != tent && Some(place) != castle).collect();
    for place in others {
        let ring = Ring { centre: place, reach: (chance.between(2, 4), chance.between(2, 3)) };
        if size.area() > 2500 && chance.percent(25) && ring.fits(sketch) {
            ring.build(sketch);
            rings.push(ring);
        }
    }
    let walled: Vec<_> = rings.iter().map(|ring| ring.centre).collect();
    let mut roads = Roads::new(sketch);
    places.join(sketch, &mut roads, work);
    places.lead_off(sketch, &mut roads, &mut chance);
    roads::thin(sketch);
    for ring in &rings {
        ring.close_idle_gates(sketch);
    }
    work.tell("building walls", 72);
    for place in places.iter().filter(|place| !walled.contains(place) && Some(*place) != tent) {
        remember(sketch, place, &mut chance);
    }
    if let (Some(tent), Some(castle)) = (tent, castle) {
        sketch.put(tent, Thing::Tent);
        sketch.put(castle, Thing::Castle);
        let way = roads.way(tent, castle);
        for part in way.chunks(70).filter(|part| part.len() > 12) {
            walls::across(sketch, part, &mut chance);
        }
    }
}

/// What is left of those who lived at a place without walls: a corner of a house behind it, or graves.
fn remember(sketch: &mut Sketch, place: Cell, chance: &mut Chance) {
    let (thing, cells): (_, &[(i32, i32)]) = match chance.below(5) {
        0 | 1 => (Thing::Wall, &[(-1, -1), (0, -1), (1, -1), (1, 0)]),
        2 => (Thing::Tombstone, &[(2, -2), (2, 1)]),
        3 => (Thing::Tombstone, &[(-2, -2)]),
        _ => return,
    };
    cells.iter().for_each(|&offset| sketch.put_if_free(place + offset, thing));
}

/// A walled rectangle near `centre` for which there is room, or else one that is shifted onto the map; `None` if the map
/// is too small.
fn room(sketch: &Sketch, centre: Cell, reach: (i32, i32), far: i32) -> Option<Ring> {
    let Size { width, height } = sketch.size();
    let mut near: Vec<_> = around(centre, far, far).collect();
    near.sort_by_key(|&cell| cell.distance_squared(centre));
    let fit = near.into_iter().map(|centre| Ring { centre, reach }).find(|ring| ring.fits(sketch));
    let (width, height) = (width as i32, height as i32);
    let large = width > 2 * reach.0 + 4 && height > 2 * reach.1 + 4;
    let inside = |at: i32, reach: i32, length: i32| at.clamp(reach + 1, length - reach - 2);
    let shifted = large.then(|| Ring {
        centre: Cell::new(inside(centre.x, reach.0, width), inside(centre.y, reach.1, height)),
        reach,
    });
    fit.or(shifted)
}

/// Tombstones: alone, and in the woods.
pub(super) fn bury(sketch: &mut Sketch, chance: &mut Chance) {
    let size = sketch.size();
    for _ in 0..size.area() / 330 + 1 {
        let cell = chance.cell(size);
        let near = |thing: Thing, reach: i32| around(cell, reach, reach).any(|cell| sketch.thing(cell) == thing);
        let spared = near(Thing::Tent, 2) || near(Thing::Castle, 2) || near(Thing::Tombstone, 4);
        if sketch.is_free(cell) && !spared {
            sketch.put(cell, Thing::Tombstone);
        }
    }
}
