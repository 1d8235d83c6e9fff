//! The slab: the cut earth at the edge of the map, below its south-western side (W) and its south-eastern side (S).
//!
//! Row r of an image is row r + 27 of the tile image of the cell above it.

use super::NamedImage;
use super::ground::VARIANTS;
use super::noise::{hash, mix, step, tiling};
use super::picture::{Picture, SIZE};
use super::vector::{Vec3, rgb};

/// The height of the cut, without the ragged lower edge.
const DEPTH: usize = 13;

/// `i` counts from the left of the image. Columns 26 apart join, so everything has this period.
fn earth(i: usize, d: usize, variant: i64, water: bool) -> Option<Vec3> {
    let column = (i % 26) as f64 / 26.0;
    // The differences between variants fade out towards the next cell.
    let own = step(0.0, 0.3, 0.5 - (column - 0.5).abs());
    let wave =
        |f: i64, seed: i64| tiling(column, 0.0, f, seed) * (1.0 - own) + tiling(column, 0.0, f, seed + variant) * own;
    let ragged = (3.99 * (0.7 * wave(13, 5) + 0.3 * wave(5, 55))) as usize;
    if d >= DEPTH + ragged {
        return None;
    }
    let deep = d as f64 / 16.0;
    let key = [(i % 26) as i64, (d / 2) as i64, 9 + if own > 0.5 { variant } else { 0 }];
    let grain = 0.86 + 0.28 * hash(&key);
    if water && d < 6 {
        let light = mix(rgb(70, 134, 164), rgb(30, 70, 102), d as f64 / 5.0);
        return Some(light * (0.94 + 0.12 * hash(&[key[0], d as i64, 3])));
    }
    let layer = deep * 4.0 + 0.9 * wave(4, 15);
    let mut c = mix(rgb(112, 86, 60), rgb(84, 66, 52), step(0.8, 1.6, layer));
    c = mix(c, rgb(104, 96, 88), step(2.2, 2.6, layer) * 0.6);
    if hash(&[key[0] / 2, key[1], 31 + variant]) > 0.93 && own > 0.2 && d > 2 {
        c = rgb(136, 126, 112);
    }
    if d == 0 && !water {
        // The roots of the turf: a dark line between the ground and the cut.
        c = c * 0.62;
    }
    Some(c * (grain * (1.0 - 0.5 * deep)))
}

fn slab(south: bool, variant: i64, water: bool) -> Picture {
    let mut picture = Picture::empty(SIZE, SIZE);
    let columns = if south { 27..54 } else { 0..27 };
    for i in columns {
        let top = 14 + if south { (53 - i) / 2 } else { i / 2 };
        // The sun is in the south-east, so the other side is in the shade.
        let light = if south { 1.0 } else { 0.5 };
        for d in 0..SIZE - top {
            if let Some(c) = earth(if south { i - 1 } else { i }, d, variant, water) {
                picture.set(i, top + d, c * light);
            }
        }
    }
    picture
}

pub fn tiles() -> Vec<NamedImage> {
    let mut out = Vec::new();
    for (v, letter) in VARIANTS.iter().enumerate().take(3) {
        for (side, south) in [("W", false), ("S", true)] {
            for (kind, water) in [("", false), ("Water", true)] {
                out.push((format!("L0_Slab{kind}{side}{letter}"), slab(south, v as i64, water).image(4.0)));
            }
        }
    }
    out
}
