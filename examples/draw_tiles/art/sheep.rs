//! Sheep that graze, and sometimes raise their heads.

use super::field::{ball, capsule, smin};
use super::ground::VARIANTS;
use super::model::{Model, Part};
use super::noise::noise3;
use super::render::Shot;
use super::vector::{Vec3, rgb, vec3};
use super::{Job, standing};

/// The height of the muzzle of a grazing sheep in each frame.
const HEADS: [f64; 4] = [0.05, 0.07, 0.05, 0.17];

/// A flock of one cell: the place of each sheep, the direction in which it looks, and its first frame.
type Flock = &'static [(f64, f64, f64, usize)];

const FLOCKS: [(&str, Flock); 3] = [
    ("L2_Sheep01", &[(-0.18, -0.14, 2.6, 0), (0.20, 0.18, 0.6, 2)]),
    ("L2_Sheep02", &[(0.05, -0.05, 1.2, 1)]),
    ("L2_Sheep03", &[(-0.20, 0.20, 3.6, 3), (0.16, -0.20, 2.0, 1), (0.22, 0.26, 0.2, 0)]),
];

fn sheep((x, y, bearing, start): (f64, f64, f64, usize), frame: usize) -> [Part; 2] {
    let (sin, cos) = bearing.sin_cos();
    let local = move |p: Vec3| {
        let (east, south) = (p.x - x, p.y - y);
        vec3(east * cos + south * sin, south * cos - east * sin, p.z)
    };
    let muzzle = HEADS[(frame + start) % HEADS.len()];
    let wool = move |p: Vec3| {
        let q = local(p);
        smin(ball(q, vec3(-0.06, 0.0, 0.18), 0.105), ball(q, vec3(0.05, 0.0, 0.185), 0.10), 0.05)
    };
    let dark = move |p: Vec3| {
        let q = local(p);
        let folded = vec3(q.x.abs(), q.y.abs(), q.z);
        let legs = capsule(folded, vec3(0.075, 0.045, 0.1), vec3(0.075, 0.045, 0.0), 0.022);
        legs.min(capsule(q, vec3(0.14, 0.0, muzzle + 0.06), vec3(0.195, 0.0, muzzle), 0.042))
    };
    let fleece = |p: Vec3, _: Vec3| rgb(244, 238, 222) * (0.84 + 0.22 * noise3(p, 20.0, 3));
    [Part::new(wool, fleece).within(x, y, 0.18, 0.30), Part::plain(dark, rgb(62, 50, 46)).within(x, y, 0.25, 0.30)]
}

pub fn jobs() -> Vec<Job> {
    let mut jobs = Vec::new();
    for (name, flock) in FLOCKS {
        for (frame, letter) in VARIANTS.into_iter().take(HEADS.len()).enumerate() {
            let model = move || Model::new(flock.iter().flat_map(|&one| sheep(one, frame)).collect());
            jobs.push(standing(format!("{name}{letter}"), Shot::tile(0.35), model));
        }
    }
    jobs
}
