//! The church: a nave under slates, and a tower with a clock and a tall spire.

use super::field::cuboid;
use super::model::{Model, Part, Surface};
use super::noise::{hash, mix, part};
use super::render::Shot;
use super::roof::{Cover, Roof};
use super::stone::Cut;
use super::vector::{Vec3, norm, rgb, vec3};
use super::{Job, standing};

/// The centre, half the width and the height of the tower, and the tip of its spire.
const X: f64 = -0.24;
const H: f64 = 0.19;
const TOWER: f64 = 1.50;
const TIP: f64 = 2.70;

fn stone() -> Vec3 {
    rgb(206, 196, 176)
}

fn slates() -> Vec3 {
    rgb(90, 104, 130)
}

/// The distance to a pointed opening in a wall: `s` from its middle, from `z0` up to an arch at `z1`.
fn arch(s: f64, z: f64, z0: f64, z1: f64) -> f64 {
    if z > z1 { norm(s, z - z1) } else { s.abs().max(z0 - z) }
}

/// The coordinate along the wall with this normal.
fn along(p: Vec3, n: Vec3) -> f64 {
    if n.x.abs() > n.y.abs() { p.y } else { p.x }
}

fn nave() -> [Part; 2] {
    let roof = Roof { x: 0.19, long: 0.275, wide: 0.29, eave: 0.56, ridge: 1.18, cover: Cover::Tiles(slates()) };
    let walls = move |p: Vec3| cuboid(p, vec3(0.19, 0.0, 0.5), vec3(0.25, 0.25, 0.7), 0.0).max(roof.above(p) + 0.03);
    let cut = Cut::fine(stone());
    let paint = move |p: Vec3, n: Vec3| {
        let s = along(p, n) - if n.x.abs() > n.y.abs() { 0.0 } else { 0.20 };
        let d = arch(s.abs() - 0.11, p.z, 0.20, 0.42);
        let warmth = hash(&[(p.z * 26.0) as i64, (s * 30.0) as i64, 3]);
        let glass = mix(rgb(70, 82, 140), rgb(236, 170, 84), warmth);
        match d {
            d if d < 0.042 => Surface::from(glass).with_lamp(0.45 + 0.55 * warmth),
            d if d < 0.060 => (stone() * 0.55).into(),
            _ => cut.at(p, n).into(),
        }
    };
    [Part::new(walls, paint), roof.part()]
}

fn tower() -> Part {
    let field = |p: Vec3| {
        let shaft = cuboid(p, vec3(X, 0.0, TOWER / 2.0), vec3(H, H, TOWER / 2.0), 0.0);
        let cornice = cuboid(p, vec3(X, 0.0, TOWER - 0.02), vec3(H + 0.025, H + 0.025, 0.03), 0.0);
        shaft.min(cornice).min(cuboid(p, vec3(X, 0.0, 0.98), vec3(H + 0.015, H + 0.015, 0.018), 0.0))
    };
    let cut = Cut::fine(stone());
    let paint = move |p: Vec3, n: Vec3| {
        let s = along(vec3(p.x - X, p.y, p.z), n);
        let clock = norm(s, p.z - 0.78);
        if n.z.abs() > 0.5 {
            return cut.at(p, n);
        }
        if arch(s, p.z, 1.10, 1.29) < 0.06 {
            return rgb(50, 44, 48);
        }
        if n.x < -0.5 && arch(s, p.z, -1.0, 0.26) < 0.085 {
            return rgb(92, 60, 40) * if part(s * 28.0) < 0.2 { 0.7 } else { 1.0 };
        }
        match clock {
            d if d < 0.050 => rgb(240, 226, 190),
            d if d < 0.070 => rgb(190, 150, 70),
            _ => cut.at(p, n),
        }
    };
    Part::new(field, paint).within(X, 0.0, 0.31, TOWER + 0.02)
}

fn spire() -> Part {
    let field = |p: Vec3| {
        let q = (p.x - X).abs().max(p.y.abs());
        let half = (H + 0.04) * ((TIP - p.z) / (TIP - TOWER)).clamp(0.0, 1.0);
        ((q - half) * 0.95).max(TOWER - p.z)
    };
    let paint = |p: Vec3, n: Vec3| {
        let tone = 0.85 + 0.3 * hash(&[(p.z / 0.06) as i64, (along(p, n) / 0.05).floor() as i64, 2]);
        slates() * tone * if part(p.z / 0.06) < 0.2 { 0.74 } else { 1.0 }
    };
    Part::new(field, paint).within(X, 0.0, 0.34, TIP)
}

fn model() -> Model {
    let cross = |p: Vec3| {
        let pole = cuboid(p, vec3(X, 0.0, TIP + 0.06), vec3(0.016, 0.016, 0.12), 0.0);
        pole.min(cuboid(p, vec3(X, 0.0, TIP + 0.10), vec3(0.05, 0.05, 0.014), 0.0))
    };
    let mut parts = vec![tower(), spire(), Part::plain(cross, rgb(240, 200, 96)).within(X, 0.0, 0.08, TIP + 0.2)];
    parts.extend(nave());
    Model::new(parts)
}

pub fn jobs() -> Vec<Job> {
    vec![standing("L2_Church01".to_owned(), Shot::sized(100, 120, 3.0), model)]
}
