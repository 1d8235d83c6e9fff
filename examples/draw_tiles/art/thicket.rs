//! The thicket: round, dark, thorny bushes without gaps.

use super::field::{capsule, smin, twig};
use super::ground::VARIANTS;
use super::light::SUN;
use super::model::{Model, Part};
use super::noise::{RandomSequence, mix, noise3, step};
use super::render::Shot;
use super::vector::{Vec3, rgb, vec3};
use super::{Job, standing};

/// The centre and the radius of a bush.
type Crown = (Vec3, f64);

fn crowns(seed: i64) -> Vec<Crown> {
    let mut random = RandomSequence::new(seed);
    let mut out = Vec::new();
    // On a jittered grid of 3 x 3, so that there are no gaps; taller towards the middle and the back.
    for k in 0..9 {
        let (i, j) = (f64::from(k % 3 - 1), f64::from(k / 3 - 1));
        let (x, y) = (0.30 * i + 0.10 * (random.unit() - 0.5), 0.30 * j + 0.10 * (random.unit() - 0.5));
        let tall = 0.30 + 0.20 * random.unit() - 0.06 * (i.abs() + j.abs()) + 0.03 * (i - j);
        out.push((vec3(x, y, tall), 0.17 + 0.05 * random.unit()));
    }
    out
}

fn crown(k: usize, (c, r): Crown, snowy: bool) -> Part {
    let seed = 70 + k as i64;
    let field = move |p: Vec3| {
        let q = p - c;
        let rough = ball_of_leaves(q, r);
        if rough > 0.09 {
            return rough * 0.6;
        }
        let trunk = capsule(p, vec3(c.x, c.y, -0.1), c, 0.035);
        smin((rough + 0.075 * (noise3(p, 13.0, seed) - 0.5) + 0.035 * (noise3(p, 31.0, seed) - 0.5)) * 0.6, trunk, 0.02)
    };
    let hue = noise3(c, 9.0, 31);
    let (dark, light) = (mix(rgb(34, 48, 40), rgb(52, 54, 38), hue), mix(rgb(84, 106, 60), rgb(112, 104, 58), hue));
    let (plum, white) = (rgb(96, 54, 60), rgb(230, 236, 246));
    let paint = move |p: Vec3, n: Vec3| {
        let up = (p.z - c.z) / r;
        let c = mix(dark, light, 0.30 + 0.45 * up + 0.6 * (noise3(p, 24.0, 3) - 0.45));
        let c = mix(c, plum, step(0.66, 0.80, noise3(p, 19.0, 5)) * 0.7);
        let c = mix(c, dark * 0.6, step(0.18, 0.02, p.z));
        if !snowy {
            return c;
        }
        let lies = 0.9 * n.z + 0.3 * n.dot(SUN) + 0.7 * (noise3(p, 14.0, 8) - 0.5);
        mix(c * 0.9, white, step(0.40, 0.62, lies))
    };
    Part::new(field, paint).within(c.x, c.y, r + 0.06, c.z + r + 0.06)
}

/// A slightly flattened ball.
fn ball_of_leaves(q: Vec3, r: f64) -> f64 {
    vec3(q.x, q.y, q.z * 1.12).length() - r
}

/// Bare thorns between the leaves.
fn thorns(crowns: &[Crown], seed: i64) -> Part {
    let mut random = RandomSequence::new(seed);
    let twigs: Vec<(Vec3, Vec3)> = crowns
        .iter()
        .flat_map(|&(c, r)| {
            let mut lean = || random.unit() - 0.5;
            let up = vec3(lean(), lean(), 0.9 + 0.4 * lean()).unit();
            let side = vec3(lean(), lean(), 0.35).unit();
            [(c, c + up * (r + 0.11)), (c, c + side * (r + 0.10))]
        })
        .collect();
    let field = move |p: Vec3| twigs.iter().fold(9.0, |d: f64, &(a, b)| d.min(twig(p, a, b, 0.022, 0.006)));
    Part::plain(field, rgb(92, 74, 62)).within(0.0, 0.0, 0.8, 0.95)
}

pub fn jobs() -> Vec<Job> {
    let mut jobs = Vec::new();
    for (v, letter) in VARIANTS.into_iter().take(3).enumerate() {
        for (snowy, name) in [(false, "L2_ForestDense01"), (true, "L2_ForestDenseSnow01")] {
            let model = move || {
                let crowns = crowns(500 + v as i64);
                let mut parts: Vec<Part> = crowns.iter().enumerate().map(|(k, &c)| crown(k, c, snowy)).collect();
                parts.push(thorns(&crowns, 520 + v as i64));
                Model::new(parts)
            };
            jobs.push(standing(format!("{name}{letter}"), Shot::tile(0.85), model));
        }
    }
    jobs
}
