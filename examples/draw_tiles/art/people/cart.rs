//! The two-wheeled cart of the merchant.

use super::super::field::{ball, capsule, cone, cuboid};
use super::super::model::Part;
use super::super::noise::{noise3, part};
use super::super::vector::{Vec3, norm, rgb, vec3};
use super::super::walk::{Axes, sphere};
use std::f64::consts::{FRAC_PI_4, TAU};

const AXLE: f64 = 0.150;

/// The cart, its axle above the origin of `axes`. `turn` is the part of a full turn of its wheels.
pub fn cart(axes: Axes, turn: f64) -> Vec<Part> {
    let bed = |q: Vec3| {
        let hollow = cuboid(q, vec3(0.0, 0.0, 0.33), vec3(0.205, 0.125, 0.09), 0.0);
        let shaft = cuboid(vec3(q.x, q.y.abs(), q.z), vec3(0.36, 0.125, 0.225), vec3(0.19, 0.016, 0.016), 0.01);
        cuboid(q, vec3(0.0, 0.0, 0.255), vec3(0.235, 0.155, 0.072), 0.01).max(-hollow).min(shaft)
    };
    let planks = |q: Vec3, _| {
        let joint = part(q.z * 21.0) < 0.22 && q.x < 0.24;
        rgb(158, 110, 66) * if joint { 0.62 } else { 0.86 + 0.28 * noise3(q, 14.0, 3) }
    };
    let wheels = move |q: Vec3| {
        let (x, z) = (q.x, q.z - AXLE);
        let angle = z.atan2(x) + turn * TAU;
        let r = norm(x, z);
        let between = (angle.rem_euclid(2.0 * FRAC_PI_4) - FRAC_PI_4).abs();
        let spoke = (r * (FRAC_PI_4 - between).sin().abs() - 0.013).max(r - 0.12);
        let flat = ((r - 0.126).abs() - 0.022).min(spoke).min(r - 0.034);
        flat.max((q.y.abs() - 0.185).abs() - 0.019) * 0.8
    };
    let tyres = |q: Vec3, _| if norm(q.x, q.z - AXLE) > 0.136 { rgb(74, 66, 66) } else { rgb(124, 84, 52) };
    let sacks = |q: Vec3| ball(q, vec3(-0.12, 0.05, 0.345), 0.105).min(ball(q, vec3(-0.10, -0.08, 0.33), 0.095));
    let linen = |q: Vec3, _| rgb(226, 204, 160) * (0.82 + 0.32 * noise3(q, 12.0, 3));
    let barrel = |q: Vec3| {
        let z = q.z - 0.345;
        (norm(q.x - 0.06, q.y + 0.04) - 0.088 + 1.1 * z * z).max(z.abs() - 0.11) * 0.9
    };
    let staves = |q: Vec3, _| {
        let hoop = ((q.z - 0.345).abs() - 0.060).abs() < 0.015;
        if hoop { rgb(84, 78, 80) } else { rgb(176, 112, 62) }
    };
    let roll = |q: Vec3| capsule(q, vec3(0.165, -0.10, 0.345), vec3(0.165, 0.11, 0.345), 0.045);
    let stripes = |q: Vec3, _| if part(q.y * 9.0) < 0.5 { rgb(222, 160, 48) } else { rgb(66, 130, 84) };
    let greens = cone(0.07, 0.085, (0.30, 0.385), (0.055, 0.045));
    vec![
        axes.part(sphere(0.15, 0.0, 0.25, 0.42), bed, planks),
        axes.part(sphere(0.0, 0.0, AXLE, 0.26), wheels, tyres),
        axes.part(sphere(-0.11, 0.0, 0.34, 0.20), sacks, linen),
        axes.part(sphere(0.06, -0.04, 0.345, 0.15), barrel, staves),
        axes.part(sphere(0.165, 0.0, 0.345, 0.16), roll, stripes),
        axes.part(sphere(0.07, 0.085, 0.34, 0.08), move |q| greens.at(q), |_, _| rgb(98, 148, 62)),
    ]
}
