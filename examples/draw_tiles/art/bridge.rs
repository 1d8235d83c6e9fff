//! The wooden bridge: decks of planks towards its neighbours, rails along the open sides, piers at its ends.

use super::autotile::{Side, all_sides, is_straight, sides};
use super::field::cuboid;
use super::model::{Model, Part};
use super::noise::{hash, mix, noise2, noise3};
use super::render::Shot;
use super::vector::{Vec3, rgb, vec3};
use super::{Job, standing};
use emberwalk_map::terrain::NeighbourMask;

const HALF: f64 = 0.25;
const DECK: f64 = 0.075;
const PLANK: f64 = 0.1;

/// The local coordinates of a section of deck towards a side: along, across, up.
fn local(p: Vec3, (east, south): Side) -> Vec3 {
    vec3(p.x * east + p.y * south, p.x * south - p.y * east, p.z)
}

/// The distance to one section of deck from `from` to `to` along its axis; it continues into the neighbour.
fn deck(q: Vec3, from: f64, to: f64) -> f64 {
    let k = ((q.x + 0.05) / PLANK).floor().rem_euclid(10.0) as i64;
    let ends = q.y.abs() - HALF - 0.012 * (hash(&[k, 4]) - 0.5);
    let plank = ends.max((q.z - DECK).abs() - 0.016).max(((q.x + 0.05).rem_euclid(PLANK) - 0.05).abs() - 0.043);
    let beam = cuboid(q, vec3(0.0, 0.0, 0.05), vec3(9.0, 0.20, 0.02), 0.0);
    plank.min(beam).max(from - q.x).max(q.x - to)
}

fn planks(q: Vec3) -> Vec3 {
    let k = ((q.x + 0.05) / PLANK).floor().rem_euclid(10.0) as i64;
    let c = mix(rgb(150, 110, 68), rgb(190, 148, 98), hash(&[k, 7]));
    let c = c * (0.88 + 0.2 * noise2(q.y * 40.0, k as f64 * 7.0, 1.0, 9));
    let nail = (q.y.abs() - 0.2).abs() < 0.014 && ((q.x + 0.05).rem_euclid(PLANK) - 0.05).abs() < 0.02;
    if q.z < 0.062 || nail { c * 0.5 } else { c }
}

/// The distance to posts and a handrail at y = `at` in local coordinates, for x in `from..to`.
fn rail(q: Vec3, at: f64, from: f64, to: f64) -> f64 {
    let (across, d) = (q.y - at, ((q.x + 0.25).rem_euclid(0.5) - 0.25).abs() - 0.25);
    let post = cuboid(vec3(d, across, q.z), vec3(0.0, 0.0, 0.10), vec3(0.026, 0.026, 0.15), 0.0);
    let middle = (from + to) / 2.0;
    let bar = cuboid(vec3(q.x, across, q.z), vec3(middle, 0.0, 0.20), vec3(to - middle, 0.014, 0.016), 0.0);
    post.max(from - 0.03 - q.x).max(q.x - to - 0.03).min(bar)
}

fn model(sides: &[Side]) -> Model {
    // A bridge without neighbours looks like one from east to west.
    let sides = if sides.is_empty() { vec![all_sides()[1], all_sides()[3]] } else { sides.to_vec() };
    let through = is_straight(&sides);
    let open: Vec<Side> = all_sides().into_iter().filter(|s| !sides.contains(s)).collect();
    let (decks, seen) = (sides.clone(), sides.clone());
    // All planks of a straight bridge have one direction; otherwise the middle has the direction of the first side.
    let middle = sides[0];
    let along = move |p: Vec3| {
        if through {
            return local(p, middle);
        }
        let arm = seen.iter().map(|&s| local(p, s)).find(|q| q.x > HALF);
        arm.unwrap_or_else(|| local(p, middle))
    };
    let surface = move |p: Vec3| {
        let mut d = deck(local(p, middle), -HALF, HALF);
        for &side in &decks {
            d = d.min(deck(local(p, side), if through { -0.01 } else { HALF }, 0.8));
        }
        d
    };
    let rails = move |p: Vec3| {
        let mut d = 9.0f64;
        for &side in &sides {
            let q = local(p, side);
            d = d.min(rail(q, HALF, HALF, 0.8)).min(rail(q, -HALF, HALF, 0.8));
        }
        for &side in &open {
            let q = local(p, side);
            d = d.min(rail(vec3(q.y, q.x, q.z), HALF, -HALF, HALF));
        }
        d
    };
    let wood = |p: Vec3, _: Vec3| mix(rgb(112, 78, 48), rgb(146, 106, 66), noise3(p, 12.0, 5));
    Model::new(vec![Part::new(surface, move |p, _| planks(along(p))), Part::new(rails, wood)])
}

pub fn jobs() -> Vec<Job> {
    // The deck continues half a plank beyond the joint: it is higher than a road, and a gap would be visible.
    let shot = Shot::tile(0.4).clip(|p| p.x.abs().max(p.y.abs()) < 0.55).flat();
    NeighbourMask::all()
        .map(|mask| {
            let sides = sides(mask);
            standing(format!("L2_BridgeWood{}", mask.side_suffix()), shot, move || model(&sides))
        })
        .collect()
}
