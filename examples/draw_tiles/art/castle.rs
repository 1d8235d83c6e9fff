//! The castle: curtain wall, four roofed towers, a keep with a red flag; its gate faces the road.

use super::cloth::Flag;
use super::field::{capsule, cone, cuboid};
use super::model::{Model, Part, Surface};
use super::render::Shot;
use super::stone::{Cut, Merlons, Tower, cone_roof};
use super::vector::{Vec3, norm, rgb, vec3};
use super::{Job, standing};

/// Half the length of the curtain wall, the position of the towers, and the height of the wall.
const B: f64 = 0.385;
const T: f64 = 0.42;
const WALL: f64 = 0.50;
/// The centre of the keep, half its width and its height.
const KEEP: (f64, f64, f64, f64) = (0.03, -0.05, 0.225, 1.58);

fn stone() -> Vec3 {
    rgb(206, 190, 160)
}

fn cut() -> Cut {
    Cut::fine(stone())
}

fn crown(half: f64, z: f64) -> Merlons {
    Merlons { half, z0: z - 0.01, z1: z + 0.075, period: 0.13, thick: 0.022, gap: 0.055 }
}

fn curtain() -> Part {
    let field = |p: Vec3| {
        let yard = cuboid(p, vec3(0.0, 0.0, WALL), vec3(B - 0.09, B - 0.09, 0.24), 0.0);
        let mut d = cuboid(p, vec3(0.0, 0.0, WALL / 2.0 - 0.02), vec3(B, B, WALL / 2.0 + 0.02), 0.0).max(-yard);
        for (along, across) in [(p.x, p.y), (p.y, p.x)] {
            d = d.min(crown(B, WALL).at(p, along, across).max(along.abs() - B));
        }
        d
    };
    let (cut, yard) = (cut(), rgb(150, 132, 100));
    let paint = move |p: Vec3, n: Vec3| if n.z > 0.7 && p.z < WALL - 0.03 { yard } else { cut.at(p, n) };
    Part::new(field, paint).within(0.0, 0.0, 0.56, WALL + 0.08)
}

/// Rotates the world so that the side (east, south) faces south.
fn facing(p: Vec3, (east, south): (f64, f64)) -> Vec3 {
    vec3(p.x * south - p.y * east, p.x * east + p.y * south, p.z)
}

/// A gate tower with an arch and a portcullis.
fn gatehouse(side: (f64, f64)) -> Part {
    const Z: f64 = 0.60;
    let field = move |p: Vec3| {
        let q = facing(p, side);
        let y = q.y - B + 0.01;
        let body = cuboid(q, vec3(0.0, B - 0.01, Z / 2.0 - 0.02), vec3(0.145, 0.095, Z / 2.0 + 0.02), 0.0);
        let merlons = Merlons { half: 0.095, period: 0.09, gap: 0.04, thick: 0.02, ..crown(0.0, Z) };
        let sides = Merlons { half: 0.145, ..merlons };
        let top = merlons.at(q, q.x + 0.045, y).max(q.x.abs() - 0.145);
        let top = top.min(sides.at(q, y + 0.02, q.x).max(y.abs() - 0.095));
        let arch = (q.x.abs() - 0.078).max(q.z - 0.24).min(norm(q.x, q.z - 0.24) - 0.078);
        body.min(top).max(-arch.max(0.045 - y))
    };
    let cut = cut();
    let (wood, gloom, lamp) = (rgb(98, 68, 42), rgb(40, 28, 24), rgb(236, 176, 92));
    let paint = move |p: Vec3, n: Vec3| {
        let q = facing(p, side);
        let inside = q.x.abs() < 0.082 && q.z < 0.33 && q.y < B + 0.075 && q.y > B + 0.02;
        if !inside {
            return Surface::from(cut.at(p, n));
        }
        let bars = (q.x + 0.02).rem_euclid(0.04) < 0.012 || q.z.rem_euclid(0.05) < 0.014;
        match (bars, q.z < 0.10) {
            (_, true) if q.x.abs() < 0.06 => Surface::from(lamp * 0.5).with_lamp(0.6),
            (true, _) => wood.into(),
            _ => gloom.into(),
        }
    };
    let (x, y) = (side.0 * B, side.1 * B);
    Part::new(field, paint).within(x, y, 0.20, Z + 0.08)
}

fn keep() -> Vec<Part> {
    let (x, y, h, z) = KEEP;
    let field = move |p: Vec3| {
        let mut d = cuboid(p, vec3(x, y, z / 2.0), vec3(h, h, z / 2.0), 0.0);
        d = d.min(cuboid(p, vec3(x, y, z - 0.05), vec3(h + 0.025, h + 0.025, 0.05), 0.0));
        d = d.max(-cuboid(p, vec3(x, y, z + 0.03), vec3(h - 0.035, h - 0.035, 0.07), 0.0));
        for (along, across) in [(p.x - x, p.y - y), (p.y - y, p.x - x)] {
            d = d.min(crown(h + 0.025, z).at(p, along, across).max(along.abs() - h - 0.025));
        }
        d
    };
    let cut = cut();
    let (gloom, candle) = (rgb(46, 40, 52), rgb(240, 190, 104));
    let paint = move |p: Vec3, n: Vec3| {
        let u = if n.x.abs() > n.y.abs() { p.y - y } else { p.x - x };
        let row = [1.30, 1.05, 0.80].iter().position(|z| (p.z - z).abs() < 0.062);
        let Some(row) = row.filter(|_| n.z.abs() < 0.5) else { return Surface::from(cut.at(p, n)) };
        let slot = [-0.09, 0.09].iter().position(|at| (u - at).abs() < 0.026);
        match slot {
            // One window is lit by day, and another one stays dark at night.
            Some(0) if row == 1 => Surface::from(candle).with_lamp(1.0),
            Some(1) if row == 2 => gloom.into(),
            Some(_) => Surface::from(gloom).with_lamp(1.0),
            None => cut.at(p, n).into(),
        }
    };
    let turret = Tower { x: x + 0.06, y: y - 0.06, r: 0.115, z: z + 0.42, flare: 0.016, merlons: 7.0 };
    let (tx, ty, tz) = (turret.x, turret.y, turret.z);
    let pole = move |p: Vec3| capsule(p, vec3(tx, ty, tz + 0.3), vec3(tx, ty, tz + 0.92), 0.018);
    let flag = Flag {
        x: tx,
        y: ty,
        z: tz + 0.79,
        tall: 0.10,
        long: 0.42,
        swallow: 0.12,
        waves: 17.0,
        phase: 0.0,
        depth: 0.025,
    };
    let red = rgb(222, 34, 34);
    vec![
        Part::new(field, paint).within(x, y, 0.34, z + 0.08),
        turret.part(stone() * 1.02, 0.07),
        cone_roof(tx, ty, (tz + 0.045, tz + 0.56), 0.138, rgb(62, 88, 142)),
        Part::plain(pole, rgb(120, 92, 60)).within(tx, ty, 0.02, tz + 0.94),
        Part::new(move |p| flag.at(p), move |p: Vec3, _| red * (1.0 + 0.25 * (14.0 * (p.x + p.y)).sin())).within(
            tx + 0.13,
            ty + 0.13,
            0.31,
            tz + 0.94,
        ),
    ]
}

fn model(side: (f64, f64)) -> Model {
    let mut parts = vec![curtain(), gatehouse(side)];
    parts.extend(keep());
    let blue = rgb(62, 88, 142);
    // Two turrets beside the gate, tall enough to be visible over the wall when the gate is at the back.
    for along in [-0.135, 0.135] {
        let (x, y) = (side.0 * (B + 0.03) + side.1 * along, side.1 * (B + 0.03) + side.0 * along);
        let turret = Tower { x, y, r: 0.058, z: 0.70, flare: 0.012, merlons: 5.0 };
        parts.push(turret.part(stone(), 0.07));
        parts.push(cone_roof(x, y, (0.735, 1.0), 0.078, blue));
    }
    // Small turrets at the corners of the keep.
    let (kx, ky, h, z) = KEEP;
    for (dx, dy) in [(-h, -h), (-h, h), (h, h), (h, -h)] {
        let (x, y) = (kx + dx, ky + dy);
        let corbel = move |p: Vec3| cone(x, y, (z - 0.42, z - 0.24), (0.0, 0.062)).at(p);
        let drum = move |p: Vec3| cone(x, y, (z - 0.25, z + 0.13), (0.062, 0.062)).at(p);
        let cut = Cut { round: Some((x, y, 0.062)), wide: 0.09, ..cut() };
        let hung = Part::new(move |p| corbel(p).min(drum(p)), move |p, n| cut.at(p, n));
        parts.push(hung.within(x, y, 0.062, z + 0.13));
        parts.push(cone_roof(x, y, (z + 0.12, z + 0.42), 0.085, blue));
    }
    // The towers at the back are taller, because the keep would hide lower ones.
    for (x, y, z) in [(T, -T, 1.18), (-T, -T, 1.0), (T, T, 1.0), (-T, T, 0.86)] {
        let tower = Tower { x, y, r: 0.105, z, flare: 0.018, merlons: 7.0 };
        parts.push(tower.part(stone() * 1.02, 0.07));
        parts.push(cone_roof(x, y, (z + 0.045, z + 0.50), 0.124, blue));
    }
    // A plinth connects it to the ground.
    let plinth = |p: Vec3| cuboid(p, vec3(0.0, 0.0, 0.0), vec3(B + 0.02, B + 0.02, 0.05), 0.01);
    parts.push(Part::plain(plinth, stone() * 0.62).within(0.0, 0.0, 0.58, 0.06));

    Model::new(parts)
}

pub fn jobs() -> Vec<Job> {
    let shot = Shot::sized(216, 126, 3.0);
    [("", (0.0, 1.0)), ("N", (0.0, -1.0)), ("E", (1.0, 0.0)), ("W", (-1.0, 0.0))]
        .into_iter()
        .map(|(letter, side)| standing(format!("L2_Castle01{letter}"), shot, move || model(side)))
        .collect()
}
