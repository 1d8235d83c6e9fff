//! Pine forests, green and with snow: trees of three sizes and two greens, with irregular layers of branches, and stumps.

use super::field::cone;
use super::ground::VARIANTS;
use super::leaves::{self, Foliage};
use super::light::SUN;
use super::model::{Model, Part};
use super::noise::{hash, mix, noise3, part, step};
use super::render::Shot;
use super::vector::{Vec3, norm, rgb};
use super::{Job, standing};
use std::f64::consts::TAU;

/// The position, height and width of a tree.
type Tree = (f64, f64, f64, f64);

/// Old, grown and young trees stand together; the last wood is a clearing. None is
/// higher than 0.84, so that people behind stay in sight.
const WOODS: [&[Tree]; 4] = [
    &[
        (-0.27, 0.14, 0.62, 0.16),
        (0.02, 0.30, 0.40, 0.13),
        (0.05, -0.06, 0.84, 0.19),
        (0.31, 0.12, 0.56, 0.15),
        (-0.12, -0.30, 0.70, 0.16),
        (0.28, -0.28, 0.44, 0.13),
        (-0.06, 0.10, 0.28, 0.10),
    ],
    &[
        (-0.30, -0.02, 0.42, 0.13),
        (-0.10, 0.22, 0.60, 0.16),
        (0.20, 0.28, 0.30, 0.11),
        (0.12, -0.14, 0.80, 0.18),
        (-0.18, -0.33, 0.58, 0.15),
        (0.34, 0.02, 0.62, 0.15),
        (0.29, -0.35, 0.38, 0.12),
    ],
    &[
        (-0.25, 0.26, 0.34, 0.12),
        (0.10, 0.12, 0.84, 0.20),
        (-0.18, -0.08, 0.60, 0.16),
        (0.34, 0.24, 0.42, 0.13),
        (0.08, -0.32, 0.44, 0.14),
        (0.36, -0.18, 0.66, 0.15),
        (-0.34, -0.30, 0.30, 0.11),
    ],
    &[
        (-0.34, 0.02, 0.58, 0.15),
        (-0.24, -0.32, 0.78, 0.17),
        (0.10, -0.30, 0.60, 0.16),
        (0.33, -0.10, 0.74, 0.16),
        (0.30, 0.28, 0.34, 0.12),
        (-0.12, 0.36, 0.26, 0.10),
    ],
];

/// Where trees were felled, for each wood.
const STUMPS: [&[(f64, f64)]; 4] = [&[], &[], &[], &[(-0.08, 0.06), (0.10, 0.20)]];

/// Where a forest ends: a few young trees, stumps, and broad-leaved trees and bushes, each with its position, the height
/// of its crown (0 for a bush) and its radius.
type Edge = (&'static [Tree], &'static [(f64, f64)], &'static [Tree]);

const EDGES: [Edge; 3] = [
    (
        &[(-0.30, -0.26, 0.60, 0.15), (0.14, -0.34, 0.46, 0.13), (0.36, 0.04, 0.34, 0.11)],
        &[(0.02, 0.26)],
        &[(-0.20, 0.08, 0.40, 0.19), (0.18, 0.10, 0.0, 0.09)],
    ),
    (
        &[(0.28, -0.26, 0.66, 0.16), (-0.32, 0.12, 0.36, 0.12)],
        &[],
        &[(-0.16, -0.22, 0.46, 0.21), (0.20, 0.20, 0.32, 0.16), (-0.06, 0.28, 0.0, 0.08)],
    ),
    (
        &[(-0.08, -0.28, 0.74, 0.17), (0.30, -0.14, 0.48, 0.14), (-0.34, -0.06, 0.50, 0.14), (0.24, 0.26, 0.28, 0.10)],
        &[(-0.10, 0.10), (0.06, 0.22)],
        &[(-0.26, 0.28, 0.0, 0.10)],
    ),
];

/// The number of samples around a layer of branches.
const AROUND: usize = 256;

fn tree(k: usize, (x, y, h, r): Tree, snowy: bool) -> Part {
    let (east, south) = ((x * 97.0) as i64, (y * 89.0) as i64);
    let phase = hash(&[k as i64, 5, east, south]) * TAU;
    let hue = hash(&[k as i64, 9, (x * 57.0) as i64]);
    // The irregular radius of each layer, 1 on average. It is sampled once, because the field is evaluated millions of
    // times.
    let ragged: Vec<f64> = (0..4 * AROUND)
        .map(|k| {
            let (j, a) = ((k / AROUND) as f64, (k % AROUND) as f64 / AROUND as f64 * TAU);
            1.0 + 0.13 * (7.0 * a + phase + 2.0 * j).sin() + 0.09 * (13.0 * a - phase + j).sin()
        })
        .collect();
    let skirts = [0, 1, 2, 3].map(|skirt| {
        let j = f64::from(skirt);
        let (z0, width) = (h * (0.14 + 0.205 * j), r * (1.0 - 0.225 * j));
        let (top, tip) = if skirt < 3 { (h.min(z0 + h * (0.40 - 0.03 * j)), width * 0.18) } else { (h, 0.004) };
        cone(x, y, (if skirt == 0 { z0 - 0.02 } else { z0 }, top), (width, tip))
    });
    let field = move |p: Vec3| {
        let rho = norm(p.x - x, p.y - y);
        let mut d = cone(x, y, (-0.05, h * 0.3), (0.028, 0.02)).at(p);
        let mut bearing = None;
        for (k, skirt) in skirts.iter().enumerate() {
            // The angle is expensive, so it is not computed for a layer that is too far away.
            if skirt.with_rho(p, rho * 0.78) < d {
                let a = *bearing.get_or_insert_with(|| {
                    ((p.y - y).atan2(p.x - x) / TAU * AROUND as f64).round().rem_euclid(AROUND as f64) as usize
                });
                d = d.min(skirt.with_rho(p, rho * ragged[k * AROUND + a % AROUND]));
            }
        }
        d * 0.8
    };
    // Two greens, each with a little of the other.
    let hue = step(0.45, 0.55, hue) * 0.8 + hue * 0.2;
    let needles = (mix(rgb(38, 76, 52), rgb(74, 106, 44), hue), mix(rgb(84, 122, 72), rgb(132, 158, 66), hue));
    let (deep, frost, white, bark) = (rgb(28, 52, 40), rgb(120, 146, 150), rgb(232, 238, 246), rgb(82, 58, 40));
    let paint = move |p: Vec3, n: Vec3| {
        let rho = norm(p.x - x, p.y - y);
        if rho < 0.04 && p.z < h * 0.13 {
            return bark;
        }
        // 0 at the lower edge of a layer, 1 under the next.
        let f = part((p.z / h - 0.14) / 0.205);
        let tip = (1.0 - f) * 0.55 * (rho / (r + 0.01) + 0.25) + 0.2 * noise3(p, 30.0, 3);
        let c = mix(mix(needles.0, needles.1, tip), deep, step(0.45, 1.0, f) * 0.45);
        if !snowy {
            return c;
        }
        let lies = 0.75 - f * 0.8 + 0.5 * (noise3(p, 15.0, 8) - 0.5) + 0.35 * n.dot(SUN);
        mix(mix(c, frost, 0.35), white, step(0.30, 0.55, lies))
    };
    Part::new(field, paint).within(x, y, r * 1.3, h + 0.01)
}

/// What is left of a felled tree.
pub fn stump((x, y): (f64, f64), snowy: bool) -> Part {
    let trunk = cone(x, y, (-0.05, 0.085), (0.066, 0.052));
    let (bark, wood, white) = (rgb(82, 58, 40), rgb(156, 122, 80), rgb(232, 238, 246));
    let frosted = mix(bark, rgb(150, 152, 156), 0.45);
    let paint = move |p: Vec3, n: Vec3| match (n.z > 0.6, snowy) {
        (false, true) if p.z < 0.05 => frosted,
        (_, true) => white,
        (true, false) => wood,
        (false, false) => bark,
    };
    Part::new(move |p: Vec3| trunk.at(p), paint).within(x, y, 0.09, 0.1)
}

/// The leaves of a broad-leaved tree, which are lighter than needles.
fn oak(seed: i64) -> Foliage {
    let hue = hash(&[seed, 17]);
    Foliage {
        dark: mix(rgb(46, 84, 38), rgb(66, 88, 36), hue),
        light: mix(rgb(110, 146, 62), rgb(150, 160, 70), hue),
        fruit: None,
    }
}

pub fn jobs() -> Vec<Job> {
    let mut jobs = Vec::new();
    for ((wood, stumps), letter) in WOODS.into_iter().zip(STUMPS).zip(VARIANTS) {
        for (snowy, name) in [(false, "L2_ForestPine01"), (true, "L2_ForestPineSnow01")] {
            let model = move || {
                let trees = wood.iter().enumerate().map(|(k, &t)| tree(k, t, snowy));
                Model::new(trees.chain(stumps.iter().map(|&at| stump(at, snowy))).collect())
            };
            jobs.push(standing(format!("{name}{letter}"), Shot::tile(0.9), model));
        }
    }
    for (k, ((young, stumps, broad), letter)) in EDGES.into_iter().zip(VARIANTS).enumerate() {
        let model = move || {
            let mut parts: Vec<Part> = young.iter().enumerate().map(|(k, &t)| tree(k, t, false)).collect();
            parts.extend(stumps.iter().map(|&at| stump(at, false)));
            for (&(x, y, z, r), seed) in broad.iter().zip(90 + 10 * k as i64..) {
                if z > 0.0 {
                    parts.extend(leaves::tree((x, y), z, r, oak(seed), seed));
                } else {
                    parts.push(leaves::bush((x, y), r, leaves::hedge_green(), seed));
                }
            }
            Model::new(parts)
        };
        jobs.push(standing(format!("L2_ForestEdge01{letter}"), Shot::tile(0.9), model));
    }
    jobs
}
