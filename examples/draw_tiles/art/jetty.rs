//! Jetties, each with a boat.

use super::autotile::{Side, all_sides};
use super::field::{capsule, cuboid};
use super::model::{Model, Part};
use super::noise::{hash, mix, noise3};
use super::render::Shot;
use super::vector::{Vec3, norm, rgb, vec3};
use super::{Job, standing};

/// The height of the deck, its middle and half its width.
const DECK: f64 = 0.085;
const MIDDLE: f64 = -0.13;
const HALF: f64 = 0.115;
/// How far it reaches into the lake.
const END: f64 = -0.30;
const PLANK: f64 = 0.075;

/// The point in coordinates of the side on which the land is: towards it, along the shore, up.
fn local(p: Vec3, (east, south): Side, flip: f64) -> Vec3 {
    vec3(p.x * east + p.y * south, (p.y * east - p.x * south) * flip, p.z)
}

fn deck(q: Vec3) -> f64 {
    let k = (q.x / PLANK).floor() as i64;
    let ragged = 0.018 * (hash(&[k, 4]) - 0.5);
    let plank = ((q.y - MIDDLE).abs() - HALF - ragged)
        .max((q.z - DECK).abs() - 0.014)
        .max((q.x.rem_euclid(PLANK) - PLANK / 2.0).abs() - 0.032);
    let beams = cuboid(vec3(q.x, (q.y - MIDDLE).abs(), q.z), vec3(0.0, 0.085, 0.055), vec3(9.0, 0.016, 0.02), 0.0);
    plank.min(beams).max(END - q.x)
}

fn posts(q: Vec3) -> f64 {
    let across = (q.y - MIDDLE).abs() - HALF - 0.01;
    let post = |at: f64, top: f64| norm(q.x - at, across).max(q.z - top) - 0.0;
    let r = 0.022;
    (post(END + 0.02, 0.19) - r).min(post(0.05, 0.16) - r).max(q.z - 0.20)
}

/// Half the width of the boat at a place along it, from -1 at the stern to 1 at the bow.
fn beam(t: f64) -> f64 {
    0.088 * (1.0 - (0.5 * (t + 0.25) / 0.75).abs().min(1.0).powf(2.2)) * if t > 0.97 { 0.2 } else { 1.0 }
}

const BOAT: Vec3 = vec3(-0.07, 0.12, 0.0);
const LONG: f64 = 0.27;

fn hull(q: Vec3) -> f64 {
    let p = q - BOAT;
    let t = (p.x / LONG).clamp(-1.0, 1.0);
    let (wide, top) = (beam(t).max(0.004), 0.085 + 0.035 * t * t);
    let flare = 0.75 + 0.25 * (p.z / 0.09).clamp(0.0, 1.0);
    let outside = ((p.y.abs() - wide * flare) * 0.8).max(p.z - top).max(p.x.abs() - LONG);
    let hollow = ((p.y.abs() - wide * flare + 0.018) * 0.8).max(0.035 - p.z);
    let seats = cuboid(vec3((p.x + 0.02).abs(), p.y, p.z), vec3(0.10, 0.0, 0.065), vec3(0.022, wide * 0.9, 0.008), 0.0);
    outside.max(-hollow).min(seats.max(outside))
}

fn model(side: Side) -> Model {
    // The boat lies where the jetty does not hide it.
    let flip = if side.0 > 0.0 || side.1 != 0.0 { 1.0 } else { -1.0 };
    let planks = move |p: Vec3, _: Vec3| {
        let q = local(p, side, flip);
        let k = (q.x / PLANK).floor() as i64;
        let c = mix(rgb(146, 116, 80), rgb(188, 158, 116), hash(&[k, 7])) * (0.86 + 0.24 * noise3(p, 30.0, 9));
        if q.z < DECK - 0.02 { c * 0.5 } else { c }
    };
    let wood = |p: Vec3, _: Vec3| mix(rgb(92, 70, 50), rgb(128, 100, 70), noise3(p, 14.0, 5));
    let painted = move |p: Vec3, n: Vec3| {
        let q = local(p, side, flip) - BOAT;
        let rim = q.z > 0.074 + 0.035 * (q.x / LONG).powi(2);
        match (rim, n.z > 0.6) {
            (true, _) => rgb(226, 206, 166),
            (false, true) => rgb(150, 116, 76) * (0.85 + 0.3 * noise3(p, 26.0, 3)),
            (false, false) => rgb(58, 104, 132),
        }
    };
    let oar = move |p: Vec3| {
        let q = local(p, side, flip) - BOAT;
        capsule(q, vec3(-0.16, -0.03, 0.09), vec3(0.17, 0.05, 0.10), 0.012)
    };
    let rope = move |p: Vec3| {
        let q = local(p, side, flip);
        capsule(q, vec3(0.05, MIDDLE + HALF + 0.01, 0.12), vec3(0.14, BOAT.y, 0.10), 0.008)
    };
    Model::new(vec![
        Part::new(move |p| deck(local(p, side, flip)) * 0.9, planks),
        Part::new(move |p| posts(local(p, side, flip)), wood),
        Part::new(move |p| hull(local(p, side, flip)) * 0.8, painted),
        Part::plain(oar, rgb(176, 138, 92)),
        Part::plain(rope, rgb(206, 188, 146)),
    ])
}

pub fn jobs() -> Vec<Job> {
    let shot = Shot::tile(0.3).clip(|p| p.x.abs().max(p.y.abs()) < 0.5).flat();
    let named = all_sides().into_iter().zip(["N", "E", "S", "W"]);
    named.map(|(side, letter)| standing(format!("L2_Jetty{letter}"), shot, move || model(side))).collect()
}
