//! Paving: rows of worn stones.

use super::NamedImage;
use super::ground::VARIANTS;
use super::noise::{hash, mix, tiling, tiling_fbm};
use super::picture::Picture;
use super::plane::{ground, inner};
use super::vector::{Vec3, rgb};

/// The number of rows in a cell, and of stones in a row.
const ROWS: i64 = 6;
const STONES: i64 = 4;

/// The row and the number of the stone at (x, y), and the distance to its edge.
fn stone(x: f64, y: f64) -> (i64, i64, f64) {
    let across = (y + 0.5) * ROWS as f64 + 0.35 * (tiling(x, y, 5, 301) - 0.5);
    let row = across.floor();
    let number = (row as i64).rem_euclid(ROWS);
    let along = (x + 0.5) * STONES as f64 + hash(&[number, 303]) + 0.30 * (tiling(x, y, 6, 305) - 0.5);
    let column = along.floor();
    let edge = |t: f64| 0.5 - (t - t.floor() - 0.5).abs();
    let d = (edge(across) / ROWS as f64).min(edge(along) / STONES as f64);
    (number, (column as i64).rem_euclid(STONES), d)
}

/// The stones of a cell. A negative `variant` has no individual features, for the edges.
pub fn paving(variant: i64) -> Vec<Vec3> {
    let (worn, pale, moss) = (rgb(166, 150, 122), rgb(200, 184, 152), rgb(120, 122, 78));
    let own = if variant < 0 { 0.0 } else { 1.0 };
    let colour = move |x: f64, y: f64| {
        let (row, column, d) = stone(x, y);
        let shared = hash(&[row, column, 307]);
        let varied = hash(&[row, column, 311 + variant]);
        let t = mix(shared, varied, inner(x, y, 0.25) * own);
        let c = mix(worn, pale, t) * (0.94 + 0.12 * tiling_fbm(x, y, 9, 313, 2));
        let joint = mix(c * 0.66, moss * 0.8, 0.5 * tiling(x, y, 7, 317));
        if d < 0.016 { joint } else { c }
    };
    let worn_height = |x: f64, y: f64| 0.012 * (stone(x, y).2 / 0.04).min(1.0);
    ground(colour, worn_height, 0.03, 40 + variant)
}

pub fn tiles() -> Vec<NamedImage> {
    let variants = VARIANTS.iter().take(3).enumerate();
    let draw =
        |(k, letter): (usize, &&str)| (format!("L1_Paving01{letter}"), Picture::diamond(paving(k as i64)).image(5.0));
    variants.map(draw).collect()
}
