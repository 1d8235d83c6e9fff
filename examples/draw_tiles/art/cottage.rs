//! Cottages: one half-timbered storey under thatch or tiles.

use super::field::cuboid;
use super::model::{Model, Part};
use super::render::Shot;
use super::roof::{Cover, Roof, chimney};
use super::timber::{Door, Timber, Window};
use super::vector::{Vec3, rgb, vec3};
use super::{Job, standing};

fn model(cover: Cover, plaster: Vec3, seed: i64) -> Model {
    const WINDOWS: [Window; 1] = [Window { at: 0.235, z: 0.215, half: (0.05, 0.06) }];
    let timber = Timber {
        long: 0.37,
        wide: 0.32,
        beams: (0.085, 0.34),
        post: 0.12,
        windows: &WINDOWS,
        door: Some(Door { in_gable: seed % 2 == 1, at: 0.0, top: 0.29 }),
        plaster,
        shutters: rgb(86, 110, 92),
        seed,
    };
    let roof = Roof { x: 0.0, long: 0.445, wide: 0.395, eave: 0.31, ridge: 0.80, cover };
    let walls = move |p: Vec3| {
        let block = cuboid(p, vec3(0.0, 0.0, 0.35), vec3(timber.long, timber.wide, 0.5), 0.0);
        block.max(roof.above(p) + 0.04)
    };
    Model::new(vec![Part::new(walls, move |p, n| timber.at(p, n)), roof.part(), chimney(0.22, -0.08, 0.5, 0.95)])
}

pub fn jobs() -> Vec<Job> {
    let shot = Shot::sized(80, 62, 1.1);
    let looks = [
        ("Thatch", Cover::Thatch, rgb(232, 226, 210), 1),
        ("Tiles", Cover::Tiles(rgb(160, 76, 50)), rgb(226, 210, 176), 2),
        ("Umber", Cover::Tiles(rgb(134, 98, 68)), rgb(206, 166, 142), 5),
    ];
    let mut jobs = Vec::new();
    for (name, cover, plaster, seed) in looks {
        let house = move || model(cover, plaster, seed);
        jobs.push(standing(format!("L2_Cottage{name}W"), shot, house));
        jobs.push(standing(format!("L2_Cottage{name}S"), shot, move || house().mirrored()));
    }
    jobs
}
