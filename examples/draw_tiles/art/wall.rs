//! The stone wall: crenellated arms towards its neighbours, a tower wherever it is not straight.

use super::autotile::{Side, is_straight, sides};
use super::field::cuboid;
use super::model::{Model, Part};
use super::render::Shot;
use super::stone::{Cut, Merlons, Tower};
use super::vector::{Vec3, rgb, vec3};
use super::{Job, standing};
use emberwalk_map::terrain::NeighbourMask;

const H: f64 = 0.33;
const HALF: f64 = 0.115;

/// The distance to one arm of a wall. It continues into the neighbour, so that shadow and occlusion match at the joint.
pub fn arm(p: Vec3, (east, south): Side) -> f64 {
    let (along, across) = (p.x * east + p.y * south, p.x * south + p.y * east);
    let merlons = Merlons { half: HALF, z0: H - 0.01, z1: H + 0.10, period: 0.25, thick: 0.035, gap: 0.10 };
    let lip = ((across.abs() - HALF + 0.025).abs() - 0.035).max(p.z - H + 0.02).max(H - 0.06 - p.z);
    let body = cuboid(vec3(along, across, p.z), vec3(0.8, 0.0, H / 2.0 - 0.05), vec3(0.8, HALF, H / 2.0 + 0.05), 0.0);
    body.min(merlons.at(p, along + 0.125, across).min(lip).max(-along))
}

fn model(sides: &[Side]) -> Model {
    let base = rgb(170, 162, 150);
    let cut = Cut::rough(base);
    let mut parts = Vec::new();
    if !sides.is_empty() {
        let arms = sides.to_vec();
        parts.push(Part::new(
            move |p| arms.iter().fold(9.0, |d: f64, &side| d.min(arm(p, side))),
            move |p, n| cut.at(p, n) * if n.z > 0.75 && p.z < H + 0.03 { 0.82 } else { 1.0 },
        ));
    }
    if !is_straight(sides) {
        let tower = Tower { x: 0.0, y: 0.0, r: 0.185, z: 0.50, flare: 0.03, merlons: 9.0 };
        parts.push(tower.part(base * 1.08, 0.085));
    }
    Model::new(parts)
}

pub fn jobs() -> Vec<Job> {
    let shot = Shot::tile(0.65).clip(|p| p.x.abs().max(p.y.abs()) < 0.52);
    NeighbourMask::all()
        .map(|mask| {
            let sides = sides(mask);
            standing(format!("L2_WallStone{}", mask.side_suffix()), shot, move || model(&sides))
        })
        .collect()
}
