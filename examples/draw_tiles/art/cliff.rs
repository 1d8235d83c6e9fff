//! The faces of raised cells, one level each: rock in strata, what grows over its lip, banks of earth, scree at the
//! foot, and water that falls.
//!
//! A face fills the strip of twelve pixels above the lower edge of the ground, so `d` counts from 0 at the top to 11.

use super::NamedImage;
use super::ground::VARIANTS;
use super::noise::{hash, mix, step, tiling};
use super::picture::{Picture, SIZE};
use super::vector::{Vec3, rgb};

/// The height of a level.
const LEVEL: usize = 12;

/// The columns after which faces repeat, so that faces of neighbours join.
const PERIOD: usize = 26;

/// A point of a face: the column, counted from its left end, and the row.
#[derive(Clone, Copy)]
struct Spot {
    column: usize,
    d: usize,
    variant: i64,
}

impl Spot {
    /// 1 in the middle of the face, and 0 at its ends, where all variants are the same.
    fn own(self) -> f64 {
        step(0.0, 0.2, 0.5 - ((self.column % PERIOD) as f64 / PERIOD as f64 - 0.5).abs())
    }

    fn key(self, salt: i64) -> [i64; 3] {
        let variant = if self.own() > 0.6 { self.variant } else { 0 };
        [(self.column % PERIOD) as i64, variant, salt]
    }

    fn wave(self, f: i64, seed: i64) -> f64 {
        let at = (self.column % PERIOD) as f64 / PERIOD as f64;
        mix(tiling(at, 0.0, f, seed), tiling(at, 0.0, f, seed + 7 * self.variant), self.own())
    }
}

/// The turf on the lip of a cliff.
struct Turf {
    name: &'static str,
    light: Vec3,
    dark: Vec3,
    /// The earth of a bank.
    earth: Vec3,
    /// How far it hangs over a cliff, and over a bank, in pixels.
    lip: f64,
    bank: f64,
}

fn turfs() -> [Turf; 3] {
    [
        Turf {
            name: "Grass",
            light: rgb(106, 136, 60),
            dark: rgb(52, 78, 34),
            earth: rgb(124, 96, 64),
            lip: 4.2,
            bank: 8.6,
        },
        Turf {
            name: "Snow",
            light: rgb(214, 223, 236),
            dark: rgb(140, 160, 196),
            earth: rgb(116, 112, 116),
            lip: 4.6,
            bank: 9.0,
        },
        Turf {
            name: "Sand",
            light: rgb(210, 184, 130),
            dark: rgb(166, 136, 88),
            earth: rgb(176, 144, 96),
            lip: 3.4,
            bank: 12.0,
        },
    ]
}

/// How many blocks of rock there are across and down the side of a cell.
const BLOCKS: (i64, i64) = (3, 3);

/// Rock: crooked blocks in layers that bend. Each has its own tone, a bright upper edge and dark cracks around it.
fn rock(spot: Spot) -> Vec3 {
    let Spot { column, d, .. } = spot;
    let (across, down) = (PERIOD as f64 / BLOCKS.0 as f64, LEVEL as f64 / BLOCKS.1 as f64);
    let bend = 2.6 * (tiling((column % PERIOD) as f64 / PERIOD as f64, 0.0, 3, 15) - 0.5);
    let block = |d: f64| nearest_block(spot, (column % PERIOD) as f64 / across, (d + bend) / down);
    let (own, above) = (block(d as f64), block(d as f64 - 1.0));
    let tones = [rgb(136, 122, 106), rgb(158, 143, 123), rgb(116, 103, 91), rgb(146, 129, 111), rgb(104, 95, 88)];
    let tone = tones[(hash(&[own.key, 5]) * tones.len() as f64) as usize % tones.len()];
    // Broad patches are lighter and darker, and single pixels are rough.
    let patch = 0.84 + 0.32 * spot.wave(5, 31);
    let grain = 0.90 + 0.20 * hash(&[(column % PERIOD) as i64, d as i64, 5]);
    let mut c = tone * (patch * grain);
    if own.key != above.key {
        c = c * 1.30;
    }
    // Some cracks are wide, and others are hardly there.
    let width = 0.12 + 0.20 * hash(&[own.key.min(own.other), own.key.max(own.other), 6]);
    c * mix(0.5, 1.0, own.gap / width)
}

/// The block at a point of a rock.
struct Block {
    key: i64,
    /// The key of the next block.
    other: i64,
    /// How far the point is from the middle between the two, in blocks.
    gap: f64,
}

/// Finds the block at a point, in blocks. It is the one with the nearest centre; the centres are jittered.
fn nearest_block(spot: Spot, x: f64, y: f64) -> Block {
    let (i, j) = (x.floor() as i64, y.floor() as i64);
    let mut nearest = [(f64::MAX, 0), (f64::MAX, 0)];
    for (dx, dy) in (-1..=1).flat_map(|dy| (-2..=2).map(move |dx| (dx, dy))) {
        let (column, row) = ((i + dx).rem_euclid(BLOCKS.0), (j + dy).rem_euclid(BLOCKS.1));
        // Only blocks in the middle differ, so that those at the ends join.
        let is_inner = (1..BLOCKS.0 - 1).contains(&column);
        let key = (row * BLOCKS.0 + column) * 16 + if is_inner { spot.variant } else { 0 };
        let shift = if row % 2 == 0 { 0.25 } else { 0.75 };
        let centre =
            ((i + dx) as f64 + shift + 0.7 * (hash(&[key, 7]) - 0.5), (j + dy) as f64 + 0.2 + 0.6 * hash(&[key, 8]));
        let distance = ((x - centre.0) * 0.9).hypot(y - centre.1);
        if distance < nearest[0].0 {
            nearest = [(distance, key), nearest[0]];
        } else if distance < nearest[1].0 {
            nearest[1] = (distance, key);
        }
    }
    Block { key: nearest[0].1, other: nearest[1].1, gap: nearest[1].0 - nearest[0].0 }
}

/// The number of variants of a face: three of bare rock, one with what hangs over it, and one with a ledge.
const LOOKS: usize = 5;
const HUNG: i64 = 3;
const LEDGE: i64 = 4;

/// A ledge across the middle of a rock, on which the same grows as on top; the bare rock without a ledge.
fn with_ledge(spot: Spot, turf: &Turf) -> Vec3 {
    let bare = rock(spot);
    // It is as high as it is at its ends, where it fades into the rock.
    let lies = 5.6 + 2.4 * (tiling((spot.column % PERIOD) as f64 / PERIOD as f64, 0.0, 4, 55) - 0.5);
    let (above, long) = (lies - spot.d as f64, spot.own() > 0.45 + 0.4 * hash(&spot.key(56)));
    match (spot.variant == LEDGE && long, above) {
        (true, 0.0..2.6) => blade(spot, turf, 1.0 - above / 2.6),
        (true, -1.0..0.0) => bare * 1.32,
        (true, -3.4..-1.0) => bare * 0.55,
        _ => bare,
    }
}

/// Rock under a ragged lip of what grows on top.
fn top(spot: Spot, turf: &Turf) -> Vec3 {
    let mut ragged = turf.lip * (0.45 + 0.75 * spot.wave(13, 61) + 0.35 * (hash(&spot.key(62)) - 0.3));
    if spot.variant == HUNG {
        // Strands hang down almost to the foot.
        ragged += spot.own() * 7.5 * step(0.42, 0.80, spot.wave(6, 65)) * (0.5 + 0.6 * hash(&spot.key(66)));
    }
    let d = spot.d as f64;
    if d < ragged {
        blade(spot, turf, d / ragged.max(1.0))
    } else {
        // The lip throws a shadow.
        with_ledge(spot, turf) * mix(0.58, 1.0, (d - ragged) / 3.0)
    }
}

/// One blade, drift or trickle that hangs over the lip, from its root at 0 to its tip at 1.
fn blade(spot: Spot, turf: &Turf, along: f64) -> Vec3 {
    let tone = hash(&[spot.column as i64 % PERIOD as i64, spot.d as i64 / 3, 63]);
    mix(turf.light * (0.92 + 0.2 * tone), turf.dark, along.powi(2) * 0.8 + 0.25 * (1.0 - tone))
}

/// A bank that is one level high: what grows on top reaches almost to the foot, with some bare earth.
fn bank(spot: Spot, turf: &Turf) -> Vec3 {
    let d = spot.d as f64;
    // The earth has slipped from some, and is held by stones in others.
    let slipped = if spot.variant == HUNG { 0.52 * spot.own() } else { 0.0 };
    let stones = if spot.variant == LEDGE { 0.62 } else { 0.90 };
    let ragged = turf.bank * (0.60 + 0.45 * spot.wave(9, 71) + 0.28 * (hash(&spot.key(72)) - 0.4) - slipped);
    let c = if d < ragged {
        blade(spot, turf, d / ragged.max(1.0) * 0.9)
    } else {
        let key = [spot.column as i64 % PERIOD as i64, spot.d as i64, 73 + spot.variant];
        let stone = hash(&[key[0] / 2, key[1] / 2, key[2]]) > stones;
        let earth = if stone { rgb(150, 142, 130) } else { turf.earth };
        earth * (0.80 + 0.28 * hash(&key)) * mix(0.72, 1.0, (d - ragged) / 2.0)
    };
    c * mix(1.0, 0.80, (d - 8.0) / 3.0)
}

/// Rock with rubble and a dark seam at its foot.
fn foot(spot: Spot) -> Vec3 {
    let d = spot.d as f64;
    let heap = 12.0 - 4.6 * (0.25 + 0.9 * spot.wave(7, 81));
    if spot.d == LEVEL - 1 {
        return rock(spot) * 0.46;
    }
    if d >= heap {
        let key = [(spot.column % PERIOD) as i64 / 2, spot.d as i64 / 2, 82 + spot.variant];
        let upper = spot.d.is_multiple_of(2);
        return rgb(142, 132, 118) * ((0.62 + 0.5 * hash(&key)) * if upper { 1.08 } else { 0.84 });
    }
    rock(spot) * mix(1.0, 0.78, (d - 3.0) / 8.0)
}

/// The frames of water that falls, as many as the ground has.
const FRAMES: usize = 4;

/// Water that falls: strands of foam on blue, from the lip to the spray at the foot. In each frame it is further down.
fn fall(spot: Spot, frame: usize, has_lip: bool, has_foot: bool) -> Vec3 {
    let (d, column) = (spot.d as f64, (spot.column % PERIOD) as i64);
    let (across, fallen) = (column as f64 / PERIOD as f64, (d - (frame * LEVEL / FRAMES) as f64) / LEVEL as f64);
    // Strands keep their place, and the foam in them runs down.
    let strand = 0.55 * tiling(across, 0.0, 13, 91) + 0.45 * hash(&[column, 92]);
    let run = 0.6 * tiling(across * 9.0, fallen, 2, 93)
        + 0.4 * hash(&[column, (fallen * LEVEL as f64).rem_euclid(LEVEL as f64) as i64 / 3, 94]);
    let (deep, blue, foam) = (rgb(24, 70, 112), rgb(66, 128, 166), rgb(226, 240, 246));
    let mut c = mix(deep, blue, 0.15 + 0.95 * strand);
    c = mix(c, foam, step(0.45, 0.85, 0.55 * strand + 0.55 * run) * 0.85);
    if has_lip {
        // The water bends over the lip before it breaks.
        c = mix(mix(rgb(96, 158, 188), rgb(42, 100, 144), d / 3.0), c, (d - 1.0) / 4.0);
    }
    if has_foot {
        let puff = hash(&[column / 2, ((frame + 1) * 7) as i64, 95]);
        let spray = d - 6.6 + 3.2 * puff - 1.5 * strand;
        c = mix(c, foam, step(0.0, 3.2, spray));
        c = mix(c, rgb(186, 216, 228), step(10.0, 11.5, d) * (0.3 + 0.5 * puff));
    }
    c
}

/// A road that climbs a level: worn steps between banks of earth, in the middle of the side; `None` beside it.
fn ramp(spot: Spot) -> Option<Vec3> {
    let d = spot.d as f64;
    let across = (spot.column as f64 + 0.5 - 13.5).abs();
    // It spreads towards its foot.
    let width = 5.6 + 0.16 * d + 1.4 * (hash(&[spot.column as i64 / 2, spot.d as i64 / 3, 101]) - 0.5);
    if across > width + 1.0 {
        return None;
    }
    if across > width {
        return Some(rgb(104, 90, 56));
    }
    let (tread, riser) = (rgb(190, 158, 114), rgb(126, 98, 66));
    let grain = 0.92 + 0.16 * hash(&[spot.column as i64, spot.d as i64, 102]);
    let rut = if (across - 2.6).abs() < 0.8 { 0.84 } else { 1.0 };
    let light = match spot.d % 4 {
        0 => mix(tread, riser, 0.1) * 1.12,
        1 => tread,
        2 => mix(tread, riser, 0.6),
        _ => riser * 0.86,
    };
    Some(light * (grain * rut))
}

/// Draws a face. The sun is in the south-east, so the side to the west is in bluish shade.
fn face(south: bool, variant: usize, colour: &dyn Fn(Spot) -> Option<Vec3>, shade: f64) -> Picture {
    let mut picture = Picture::empty(SIZE, SIZE);
    for i in if south { 27..54 } else { 0..27 } {
        let below = 41 + if south { (53 - i) / 2 } else { i / 2 };
        for d in 0..LEVEL {
            let column = if south { i - 27 } else { i };
            let Some(c) = colour(Spot { column, d, variant: variant as i64 }) else { continue };
            let light =
                if south { Vec3 { x: 1.06, y: 1.02, z: 0.94 } } else { Vec3 { x: 0.92, y: 0.98, z: 1.10 } * shade };
            // The corner of two faces catches the light.
            let corner = match (south, i) {
                (true, 27) => 1.25,
                (false, 26) => 1.12,
                _ => 1.0,
            };
            let lit = Vec3 { x: c.x * light.x, y: c.y * light.y, z: c.z * light.z } * corner;
            picture.set(i, below - LEVEL + d, lit);
        }
    }
    picture
}

pub fn tiles() -> Vec<NamedImage> {
    let mut out = Vec::new();
    for (side, south) in [("W", false), ("S", true)] {
        out.push((format!("L2_RoadDirtRamp{side}"), face(south, 0, &ramp, 0.66).image(4.0)));
    }
    let mut add = |name: String, count: usize, shade: f64, colour: &dyn Fn(Spot) -> Vec3| {
        for (v, letter) in VARIANTS.iter().enumerate().take(count) {
            for (side, south) in [("W", false), ("S", true)] {
                let drawn = face(south, v, &|spot| Some(colour(spot)), shade);
                out.push((format!("{name}{side}{letter}"), drawn.image(4.0)));
            }
        }
    };
    let [grass, ..] = turfs();
    add("L0_Cliff".into(), LOOKS, 0.42, &|spot| with_ledge(spot, &grass));
    add("L0_CliffFoot".into(), 3, 0.42, &foot);
    for turf in turfs() {
        add(format!("L0_Cliff{}Top", turf.name), LOOKS, 0.46, &|spot| top(spot, &turf));
        add(format!("L0_Cliff{}Bank", turf.name), LOOKS, 0.50, &|spot| bank(spot, &turf));
    }
    for (name, has_lip, has_foot) in
        [("", false, false), ("Top", true, false), ("Foot", false, true), ("Bank", true, true)]
    {
        for (frame, letter) in VARIANTS.iter().enumerate().take(FRAMES) {
            for (side, south) in [("W", false), ("S", true)] {
                let drawn = face(south, 0, &|spot| Some(fall(spot, frame, has_lip, has_foot)), 0.62);
                out.push((format!("L0_CliffWater{name}{side}{letter}"), drawn.image(4.0)));
            }
        }
    }
    out
}
