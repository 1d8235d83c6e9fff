//! Rocky mountains: ridged pyramids with snow on top, wide enough to form a range.

use super::field::Height;
use super::ground::VARIANTS;
use super::light::SUN;
use super::model::{Model, Part};
use super::noise::{fbm2, hash, mix, noise2, noise3, part, step};
use super::render::Shot;
use super::vector::{Vec3, rgb};
use super::{Job, standing};
use std::f64::consts::TAU;

/// A peak: its position, height, half width at the foot, and number of ridges.
type Peak = (f64, f64, f64, f64, f64);

const MASSIFS: [(&[Peak], i64); 6] = [
    (
        &[
            (0.06, -0.04, 1.24, 0.58, 5.0),
            (-0.27, 0.15, 0.74, 0.38, 4.0),
            (0.30, 0.26, 0.56, 0.36, 4.0),
            (0.30, -0.36, 0.70, 0.40, 3.0),
            (-0.08, 0.34, 0.38, 0.28, 3.0),
            (-0.30, -0.30, 0.52, 0.34, 3.0),
        ],
        300,
    ),
    (
        &[
            (-0.13, -0.12, 1.08, 0.54, 4.0),
            (0.26, 0.02, 0.88, 0.46, 5.0),
            (-0.04, 0.29, 0.52, 0.34, 4.0),
            (-0.35, 0.22, 0.44, 0.28, 3.0),
            (0.42, 0.36, 0.42, 0.28, 3.0),
            (0.20, -0.42, 0.62, 0.36, 3.0),
        ],
        340,
    ),
    (
        &[
            (0.18, -0.06, 1.02, 0.50, 5.0),
            (-0.20, 0.02, 0.90, 0.46, 4.0),
            (0.42, -0.36, 0.66, 0.36, 4.0),
            (0.07, 0.33, 0.50, 0.32, 4.0),
            (-0.24, -0.40, 0.66, 0.36, 3.0),
            (0.44, 0.28, 0.44, 0.28, 3.0),
        ],
        377,
    ),
    (
        &[
            (-0.02, 0.02, 1.46, 0.60, 6.0),
            (0.32, -0.16, 0.80, 0.42, 4.0),
            (-0.32, -0.22, 0.72, 0.40, 4.0),
            (-0.22, 0.30, 0.48, 0.30, 4.0),
            (0.32, 0.30, 0.46, 0.32, 3.0),
        ],
        412,
    ),
    (
        &[
            (0.24, 0.10, 0.86, 0.48, 4.0),
            (-0.10, -0.26, 1.00, 0.50, 5.0),
            (-0.26, 0.14, 0.66, 0.40, 3.0),
            (0.02, 0.34, 0.40, 0.28, 3.0),
            (0.40, -0.30, 0.58, 0.36, 4.0),
        ],
        455,
    ),
    (
        &[
            (0.02, -0.10, 1.60, 0.62, 5.0),
            (-0.28, 0.10, 0.94, 0.44, 5.0),
            (0.30, 0.14, 0.84, 0.44, 4.0),
            (0.02, 0.32, 0.50, 0.30, 3.0),
            (0.38, -0.36, 0.70, 0.36, 3.0),
            (-0.36, -0.34, 0.56, 0.34, 3.0),
        ],
        498,
    ),
];

/// The depth of a point inside the foot. It may extend beyond the cell to the sides and behind, where other
/// images hide it, but not below the lower edge of the image.
fn inside_foot(x: f64, y: f64) -> f64 {
    let (side, front) = ((x + y).abs() / 1.26, (y - x + 0.08) / 1.10);
    let front = if front < 0.0 { front / 1.18 } else { front };
    0.62 * (1.0 - (side.powf(2.3) + front.abs().powf(2.3)).powf(1.0 / 2.3))
}

/// Pyramids with radiating ridges, and ridged noise over them.
fn height(x: f64, y: f64, peaks: &[Peak], seed: i64) -> f64 {
    let wx = x + 0.12 * (fbm2(x + 3.0, y, 5.0, seed, 3) - 0.5);
    let wy = y + 0.12 * (fbm2(x, y + 3.0, 5.0, seed + 40, 3) - 0.5);
    let mut h = -0.2f64;
    for (k, &(px, py, top, w, ridges)) in peaks.iter().enumerate() {
        let (dx, dy, k) = (wx - px, wy - py, k as i64);
        let a = (dy.atan2(dx) + 0.7 * (noise2(x, y, 4.0, seed + 7 * k) - 0.5)) / TAU;
        let r = (dx.abs().powf(2.8) + dy.abs().powf(2.8)).powf(1.0 / 2.8) / w;
        let crest = |v: f64| (part(v) - 0.5).abs() * 2.0;
        let (wide, narrow) = (crest(a * ridges + 0.37 * k as f64), crest(a * (2.0 * ridges + 1.0) + 0.2));
        let slope = r * (0.88 + 0.42 * wide * step(0.0, 0.3, r) + 0.16 * narrow);
        h = h.max(top * (1.0 - slope.powf(0.92)));
    }
    let crags = 0.28 - (2.0 * fbm2(x, y, 6.0, seed + 90, 4) - 1.0).abs();
    let summit = peaks.iter().fold(0.0, |top: f64, peak| top.max(peak.2));
    h += 0.30 * crags * step(0.0, 0.3, h) * step(summit + 0.02, summit * 0.7, h);
    h.min(3.5 * (inside_foot(x, y) - 0.10 * (fbm2(x, y, 5.0, seed + 5, 2) - 0.5))) - 0.03
}

fn model(peaks: &'static [Peak], seed: i64) -> Model {
    let field = Height::new(1.0, 0.40, |x, y| height(x, y, peaks, seed));
    let summit = peaks.iter().fold(0.0, |top: f64, peak| top.max(peak.2));
    let own = hash(&[seed, 7]);
    let (grey, tan, seam) = (rgb(132, 122, 116), rgb(176, 156, 134), rgb(104, 98, 100));
    let (turf, white) = (rgb(116, 112, 82), rgb(240, 244, 250));
    let paint = move |p: Vec3, n: Vec3| {
        let c = mix(grey, tan, noise3(p, 9.0, 3) + 0.35 * (own - 0.5));
        let strata = noise2(p.z * 30.0 + 3.0 * noise3(p, 6.0, 2), p.x * 2.0, 1.0, 4);
        let c = mix(c, seam, strata * 0.5);
        let low = step(0.24, 0.05, p.z + 0.12 * noise3(p, 12.0, 6)) * step(0.35, 0.7, n.z + 0.1);
        let c = mix(c, turf, low * 0.7);
        // Every peak has a different cap, because a range would look like a row of cones.
        let line = 0.40 * summit + 0.20 * own;
        let over = p.z + 0.20 * (noise3(p, 9.0, 8) - 0.5) + 0.22 * (n.z - 0.45) + 0.10 * (n.dot(SUN) - 0.3);
        mix(c, white, step(-0.03, 0.03, over - line))
    };
    Model::new(vec![Part::new(move |p| field.distance(p), paint)])
}

pub fn jobs() -> Vec<Job> {
    MASSIFS
        .into_iter()
        .zip(VARIANTS)
        .map(|((peaks, seed), letter)| {
            let name = format!("L2_MountainRocky01{letter}");
            standing(name, Shot::sized(124, 80, 1.66).stride(0.12), move || model(peaks, seed))
        })
        .collect()
}
