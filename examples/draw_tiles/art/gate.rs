//! The town gate: an arch between two roofed towers, which the stone wall joins.

use super::autotile::{Side, sides};
use super::field::{cone, cuboid};
use super::model::{Model, Part, Surface};
use super::render::Shot;
use super::stone::{Cut, Merlons, Tower, cone_roof};
use super::vector::{Vec3, norm, rgb, vec3};
use super::wall::arm;
use super::{Job, standing};
use emberwalk_map::terrain::NeighbourMask;

/// Half the width of the passage, and the height at which its arch begins.
const HALF: f64 = 0.25;
const SPRING: f64 = 0.46;
/// The distance of the towers from the middle.
const TOWERS: f64 = 0.37;

fn stone() -> Vec3 {
    rgb(176, 167, 153)
}

/// The distance to the passage, negative inside; `u` is along the wall.
fn passage(u: f64, z: f64) -> f64 {
    if z > SPRING { norm(u, z - SPRING) - HALF } else { u.abs() - HALF }
}

/// The wall above the passage, and the arms that join the town wall. The passage runs from west to east.
fn block(arms: Vec<Side>) -> Part {
    let field = move |p: Vec3| {
        let body = cuboid(p, vec3(0.0, 0.0, 0.47), vec3(0.11, TOWERS, 0.55), 0.0);
        let lip = cuboid(p, vec3(0.0, 0.0, 1.0), vec3(0.135, TOWERS, 0.03), 0.0);
        let merlons = Merlons { half: 0.135, z0: 1.01, z1: 1.12, period: 0.13, thick: 0.025, gap: 0.05 };
        let crown = merlons.at(p, p.y + 0.065, p.x).max(p.y.abs() - TOWERS);
        let joined = arms.iter().fold(9.0, |d: f64, &side| d.min(arm(p, side)));
        body.max(-passage(p.y, p.z)).min(lip).min(crown).min(joined.max(TOWERS - p.y.abs()))
    };
    let cut = Cut::rough(stone());
    let (red, gold) = (rgb(186, 44, 44), rgb(234, 190, 92));
    let paint = move |p: Vec3, n: Vec3| {
        let is_front = n.x < -0.7 && p.x > -0.13;
        let shield = (p.y.abs() - 0.075).max((p.z - 0.86).abs() - 0.10).max(p.y.abs() * 0.5 - p.z + 0.76);
        if is_front && shield < 0.0 {
            return if p.y.abs() < 0.026 { gold } else { red };
        }
        let is_arch = is_front && p.z > SPRING && passage(p.y, p.z) < 0.05;
        if is_arch { stone() * 1.15 } else { cut.at(p, n) }
    };
    Part::new(field, paint)
}

/// The portcullis: raised, with its lower end in sight, or down, with boards behind it.
fn portcullis(shut: bool) -> Part {
    let iron = if shut { rgb(132, 128, 124) } else { rgb(66, 56, 50) };
    let boards = rgb(34, 27, 24);
    let field = move |p: Vec3| {
        let bars = ((p.y + 0.045).rem_euclid(0.09) - 0.045).abs() - if shut { 0.017 } else { 0.013 };
        let across = if shut { (p.z + 0.1).rem_euclid(0.2) - 0.1 } else { p.z - 0.62 };
        let bars = bars.min(across.abs() - 0.013).max(p.x.abs() - 0.014);
        let behind = (p.x - 0.06).abs() - 0.02;
        let seen = if shut { bars.min(behind) } else { bars.max(0.56 - p.z) };
        seen.max(passage(p.y, p.z))
    };
    Part::new(field, move |p: Vec3, _| if p.x > 0.03 { boards } else { iron }).within(0.0, 0.0, 0.3, 0.75)
}

/// A lantern before each tower: amber while the gate is open, red while it is shut.
fn lantern(y: f64, shut: bool) -> Part {
    let (iron, at) = (rgb(52, 46, 44), vec3(-0.165, y, 0.60));
    let field = move |p: Vec3| {
        let glass = cuboid(p, at, vec3(0.038, 0.038, 0.055), 0.0);
        let cap = cone(at.x, at.y, (at.z + 0.055, at.z + 0.11), (0.056, 0.01)).at(p);
        glass.min(cap).min(cuboid(p, at - vec3(0.0, 0.0, 0.065), vec3(0.046, 0.046, 0.01), 0.0))
    };
    let paint = move |p: Vec3, _| match (p.z - at.z).abs() < 0.055 {
        false => Surface::from(iron),
        true if shut => Surface { albedo: rgb(120, 12, 10), glow: rgb(255, 36, 24), lamp: 0.0 },
        true => Surface { albedo: rgb(214, 150, 66), glow: rgb(150, 96, 30), lamp: 1.0 },
    };
    Part::new(field, paint).within(at.x, at.y, 0.08, at.z + 0.12)
}

fn model(arms: Vec<Side>, shut: bool) -> Model {
    let mut parts = vec![block(arms), portcullis(shut)];
    for y in [-TOWERS, TOWERS] {
        let tower = Tower { x: 0.0, y, r: 0.105, z: 1.16, flare: 0.018, merlons: 8.0 };
        parts.push(tower.part(stone() * 1.06, 0.08));
        parts.push(cone_roof(0.0, y, (1.20, 1.66), 0.132, rgb(62, 88, 142)));
        parts.push(lantern(y, shut));
    }
    Model::new(parts)
}

/// The gate that joins walls on these sides: the passage runs from north to south if there are walls in the east or
/// the west, but not in both the north and the south.
fn joined(sides: &[Side], shut: bool) -> Model {
    let (along, across): (Vec<Side>, Vec<Side>) = sides.iter().partition(|side| side.0 == 0.0);
    if across.is_empty() || along.len() == 2 {
        return model(along, shut);
    }
    model(across.into_iter().map(|(east, south)| (-south, -east)).collect(), shut).mirrored()
}

pub fn jobs() -> Vec<Job> {
    let shot = Shot::sized(84, 92, 1.9).clip(|p| p.x.abs().max(p.y.abs()) < 0.52);
    let states = [(false, ""), (true, "_shut")];
    let all = NeighbourMask::all().flat_map(|mask| states.map(|state| (mask, state)));
    all.map(|(mask, (shut, name))| {
        let sides = sides(mask);
        standing(format!("L2_Gate{}{name}", mask.side_suffix()), shot, move || joined(&sides, shut))
    })
    .collect()
}
