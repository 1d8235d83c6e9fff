//! The striped tent with its camp fire, where the route begins.

use super::cloth::Flag;
use super::field::{ball, capsule, cone, smin};
use super::model::{Model, Part, Surface};
use super::noise::{fire, noise3};
use super::render::Shot;
use super::vector::{Vec3, rgb, vec3};
use super::{Job, standing};

/// Height of the ridge, half width and half length.
const H: f64 = 0.54;
const W: f64 = 0.34;
const L: f64 = 0.33;
const FIRE: (f64, f64) = (-0.40, 0.24);

fn canvas() -> Part {
    let field = |p: Vec3| {
        // The ridge and the sides sag.
        let z = H * (1.0 - (p.y.abs() / W).powf(0.82)) + 0.035 * (p.x * 4.6).cos() - 0.035;
        ((p.z - z) * 0.48).max(p.x.abs() - L).max(-0.05 - p.z)
    };
    let (red, cream, mud) = (rgb(186, 62, 48), rgb(234, 220, 186), rgb(150, 120, 84));
    let (gloom, flap, lamplight) = (rgb(44, 32, 30), rgb(214, 198, 164), rgb(240, 206, 150));
    let paint = move |p: Vec3, n: Vec3| {
        let door = p.y.abs() < 0.17 * (1.0 - p.z / (H * 0.86));
        if n.x < -0.6 {
            return match door {
                true if p.y > 0.035 + 0.08 * (1.0 - p.z / H) => lamplight,
                true => gloom,
                false => flap,
            };
        }
        let stripe = if (p.x + 0.04).rem_euclid(0.22) < 0.09 { red } else { cream };
        if p.z < 0.05 { mud } else { stripe * (0.92 + 0.16 * noise3(p, 14.0, 3)) }
    };
    Part::new(field, paint)
}

fn model() -> Model {
    let (fx, fy) = FIRE;
    let mut sticks = vec![
        (vec3(-L - 0.02, 0.0, 0.0), vec3(-L - 0.02, 0.0, H + 0.06)),
        (vec3(L + 0.01, 0.0, 0.2), vec3(L + 0.01, 0.0, H + 0.06)),
    ];
    sticks.extend([-0.3, 0.0, 0.28].map(|x| (vec3(x, 0.30, 0.10), vec3(x * 1.2, 0.45, 0.0))));
    sticks.extend([0.3f64, 1.4, 2.5].map(|a| {
        let (dx, dy) = (0.1 * a.cos(), 0.1 * a.sin());
        (vec3(fx - dx, fy - dy, 0.02), vec3(fx + dx, fy + dy, 0.04))
    }));
    let wood = move |p: Vec3| sticks.iter().fold(9.0, |d: f64, &(a, b)| d.min(capsule(p, a, b, 0.016)));
    let flame = move |p: Vec3| {
        let q = vec3(p.x - fx + 0.04 * (p.z * 22.0).sin(), p.y - fy, p.z);
        smin(cone(0.0, 0.0, (0.03, 0.25), (0.075, 0.0)).at(q), ball(q, vec3(0.0, 0.0, 0.08), 0.07), 0.04) * 0.8
    };
    let burning = |p: Vec3, _: Vec3| Surface { albedo: Vec3::default(), glow: fire(1.0 - p.z * 2.6), lamp: 0.8 };
    let flag =
        Flag { x: -L, y: 0.0, z: H + 0.02, tall: 0.05, long: 0.17, swallow: 0.0, waves: 20.0, phase: 0.0, depth: 0.03 };
    Model::new(vec![
        canvas(),
        Part::plain(wood, rgb(112, 80, 50)),
        Part::plain(move |p| flag.at(p), rgb(240, 190, 70)).within(-L + 0.06, 0.06, 0.16, H + 0.09),
        Part::new(flame, burning).within(fx, fy, 0.14, 0.27),
    ])
}

pub fn jobs() -> Vec<Job> {
    vec![standing("L2_Tent01".to_owned(), Shot::tile(0.7), model)]
}
