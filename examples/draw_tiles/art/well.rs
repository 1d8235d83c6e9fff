//! The well: a round wall, a winch with a bucket, and a small roof.

use super::field::{capsule, cone, cuboid};
use super::model::{Model, Part};
use super::render::Shot;
use super::roof::{Cover, Roof};
use super::stone::Cut;
use super::vector::{Vec3, norm, rgb, vec3};
use super::{Job, standing};

fn model() -> Model {
    let ring = |p: Vec3| cone(0.0, 0.0, (-0.1, 0.23), (0.27, 0.26)).at(p).max(0.17 - norm(p.x, p.y));
    let cut = Cut { round: Some((0.0, 0.0, 0.25)), wide: 0.12, ..Cut::fine(rgb(176, 168, 156)) };
    let frame = |p: Vec3| {
        let posts = cuboid(vec3(p.x.abs(), p.y, p.z), vec3(0.24, 0.0, 0.33), vec3(0.024, 0.024, 0.33), 0.0);
        let winch = capsule(p, vec3(-0.24, 0.0, 0.52), vec3(0.24, 0.0, 0.52), 0.022);
        posts.min(winch).min(capsule(p, vec3(0.0, 0.0, 0.5), vec3(0.0, 0.0, 0.36), 0.009))
    };
    let bucket = |p: Vec3| cone(0.0, 0.0, (0.27, 0.37), (0.05, 0.065)).at(p);
    let water = |p: Vec3| cone(0.0, 0.0, (0.0, 0.13), (0.18, 0.18)).at(p);
    let roof = Roof { x: 0.0, long: 0.33, wide: 0.21, eave: 0.60, ridge: 0.86, cover: Cover::Tiles(rgb(176, 86, 54)) };
    Model::new(vec![
        Part::new(ring, move |p, n| cut.at(p, n)),
        Part::plain(frame, rgb(112, 78, 50)),
        Part::plain(bucket, rgb(150, 108, 68)),
        Part::plain(water, rgb(50, 100, 136)),
        roof.part(),
    ])
}

pub fn jobs() -> Vec<Job> {
    vec![standing("L2_Well01".to_owned(), Shot::sized(66, 54, 1.0), model)]
}
