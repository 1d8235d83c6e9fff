//! The scaffold in a cell where something is to be built as soon as nobody stands there.

use super::field::{capsule, cuboid};
use super::model::{Model, Part};
use super::noise::{hash, mix, noise3};
use super::render::Shot;
use super::vector::{Vec3, rgb, vec3};
use super::{Job, standing};

/// How far the posts are from the middle of the cell.
const POST: f64 = 0.39;

/// The heights of the posts at the back and of the others.
const HIGH: f64 = 0.74;
const LOW: f64 = 0.36;

/// Posts and rails, whose front is open so that whoever stands in the cell is seen.
fn frame(p: Vec3) -> f64 {
    let post = |x: f64, y: f64, top: f64| capsule(p, vec3(x, y, 0.0), vec3(x, y, top), 0.026);
    let posts = post(POST, -POST, HIGH).min(post(-POST, -POST, HIGH)).min(post(POST, POST, HIGH));
    let rail = |z: f64, over: f64| {
        let north = capsule(p, vec3(-POST - over, -POST, z), vec3(POST + over, -POST, z), 0.018);
        north.min(capsule(p, vec3(POST, -POST - over, z), vec3(POST, POST + over, z), 0.018))
    };
    let brace = |from: Vec3, to: Vec3| capsule(p, from, to, 0.015);
    let north = brace(vec3(-POST, -POST, 0.06), vec3(POST, -POST, 0.40));
    let east = brace(vec3(POST, POST, 0.06), vec3(POST, -POST, 0.40));
    posts.min(post(-POST, POST, LOW)).min(rail(0.42, 0.06)).min(rail(0.66, 0.06)).min(north).min(east)
}

/// The boards that workers stand on.
fn boards(p: Vec3) -> f64 {
    let north = cuboid(p, vec3(0.0, -POST + 0.06, 0.45), vec3(POST, 0.075, 0.014), 0.0);
    north.min(cuboid(p, vec3(POST - 0.06, 0.0, 0.45), vec3(0.075, POST, 0.014), 0.0))
}

fn model() -> Model {
    let wood = |p: Vec3, _: Vec3| mix(rgb(150, 106, 62), rgb(196, 148, 92), noise3(p, 14.0, 5));
    let plank = |p: Vec3, _: Vec3| rgb(206, 166, 108) * (0.8 + 0.3 * hash(&[((p.x - p.y) * 16.0).floor() as i64, 3]));
    Model::new(vec![Part::new(frame, wood), Part::new(boards, plank)])
}

pub fn jobs() -> Vec<Job> {
    vec![standing("L3_Scaffold01".to_owned(), Shot::tile(HIGH + 0.1), model)]
}
