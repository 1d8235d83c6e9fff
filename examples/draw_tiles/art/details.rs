//! Small things on the ground: rocks at the foot of cliffs, and stumps, logs and bushes where a forest ends.

use super::autotile::{Side, offset};
use super::field::{ball, capsule};
use super::ground::VARIANTS;
use super::leaves::{Foliage, bush, hedge_green};
use super::model::{Model, Part};
use super::noise::{RandomSequence, hash, mix, noise3, step};
use super::pine::stump;
use super::render::Shot;
use super::vector::{Vec3, rgb, vec3};
use super::{Job, standing};
use emberwalk_path::grid::Direction;

/// What lies on the rocks.
#[derive(Clone, Copy)]
enum On {
    Moss,
    Snow,
    Nothing,
}

fn boulder((x, y): (f64, f64), r: f64, on: On, seed: i64) -> Part {
    let tone = mix(rgb(118, 106, 94), rgb(164, 150, 130), hash(&[seed, 3]));
    let (flat, turn) = (1.2 + 0.5 * hash(&[seed, 4]), hash(&[seed, 5]) * 3.0);
    let field = move |p: Vec3| {
        let q = vec3(p.x - x, p.y - y, (p.z - r * 0.25) * flat);
        // Cut by planes, so that it has faces.
        let facets = [0.0, 1.1, 2.3, 3.4, 4.6, 5.6].map(|a: f64| {
            let (sin, cos) = (a + turn).sin_cos();
            let lean = 0.35 + 0.5 * hash(&[seed, (a * 10.0) as i64]);
            vec3(cos, sin, lean).unit().dot(q) - r * 0.80
        });
        let d = facets.into_iter().fold(ball(q, Vec3::default(), r), f64::max).max(q.z - r * 0.82);
        (d + 0.02 * (noise3(p, 22.0, seed) - 0.5)) * 0.6
    };
    let paint = move |p: Vec3, n: Vec3| {
        let c = tone * (0.84 + 0.34 * noise3(p, 26.0, seed + 1));
        let c = mix(c * 0.62, c, step(0.0, 0.05, p.z));
        let lies = n.z + 0.7 * (noise3(p, 14.0, seed + 2) - 0.5);
        match on {
            On::Moss => mix(c, rgb(104, 122, 62), step(0.72, 0.95, lies) * 0.7),
            On::Snow => mix(c, rgb(228, 235, 245), step(0.78, 1.0, lies)),
            On::Nothing => c,
        }
    };
    Part::new(field, paint).within(x, y, r * 1.1, r * 1.3)
}

/// Rocks that have fallen from the cliffs on these sides.
fn rocks(towards: &[Side], on: On, seed: i64) -> Model {
    let mut random = RandomSequence::new(seed);
    let mut parts = Vec::new();
    for &(east, south) in towards {
        let turned = (-south, east);
        for k in 0..7_i32 {
            // Large ones lie at the foot, small ones have rolled.
            let r = if k < 2 { 0.085 + 0.05 * random.unit() } else { 0.025 + 0.035 * random.unit() };
            let out = if k < 2 { 0.40 - 0.04 * random.unit() } else { 0.44 - 0.30 * random.unit().powi(2) };
            let along = if k < 2 {
                f64::from(k) * 0.5 - 0.25 + 0.2 * (random.unit() - 0.5)
            } else {
                0.8 * (random.unit() - 0.5)
            };
            let at = (east * out + turned.0 * along, south * out + turned.1 * along);
            parts.push(boulder(at, r, on, seed * 31 + i64::from(k)));
        }
    }
    Model::new(parts)
}

fn log((from, to, r): Log, snowy: bool) -> Part {
    let (a, b) = (vec3(from.0, from.1, r * 0.9), vec3(to.0, to.1, r * 0.9));
    let axis = (b - a).unit();
    let field = move |p: Vec3| {
        let along = (p - a).dot(axis);
        capsule(p, a - axis * r, b + axis * r, r).max(-along).max(along - (b - a).length())
    };
    let paint = move |p: Vec3, n: Vec3| {
        if n.dot(axis).abs() > 0.7 {
            let ring = (p - a - axis * (p - a).dot(axis)).length() / r;
            return mix(rgb(196, 158, 106), rgb(150, 112, 72), step(0.3, 0.8, ring));
        }
        let bark = mix(rgb(74, 54, 40), rgb(112, 86, 60), noise3(p, 30.0, 7));
        if !snowy {
            return bark;
        }
        // Snow lies on it, and frost on its sides.
        let lies = n.z + 0.5 * (noise3(p, 12.0, 9) - 0.5);
        mix(mix(bark, rgb(150, 152, 156), 0.45), rgb(232, 238, 246), step(0.10, 0.45, lies))
    };
    Part::new(field, paint).within((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0, (b - a).length(), 2.2 * r)
}

fn fern() -> Foliage {
    Foliage { dark: rgb(52, 84, 40), light: rgb(118, 146, 58), fruit: None }
}

fn berries() -> Foliage {
    Foliage { fruit: Some(rgb(196, 74, 62)), ..hedge_green() }
}

/// A log: its ends and its radius.
type Log = ((f64, f64), (f64, f64), f64);

/// Where trees were felled: stumps, and the logs beside them.
type Felled = (&'static [(f64, f64)], &'static [Log]);

const FELLED: [Felled; 4] = [
    (&[(-0.18, 0.04), (0.12, -0.2)], &[((-0.02, 0.26), (0.30, 0.06), 0.045), ((0.03, 0.33), (0.35, 0.13), 0.04)]),
    (&[(0.20, 0.18)], &[((-0.34, -0.02), (0.12, -0.16), 0.05)]),
    (
        &[(-0.26, 0.20), (0.30, -0.10)],
        &[
            ((-0.12, -0.26), (-0.02, 0.10), 0.04),
            ((-0.03, -0.28), (0.07, 0.08), 0.045),
            ((0.07, -0.27), (0.16, 0.04), 0.035),
        ],
    ),
    (&[(-0.20, -0.20), (0.04, 0.26), (0.26, -0.12)], &[((-0.22, 0.10), (-0.02, 0.00), 0.04)]),
];

fn felled((stumps, logs): Felled, snowy: bool) -> Model {
    let stumps = stumps.iter().map(|at| stump(*at, snowy));
    Model::new(stumps.chain(logs.iter().map(|at| log(*at, snowy))).collect())
}

fn stump_in_fern(snowy: bool) -> Model {
    let mut parts = vec![stump((0.06, 0.02), snowy)];
    if !snowy {
        let around = [((-0.06, 0.08), 0.055), ((0.16, 0.10), 0.06), ((0.20, -0.06), 0.05)];
        parts.extend(around.into_iter().zip(0..).map(|((at, r), k)| bush(at, r, fern(), 60 + k)));
    }
    Model::new(parts)
}

/// A bush: its place, its radius and its leaves.
type Bush = ((f64, f64), f64, fn() -> Foliage);

const BUSHES: [&[Bush]; 4] = [
    &[
        ((-0.16, -0.10), 0.12, hedge_green),
        ((0.04, -0.20), 0.10, berries),
        ((0.18, 0.02), 0.08, hedge_green),
        ((-0.02, 0.16), 0.06, fern),
        ((-0.28, 0.10), 0.055, fern),
    ],
    &[((0.14, -0.06), 0.13, hedge_green), ((-0.20, 0.14), 0.06, fern), ((-0.10, 0.22), 0.05, fern)],
    &[
        ((-0.24, -0.20), 0.09, berries),
        ((-0.08, -0.04), 0.12, hedge_green),
        ((0.10, 0.14), 0.10, hedge_green),
        ((0.28, 0.24), 0.07, berries),
    ],
    &[((0.02, 0.06), 0.10, berries), ((0.20, -0.18), 0.06, fern), ((-0.18, -0.16), 0.07, hedge_green)],
];

fn bushes(all: &[Bush]) -> Model {
    Model::new(all.iter().zip(70..).map(|((at, r, leaves), seed)| bush(*at, *r, leaves(), seed)).collect())
}

pub fn jobs() -> Vec<Job> {
    let mut jobs = Vec::new();
    let shot = Shot::tile(0.4).flat();
    let facing = [("N", vec![Direction::N]), ("E", vec![Direction::E]), ("NE", vec![Direction::N, Direction::E])];
    for (suffix, towards) in facing {
        for (name, on) in [("", On::Moss), ("Snow", On::Snow), ("Bare", On::Nothing)] {
            for (seed, letter) in [(3, ""), (8, "b")] {
                let towards: Vec<Side> = towards.iter().copied().map(offset).collect();
                let seed = seed + 20 * suffix.len() as i64 + towards[0].0 as i64;
                let name = format!("L2_Rocks{name}{letter}{suffix}");
                jobs.push(standing(name, shot, move || rocks(&towards, on, seed)));
            }
        }
    }
    for (snowy, name) in [(false, ""), (true, "Snow")] {
        for (trees, letter) in FELLED.into_iter().zip(VARIANTS) {
            jobs.push(standing(format!("L2_Felled{name}{letter}"), shot, move || felled(trees, snowy)));
        }
        jobs.push(standing(format!("L2_Stump{name}"), shot, move || stump_in_fern(snowy)));
    }
    jobs.extend(
        (BUSHES.into_iter().zip(VARIANTS))
            .map(|(all, letter)| standing(format!("L2_Bushes{letter}"), shot, move || bushes(all))),
    );
    jobs
}
