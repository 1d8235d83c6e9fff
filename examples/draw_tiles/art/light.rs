//! The light of the scene: a warm sun, a blue sky, and what the ground throws back.

use super::model::{FAR, Model};
use super::vector::{Vec3, vec3};

/// Towards the sun: from the south-east, 50 degrees high.
pub const SUN: Vec3 = vec3(0.399_991, 0.503_214, 0.766_044);
/// Towards the camera: south-west, 30 degrees up.
pub const VIEW: Vec3 = vec3(-0.612_372_435_695_794_5, 0.612_372_435_695_794_5, 0.5);
/// Models are lit a little more than flat ground, or stone looks muddy.
pub const GAIN: f64 = 1.38;

const SUNLIGHT: Vec3 = vec3(1.12, 0.96, 0.74);
const SKYLIGHT: Vec3 = vec3(0.30, 0.38, 0.54);
const BOUNCE: Vec3 = vec3(0.10, 0.095, 0.06);

fn divided(a: Vec3, b: Vec3) -> Vec3 {
    vec3(a.x / b.x, a.y / b.y, a.z / b.z)
}

/// Light that leaves a surface; flat open ground comes out at its own albedo.
pub fn shade(albedo: Vec3, n: Vec3, sun: f64, open: f64) -> Vec3 {
    let up = 0.5 + 0.5 * n.z;
    let light = SUNLIGHT * (sun * n.dot(SUN).max(0.0)) + (SKYLIGHT * up + BOUNCE * (1.0 - up)) * open;
    albedo * divided(light, SUNLIGHT * SUN.z + SKYLIGHT)
}

/// How much darker open ground is with this much sun and sky: 0 not at all, 1 black.
pub fn darkness(sun: f64, open: f64) -> f64 {
    let (direct, sky) = (SUNLIGHT.mean() * SUN.z, SKYLIGHT.mean());
    1.0 - (direct * sun + sky * open) / (direct + sky)
}

/// How much of the sun reaches `p`: 1 all, 0 none; the greater `k` the harder the shadow's edge.
pub fn sun_at(model: &Model, p: Vec3, n: Vec3, top: f64, k: f64) -> f64 {
    let from = p + n * 0.006;
    let (mut s, mut t) = (1.0f64, 0.025);
    for _ in 0..64 {
        let q = from + SUN * t;
        let d = model.distance(q);
        s = s.min((k * d / t).clamp(0.0, 1.0));
        // Far from everything the step is as long as the way is free.
        t += if d > FAR { d } else { d.clamp(0.014, 0.12) };
        if s <= 0.01 || q.z >= top {
            break;
        }
    }
    s * s * (3.0 - 2.0 * s)
}

/// How much of the sky `p` sees, from five samples along its normal.
pub fn openness(model: &Model, p: Vec3, n: Vec3) -> f64 {
    // A field that was scaled down understates distance, so what it says is divided by its own gradient.
    let gradient = (model.distance(p + n * 0.012) / 0.012).clamp(0.3, 1.0);
    let (mut hidden, mut sum, mut weight) = (0.0, 0.0, 1.0);
    for reach in [0.02, 0.05, 0.09, 0.15, 0.22] {
        hidden += (reach - model.distance(p + n * reach) / gradient).max(0.0) / reach * weight;
        sum += weight;
        weight *= 0.72;
    }
    (1.0 - 0.85 * hidden / sum).clamp(0.28, 1.0)
}

/// How much of the sun reaches a point of the ground, its disc seen so large that shadows grow softer away from what
/// casts them: half of it where the shadow's edge would be if the sun were a point, so that a spire's shadow tapers.
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
