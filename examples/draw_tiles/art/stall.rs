//! Market stalls: a counter with goods under a striped awning, open to the south or to the west.

use super::field::{ball, cuboid};
use super::model::{Model, Part};
use super::noise::{hash, noise3, part};
use super::render::Shot;
use super::vector::{Vec3, rgb, vec3};
use super::{Job, standing};
use std::f64::consts::PI;

/// Half the length and width of the awning.
const LONG: f64 = 0.45;
const WIDE: f64 = 0.36;

/// The height of the awning, which slopes down to the customers.
fn awning_height(y: f64) -> f64 {
    0.70 - 0.42 * y
}

fn awning(colour: Vec3) -> Part {
    let field = |p: Vec3| {
        let z = awning_height(p.y) + 0.012 * (p.x * 26.0).cos();
        let inside = (p.x.abs() - LONG).max(p.y.abs() - WIDE);
        let cloth = ((p.z - z).abs() - 0.022).max(inside) * 0.85;
        let front = awning_height(WIDE);
        let scallop = front - 0.075 + 0.028 * (p.x * PI / 0.15).sin().abs();
        let valance = ((p.y - WIDE + 0.01).abs() - 0.014).max(p.x.abs() - LONG).max(p.z - front).max(scallop - p.z);
        let sides = ((p.x.abs() - LONG + 0.01).abs() - 0.012).max(p.y.abs() - WIDE).max(p.z - z).max(z - 0.06 - p.z);
        cloth.min(valance).min(sides * 0.85)
    };
    let cream = rgb(240, 228, 198);
    let paint = move |p: Vec3, _: Vec3| {
        let stripe = if part(p.x / 0.15 + 0.25) < 0.5 { colour } else { cream };
        stripe * (0.94 + 0.12 * noise3(p, 12.0, 3))
    };
    Part::new(field, paint)
}

fn counter(colour: Vec3) -> Part {
    let field = |p: Vec3| {
        let board = cuboid(p, vec3(0.0, 0.12, 0.245), vec3(0.38, 0.17, 0.018), 0.0);
        board.min(cuboid(p, vec3(0.0, 0.12, 0.10), vec3(0.34, 0.13, 0.13), 0.0))
    };
    let paint = move |p: Vec3, _: Vec3| {
        let fold = (0.72 + 0.18 * (p.x * 40.0).sin()) * if part(p.x * 5.2) < 0.5 { 1.0 } else { 0.8 };
        let plank = 0.8 + 0.3 * hash(&[(p.x * 14.0).floor() as i64, 2]);
        if p.z < 0.225 { colour * fold } else { rgb(150, 108, 68) * plank }
    };
    Part::new(field, paint)
}

/// Heaps of three kinds of goods.
fn goods(kinds: [Vec3; 3]) -> Part {
    let field = |p: Vec3| {
        let q = vec3((p.x + 0.36).rem_euclid(0.12) - 0.06, (p.y + 0.02).rem_euclid(0.10) - 0.05, p.z);
        ball(q, vec3(0.0, 0.0, 0.285), 0.045).max(p.x.abs() - 0.34).max((p.y - 0.12).abs() - 0.14)
    };
    let paint = move |p: Vec3, _: Vec3| {
        let kind = ((p.x + 0.36) / 0.24).clamp(0.0, 2.0) as usize;
        kinds[kind] * (0.8 + 0.4 * hash(&[(p.x * 9.0).floor() as i64, (p.y * 11.0).floor() as i64, 3]))
    };
    Part::new(field, paint).within(0.0, 0.12, 0.37, 0.34)
}

fn model(colour: Vec3, kinds: [Vec3; 3]) -> Model {
    let posts = |p: Vec3| {
        let q = vec3(p.x.abs(), p.y, p.z);
        let front = cuboid(q, vec3(0.37, 0.27, 0.27), vec3(0.02, 0.02, 0.30), 0.0);
        front.min(cuboid(q, vec3(0.37, -0.27, 0.37), vec3(0.02, 0.02, 0.42), 0.0))
    };
    Model::new(vec![Part::plain(posts, rgb(118, 82, 52)), counter(colour), goods(kinds), awning(colour)])
}

pub fn jobs() -> Vec<Job> {
    let shot = Shot::sized(76, 62, 1.0);
    let looks = [
        ("Red", rgb(196, 52, 44), [rgb(196, 66, 48), rgb(222, 170, 66), rgb(120, 150, 66)]),
        ("Blue", rgb(54, 96, 168), [rgb(214, 190, 150), rgb(170, 116, 66), rgb(232, 214, 170)]),
        ("Gold", rgb(222, 160, 48), [rgb(110, 86, 150), rgb(196, 70, 90), rgb(224, 196, 90)]),
        ("Green", rgb(66, 130, 84), [rgb(226, 196, 110), rgb(236, 226, 200), rgb(176, 96, 60)]),
        ("Violet", rgb(140, 70, 136), [rgb(120, 150, 66), rgb(206, 120, 60), rgb(150, 60, 70)]),
    ];
    let mut jobs = Vec::new();
    for (name, colour, kinds) in looks {
        let stall = move || model(colour, kinds);
        jobs.push(standing(format!("L2_Stall{name}S"), shot, stall));
        jobs.push(standing(format!("L2_Stall{name}W"), shot, move || stall().mirrored()));
    }
    jobs
}
