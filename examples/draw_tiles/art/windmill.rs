//! The windmill, whose sails turn.

use super::field::{ball, cone, cuboid, smin};
use super::ground::VARIANTS;
use super::model::{Model, Part, Surface};
use super::noise::{hash, noise3, turn};
use super::render::Shot;
use super::vector::{Vec3, norm, rgb, vec3};
use super::{Job, standing};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2};

/// The sails look the same after a quarter of a turn.
const FRAMES: usize = 4;
/// The height of the axle.
const AXLE: f64 = 1.04;

fn tower() -> Part {
    let field = |p: Vec3| cone(0.0, 0.0, (-0.1, 0.95), (0.32, 0.21)).at(p);
    let paint = |p: Vec3, _: Vec3| {
        let a = p.y.atan2(p.x);
        let stone = hash(&[(a * 8.0).floor() as i64, (p.z * 20.0).floor() as i64, 2]);
        let has_door = turn(a, 1.9) * 0.3 < 0.07 && p.z < 0.34;
        let has_window = turn(a, 2.9) * 0.27 < 0.04 && (p.z - 0.48).abs() < 0.06;
        if has_door {
            return Surface::from(rgb(104, 66, 40));
        }
        if has_window {
            return Surface::from(rgb(58, 66, 84)).with_lamp(1.0);
        }
        if p.z < 0.10 {
            (rgb(150, 142, 130) * (0.8 + 0.3 * stone)).into()
        } else {
            (rgb(232, 222, 198) * (0.88 + 0.18 * noise3(p, 8.0, 3))).into()
        }
    };
    Part::new(field, paint).within(0.0, 0.0, 0.33, 0.96)
}

fn cap() -> Part {
    let field =
        |p: Vec3| smin(cone(0.0, 0.0, (0.93, 1.24), (0.245, 0.02)).at(p), ball(p, vec3(0.0, 0.0, 0.96), 0.21), 0.04);
    let paint = |p: Vec3, _: Vec3| {
        let around = (p.y.atan2(p.x) * 7.0).floor() as i64;
        rgb(126, 84, 58) * (0.75 + 0.4 * hash(&[(p.z * 22.0).floor() as i64, around, 3]))
    };
    Part::new(field, paint).within(0.0, 0.0, 0.27, 1.26)
}

/// Four sails that face the camera. Local coordinates: along and across the first arm, and out.
fn sails(frame: usize) -> Part {
    let (sin, cos) = (0.42 - frame as f64 / FRAMES as f64 * FRAC_PI_2).sin_cos();
    let local = move |p: Vec3| {
        let (right, up) = ((p.x + p.y) * FRAC_1_SQRT_2, p.z - AXLE);
        let out = (p.y - p.x) * FRAC_1_SQRT_2 - 0.31;
        vec3(right * cos + up * sin, up * cos - right * sin, out)
    };
    let field = move |p: Vec3| {
        let q = local(p);
        let hub = (norm(q.x, q.y) - 0.05).max((q.z + 0.04).abs() - 0.09);
        let arms = [(q.x, q.y), (q.y, -q.x), (-q.x, -q.y), (-q.y, q.x)];
        let sails = arms.map(|(along, across)| {
            let q = vec3(along, across, q.z);
            let spar = cuboid(q, vec3(0.42, 0.0, 0.0), vec3(0.42, 0.022, 0.02), 0.0);
            spar.min(cuboid(q, vec3(0.51, 0.085, 0.0), vec3(0.31, 0.075, 0.012), 0.0))
        });
        sails.into_iter().fold(hub, f64::min)
    };
    let (wood, canvas) = (rgb(112, 80, 54), rgb(244, 234, 208));
    let paint = move |p: Vec3, _: Vec3| {
        let q = local(p);
        let (far, near) = (q.x.abs().max(q.y.abs()), q.x.abs().min(q.y.abs()));
        if far.rem_euclid(0.115) < 0.026 || near < 0.026 { wood } else { canvas }
    };
    Part::new(field, paint)
}

pub fn jobs() -> Vec<Job> {
    let shot = Shot::sized(100, 90, 2.0);
    let model = |frame| Model::new(vec![tower(), cap(), sails(frame)]);
    let frames = VARIANTS.into_iter().take(FRAMES).enumerate();
    frames.map(|(frame, letter)| standing(format!("L2_Windmill01{letter}"), shot, move || model(frame))).collect()
}
