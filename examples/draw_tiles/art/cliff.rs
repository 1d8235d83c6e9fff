//! The faces of raised cells, one level each: rock in strata, what grows over its lip, banks of earth, scree at the foot,
//! and water that falls.
//!
//! A face fills the strip of twelve pixels above the lower edge of the ground, so `d` counts from 0 at the top to 11.

use super::NamedImage;
use super::ground::VARIANTS;
use super::noise::{hash, mix, step, tiling};
use super::picture::{Picture, SIZE};
use super::vector::{Vec3, rgb};

/// The height of a level.
const LEVEL: usize = 12;

/// The columns after which faces repeat, so that those of neighbours join.
const PERIOD: usize = 26;

/// A point of a face: the column, counted from its left end, and the row.
#[derive(Clone, Copy)]
struct Spot {
    column: usize,
    d: usize,
    variant: i64,
}

impl Spot {
    /// Returns 1 in the middle of the face, and 0 at its ends, where all variants are the same.
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

/// What covers the lip of a cliff.
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
            light: rgb(112, 146, 64),
            dark: rgb(62, 92, 40),
            earth: rgb(120, 94, 64),
            lip: 4.2,
            bank: 9.5,
        },
        Turf {
            name: "Snow",
            light: rgb(230, 236, 243),
            dark: rgb(160, 178, 208),
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

/// Rock: blocks in three strata, with joints between them and a light upper edge on each.
fn rock(spot: Spot) -> Vec3 {
    let Spot { column, d, variant } = spot;
    let bent = d as f64 + 1.7 * (spot.wave(3, 15) - 0.5);
    let strata = [0.0, 3.4 + 0.8 * spot.wave(2, 21), 7.6 + 0.8 * spot.wave(2, 22), 13.0];
    let layer = strata.iter().skip(1).position(|end| bent < *end).unwrap_or(2);
    let depth = bent - strata[layer];
    // Blocks of five to eight columns, shifted from stratum to stratum.
    let shifted = (column + 5 * layer + 3 * (variant as usize) * usize::from(spot.own() > 0.6)) % PERIOD;
    let ends = [6, 11, 19, 26];
    let block = ends.iter().position(|end| shifted < *end).unwrap_or(0);
    let is_joint = ends.contains(&(shifted + 1));
    let tone = 0.84 + 0.30 * hash(&[block as i64, layer as i64, variant * i64::from(spot.own() > 0.6), 77]);
    let base = [rgb(146, 130, 110), rgb(128, 112, 96), rgb(112, 99, 88)][layer];
    let grain = 0.90 + 0.20 * hash(&[column as i64 % PERIOD as i64, d as i64, 5 + variant]);
    let mut c = base * (tone * grain);
    if depth < 1.0 {
        c = c * 1.22;
    } else if strata[layer + 1] - bent < 1.0 {
        c = c * 0.66;
    }
    if is_joint && hash(&spot.key(40 + layer as i64)) > 0.2 {
        c = c * 0.58;
    }
    c
}

/// Rock under a ragged lip of what grows on top.
fn top(spot: Spot, turf: &Turf) -> Vec3 {
    let ragged = turf.lip * (0.45 + 0.75 * spot.wave(13, 61) + 0.35 * (hash(&spot.key(62)) - 0.3));
    let d = spot.d as f64;
    if d < ragged {
        blade(spot, turf, d / ragged.max(1.0))
    } else {
        // The lip throws a shadow.
        rock(spot) * mix(0.58, 1.0, (d - ragged) / 3.0)
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
    let ragged = turf.bank * (0.60 + 0.45 * spot.wave(9, 71) + 0.28 * (hash(&spot.key(72)) - 0.4));
    let c = if d < ragged {
        blade(spot, turf, d / ragged.max(1.0) * 0.9)
    } else {
        let key = [spot.column as i64 % PERIOD as i64, spot.d as i64, 73 + spot.variant];
        let stone = hash(&[key[0] / 2, key[1] / 2, key[2]]) > 0.90;
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

/// Water that falls: strands of foam on blue, from the lip to the spray at the foot.
fn fall(spot: Spot, has_lip: bool, has_foot: bool) -> Vec3 {
    let d = spot.d as f64;
    let strand = 0.6 * spot.wave(13, 91) + 0.4 * hash(&spot.key(92));
    let broken = hash(&[spot.column as i64 % PERIOD as i64, spot.d as i64 / 3, 93 + spot.variant]);
    let (deep, blue, foam) = (rgb(40, 96, 136), rgb(96, 154, 184), rgb(228, 242, 246));
    let mut c = mix(deep, blue, 0.3 + 0.7 * strand);
    c = mix(c, foam, step(0.58, 0.95, strand) * 0.75 + 0.25 * step(0.75, 0.95, broken));
    if has_lip {
        c = mix(rgb(84, 140, 168), c, d / 3.0);
    }
    if has_foot {
        let spray = d - 7.5 + 2.5 * broken;
        c = mix(c, foam, step(0.0, 3.0, spray) * 0.9);
    }
    c
}

/// Draws a face. The sun is in the south-east, so the side to the west is in bluish shade.
fn face(south: bool, variant: usize, colour: &dyn Fn(Spot) -> Vec3, shade: f64) -> Picture {
    let mut picture = Picture::empty(SIZE, SIZE);
    for i in if south { 27..54 } else { 0..27 } {
        let below = 41 + if south { (53 - i) / 2 } else { i / 2 };
        for d in 0..LEVEL {
            let column = if south { i - 27 } else { i };
            let c = colour(Spot { column, d, variant: variant as i64 });
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
    let mut add = |name: String, count: usize, shade: f64, colour: &dyn Fn(Spot) -> Vec3| {
        for (v, letter) in VARIANTS.iter().enumerate().take(count) {
            for (side, south) in [("W", false), ("S", true)] {
                out.push((format!("{name}{side}{letter}"), face(south, v, colour, shade).image(4.0)));
            }
        }
    };
    add("L0_Cliff".into(), 3, 0.42, &rock);
    add("L0_CliffFoot".into(), 3, 0.42, &foot);
    for turf in turfs() {
        add(format!("L0_Cliff{}Top", turf.name), 3, 0.46, &|spot| top(spot, &turf));
        add(format!("L0_Cliff{}Bank", turf.name), 3, 0.50, &|spot| bank(spot, &turf));
    }
    for (name, has_lip, has_foot) in
        [("", false, false), ("Top", true, false), ("Foot", false, true), ("Bank", true, true)]
    {
        add(format!("L0_CliffWater{name}"), 2, 0.62, &|spot| fall(spot, has_lip, has_foot));
    }
    out
}
