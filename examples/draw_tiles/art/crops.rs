//! Fields: ripe wheat, green barley and ploughed earth.

use super::ground::VARIANTS;
use super::model::{Model, Part};
use super::noise::{hash, mix, step, tiling, tiling_fbm};
use super::picture::Picture;
use super::plane::ground;
use super::render::Shot;
use super::vector::{Vec3, rgb};
use super::{Job, NamedImage};
use std::f64::consts::TAU;

/// A crop: its height compared with wheat, and its colours from the ground to the ears.
#[derive(Clone, Copy)]
struct Crop {
    name: &'static str,
    tall: f64,
    colours: [Vec3; 3],
    has_poppies: bool,
}

fn crops() -> [Crop; 2] {
    let gold = [rgb(124, 104, 48), rgb(196, 154, 66), rgb(244, 212, 122)];
    let green = [rgb(66, 88, 42), rgb(98, 132, 56), rgb(164, 182, 92)];
    [
        Crop { name: "Wheat", tall: 1.0, colours: gold, has_poppies: true },
        Crop { name: "Barley", tall: 0.7, colours: green, has_poppies: false },
    ]
}

/// 1 on the rows of stalks, 0 between them. Five rows run from north to south, a little bent.
fn row(x: f64, y: f64) -> f64 {
    0.5 + 0.5 * (TAU * (5.0 * x + 0.18 * (TAU * y).sin())).cos()
}

/// A hash of the stalk at (x, y), the same in every cell.
fn stalk(x: f64, y: f64, seed: i64) -> f64 {
    let (i, j) = ((x * 40.0).floor() as i64, (y * 26.0).floor() as i64);
    hash(&[i.rem_euclid(40), j.rem_euclid(26), seed])
}

fn model(crop: Crop, variant: i64) -> Model {
    let field = move |p: Vec3| {
        let top = 0.06 + 0.10 * row(p.x, p.y) + 0.055 * (stalk(p.x, p.y, 7 + variant) - 0.3);
        ((p.z - crop.tall * top) * 0.30).max(p.x.abs().max(p.y.abs()) - 0.505)
    };
    let [dark, low, high] = crop.colours;
    let paint = move |p: Vec3, _: Vec3| {
        let ear = 0.30 * stalk(p.x, p.y, 3) + 0.62 * row(p.x, p.y) - 0.08;
        let poppy = hash(&[(p.x * 22.0).floor() as i64, (p.y * 22.0).floor() as i64, 11 + variant]) > 0.992;
        if crop.has_poppies && poppy && p.z > 0.08 {
            return rgb(206, 64, 48);
        }
        mix(dark, mix(low, high, ear), step(0.0, 0.12 * crop.tall, p.z))
    };
    Model::new(vec![Part::new(field, paint)])
}

fn ploughed(variant: i64) -> Picture {
    let (wet, dry) = (rgb(104, 76, 52), rgb(158, 124, 84));
    let furrow = |x: f64, y: f64| row(x, y) + 0.25 * (tiling_fbm(x, y, 8, 61, 2) - 0.5);
    let colour = |x: f64, y: f64| {
        let clod = step(0.7, 0.9, tiling(x, y, 15, 65 + variant)) * 0.25;
        mix(wet, dry, 0.15 + 0.65 * furrow(x, y) + clod)
    };
    Picture::diamond(ground(colour, |x, y| 0.03 * furrow(x, y), 0.05, 30 + variant))
}

pub fn jobs() -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    for (variant, letter) in VARIANTS.into_iter().take(2).enumerate() {
        let variant = variant as i64;
        for crop in crops() {
            let shot = Shot::tile(0.25).rim(1.0);
            jobs.push(Box::new(move || -> Vec<NamedImage> {
                vec![(format!("L2_{}01{letter}", crop.name), shot.draw(&model(crop, variant)).image(5.0))]
            }));
        }
        jobs.push(Box::new(move || vec![(format!("L2_Ploughed01{letter}"), ploughed(variant).image(5.0))]));
    }
    jobs
}
