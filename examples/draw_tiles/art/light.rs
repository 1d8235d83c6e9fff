//! The light of the scene: a warm sun, a blue sky, and light reflected by the ground.

use super::model::{FAR, Model};
use super::vector::{Vec3, vec3};

/// The direction to the sun: south-east, at an elevation of 50 degrees.
pub const SUN: Vec3 = vec3(0.399_991, 0.503_214, 0.766_044);
/// The direction to the camera: south-west, at an elevation of 30 degrees.
pub const VIEW: Vec3 = vec3(-0.612_372_435_695_794_5, 0.612_372_435_695_794_5, 0.5);
/// Models are lit a little more than flat ground, because stone would look muddy.
pub const GAIN: f64 = 1.38;

const SUNLIGHT: Vec3 = vec3(1.12, 0.96, 0.74);
const SKYLIGHT: Vec3 = vec3(0.30, 0.38, 0.54);
const BOUNCE: Vec3 = vec3(0.10, 0.095, 0.06);

fn divided(a: Vec3, b: Vec3) -> Vec3 {
    vec3(a.x / b.x, a.y / b.y, a.z / b.z)
}

/// The light that leaves a surface; for flat open ground this is the albedo.
pub fn shade(albedo: Vec3, n: Vec3, sun: f64, open: f64) -> Vec3 {
    let up = 0.5 + 0.5 * n.z;
    let light = SUNLIGHT * (sun * n.dot(SUN).max(0.0)) + (SKYLIGHT * up + BOUNCE * (1.0 - up)) * open;
    albedo * divided(light, SUNLIGHT * SUN.z + SKYLIGHT)
}

/// The darkness of open ground with this share of sun and sky, from 0 to 1 (black).
pub fn darkness(sun: f64, open: f64) -> f64 {
    let (direct, sky) = (SUNLIGHT.mean() * SUN.z, SKYLIGHT.mean());
    1.0 - (direct * sun + sky * open) / (direct + sky)
}

/// The share of sunlight that reaches `p`, 0 to 1; a greater `k` makes the edge of the shadow harder.
pub fn sun_at(model: &Model, p: Vec3, n: Vec3, top: f64, k: f64) -> f64 {
    let from = p + n * 0.006;
    let (mut s, mut t) = (1.0f64, 0.025);
    for _ in 0..64 {
        let q = from + SUN * t;
        let d = model.distance(q);
        s = s.min((k * d / t).clamp(0.0, 1.0));
        // Far from all solids the step is as long as the free distance.
        t += if d > FAR { d } else { d.clamp(0.014, 0.12) };
        if s <= 0.01 || q.z >= top {
            break;
        }
    }
    s * s * (3.0 - 2.0 * s)
}

/// The share of the sky that is visible from `p`, from five samples along the normal.
pub fn openness(model: &Model, p: Vec3, n: Vec3) -> f64 {
    // A scaled field underestimates distances, so they are divided by its gradient.
    let gradient = (model.distance(p + n * 0.012) / 0.012).clamp(0.3, 1.0);
    let (mut hidden, mut sum, mut weight) = (0.0, 0.0, 1.0);
    for reach in [0.02, 0.05, 0.09, 0.15, 0.22] {
        hidden += (reach - model.distance(p + n * reach) / gradient).max(0.0) / reach * weight;
        sum += weight;
        weight *= 0.72;
    }
    (1.0 - 0.85 * hidden / sum).clamp(0.28, 1.0)
}

/// The share of sunlight that reaches a point of the ground. The sun has a large disc, so that shadows become
/// softer with the distance from the object: half of the light at the edge of the shadow of a point light.
pub fn sun_on_ground(model: &Model, p: Vec3, top: f64) -> f64 {
    const SHARP: f64 = 32.0;
    let (mut s, mut t) = (1.0f64, 0.02);
    while s > -1.0 && p.z + SUN.z * t < top {
        let d = model.distance(p + SUN * t);
        s = s.min(SHARP * d / t);
        t += if d > FAR { d } else { d.abs().clamp(0.012, 0.10) };
    }
    let s = 0.5 + 0.5 * s.max(-1.0);
    s * s * (3.0 - 2.0 * s)
}
