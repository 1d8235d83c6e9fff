//! The rider's horse.

use super::super::field::{ball, capsule, smin, twig};
use super::super::model::Part;
use super::super::noise::noise3;
use super::super::vector::{Vec3, rgb, vec3};
use super::super::walk::{Axes, Stride, sphere};

fn legs(q: Vec3, stride: Stride) -> f64 {
    let leg = |x: f64, y: f64, swing: f64, lift: f64| {
        let hip = vec3(x, y, 0.32);
        let knee = vec3(x + 0.05 * swing + 0.5 * lift, y, 0.17 + 0.4 * lift);
        let hoof = vec3(x + 0.115 * swing - 0.2 * lift, y, 0.030 + lift);
        twig(q, hip, knee, 0.052, 0.036).min(twig(q, knee, hoof, 0.034, 0.028))
    };
    let Stride { swing, lift, .. } = stride;
    // Diagonal legs move together, as in a trot.
    let front = leg(0.17, -0.062, swing, lift.0).min(leg(0.17, 0.062, -swing, lift.1));
    let hind = leg(-0.20, 0.062, swing, lift.0).min(leg(-0.20, -0.062, -swing, lift.1));
    front.min(hind)
}

fn body(q: Vec3) -> f64 {
    let barrel = capsule(q, vec3(-0.16, 0.0, 0.385), vec3(0.14, 0.0, 0.385), 0.118);
    let neck = twig(q, vec3(0.17, 0.0, 0.43), vec3(0.30, 0.0, 0.64), 0.085, 0.056);
    let head = twig(q, vec3(0.30, 0.0, 0.645), vec3(0.42, 0.0, 0.555), 0.056, 0.040);
    let ears = vec3(q.x, q.y.abs(), q.z);
    let ears = twig(ears, vec3(0.30, 0.030, 0.67), vec3(0.305, 0.038, 0.735), 0.022, 0.010);
    smin(smin(barrel, neck, 0.07), head, 0.03).min(ears)
}

fn mane_and_tail(q: Vec3, sway: f64) -> f64 {
    let tail = twig(q, vec3(-0.27, 0.0, 0.44), vec3(-0.36, 0.03 * sway, 0.19), 0.034, 0.044);
    let mane = capsule(q, vec3(0.12, 0.0, 0.52), vec3(0.25, 0.0, 0.70), 0.036);
    tail.min(mane).min(ball(q, vec3(0.315, 0.0, 0.70), 0.032))
}

/// The horse, with a cloth under the saddle.
pub fn horse(axes: Axes, stride: Stride, cloth: Vec3, hem: Vec3) -> Vec<Part> {
    let (coat, dark, white) = (rgb(168, 106, 62), rgb(62, 42, 34), rgb(240, 230, 210));
    let hide = move |q: Vec3| coat * (0.86 + 0.24 * noise3(q, 7.0, 2));
    let face = move |q: Vec3, _| match q {
        _ if q.x > 0.28 && q.y.abs() < 0.018 && q.z > 0.55 => white,
        _ if q.x > 0.405 => dark * 1.6,
        _ if q.x > 0.32 && q.x < 0.355 && q.z > 0.625 => dark,
        _ => hide(q),
    };
    let socks = move |q: Vec3, _| match q.z {
        z if z < 0.045 => dark,
        z if z < 0.115 => white,
        _ => hide(q),
    };
    let blanket = |q: Vec3| {
        let around = capsule(q, vec3(-0.16, 0.0, 0.385), vec3(0.14, 0.0, 0.385), 0.126).abs() - 0.010;
        around.max((q.x + 0.02).abs() - 0.115).max(0.30 - q.z)
    };
    let pattern = move |q: Vec3, _| {
        let edge = q.z < 0.335 || (q.x + 0.02).abs() > 0.092;
        if edge { hem } else { cloth }
    };
    vec![
        axes.part(sphere(0.07, 0.0, 0.42, 0.42), body, face),
        axes.part(sphere(0.0, 0.0, 0.18, 0.36), move |q| legs(q, stride), socks),
        axes.part(sphere(-0.03, 0.0, 0.42, 0.42), move |q| mane_and_tail(q, stride.swing), move |_, _| dark),
        axes.part(sphere(-0.02, 0.0, 0.40, 0.19), blanket, pattern),
    ]
}
