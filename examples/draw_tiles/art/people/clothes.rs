//! What people wear on the head and over the shoulders.

use super::super::field::{ball, capsule, cone, smin, twig};
use super::super::model::Part;
use super::super::vector::{Vec3, norm, rgb, vec3};
use super::super::walk::sphere;
use super::body::{Body, HEAD};

pub fn straw_hat(body: Body) -> Vec<Part> {
    let brim = cone(0.01, 0.0, (HEAD + 0.040, HEAD + 0.064), (0.142, 0.130));
    let crown = cone(0.01, 0.0, (HEAD + 0.050, HEAD + 0.150), (0.082, 0.060));
    let (straw, ribbon) = (rgb(232, 196, 112), rgb(156, 72, 50));
    let paint = move |q: Vec3| {
        let on_ribbon = q.z > HEAD + 0.064 && q.z < HEAD + 0.090 && norm(q.x - 0.01, q.y) < 0.09;
        if on_ribbon { ribbon } else { straw }
    };
    vec![body.part(sphere(0.01, 0.0, HEAD + 0.03, 0.15), move |q| brim.at(q).min(crown.at(q)), paint)]
}

/// A soft cap with a band.
pub fn cap(body: Body, colour: Vec3) -> Vec<Part> {
    let band = cone(0.0, 0.0, (HEAD + 0.042, HEAD + 0.076), (0.092, 0.104));
    let top = |q: Vec3| ball(vec3(q.x, q.y, q.z * 1.4), vec3(-0.016, 0.0, (HEAD + 0.088) * 1.4), 0.094) * 0.7;
    let paint = move |q: Vec3| if q.z < HEAD + 0.064 { colour * 0.62 } else { colour };
    vec![body.part(sphere(-0.01, 0.0, HEAD + 0.07, 0.13), move |q| band.at(q).min(top(q)), paint)]
}

/// A cloth around the head that is tied at the neck.
pub fn scarf(body: Body, colour: Vec3) -> Vec<Part> {
    let field = |q: Vec3| {
        let cloth =
            smin(ball(q, vec3(-0.004, 0.0, HEAD + 0.012), 0.100), ball(q, vec3(-0.07, 0.0, HEAD - 0.08), 0.045), 0.06);
        cloth.max(q.x - 0.026 - 0.45 * (q.z - HEAD))
    };
    vec![body.part(sphere(-0.02, 0.0, HEAD - 0.02, 0.14), field, move |_| colour)]
}

/// A hood with a point behind; it covers the shoulders.
pub fn hood(body: Body, colour: Vec3) -> Vec<Part> {
    let field = |q: Vec3| {
        let head = smin(
            ball(q, vec3(-0.006, 0.0, HEAD + 0.010), 0.102),
            ball(q, vec3(-0.085, 0.0, HEAD - 0.005), 0.040),
            0.06,
        );
        let open = head.max(q.x - 0.036 - 0.40 * (q.z - HEAD));
        let cape = cone(0.0, 0.0, (0.335, 0.415), (0.108, 0.062)).at(q);
        smin(open, cape, 0.02)
    };
    vec![body.part(sphere(-0.02, 0.0, HEAD - 0.02, 0.17), field, move |_| colour)]
}

/// A hat with a wide brim and a long white feather.
pub fn feathered_hat(body: Body, colour: Vec3) -> Vec<Part> {
    let brim = cone(0.0, 0.0, (HEAD + 0.052, HEAD + 0.076), (0.122, 0.114));
    let crown = cone(0.0, 0.0, (HEAD + 0.064, HEAD + 0.138), (0.090, 0.070));
    let paint = move |q: Vec3| if q.z < HEAD + 0.078 { colour * 0.75 } else { colour };
    let feather = |q: Vec3| {
        let (root, middle) = (vec3(0.03, -0.085, HEAD + 0.07), vec3(-0.06, -0.095, HEAD + 0.185));
        twig(q, root, middle, 0.016, 0.030).min(twig(q, middle, vec3(-0.165, -0.085, HEAD + 0.20), 0.030, 0.014))
    };
    vec![
        body.part(sphere(0.0, 0.0, HEAD + 0.05, 0.14), move |q| brim.at(q).min(crown.at(q)), paint),
        body.part(sphere(-0.06, -0.09, HEAD + 0.14, 0.15), feather, |_| rgb(250, 244, 230)),
    ]
}

/// A helmet with a rim and a knob.
pub fn helmet(body: Body) -> Vec<Part> {
    let rim = cone(0.006, 0.0, (HEAD + 0.026, HEAD + 0.050), (0.116, 0.104));
    let field = move |q: Vec3| {
        let dome = ball(q, vec3(0.006, 0.0, HEAD + 0.014), 0.104).max(HEAD + 0.022 - q.z);
        let knob = capsule(q, vec3(0.0, 0.0, HEAD + 0.10), vec3(0.0, 0.0, HEAD + 0.14), 0.016);
        dome.min(knob).min(rim.at(q))
    };
    vec![body.part(sphere(0.006, 0.0, HEAD + 0.04, 0.13), field, |_| rgb(186, 194, 206))]
}

/// The rolled hood of a monk around the neck.
pub fn cowl(body: Body, colour: Vec3) -> Vec<Part> {
    let field = |q: Vec3| {
        let ring = norm(norm(q.x + 0.012, q.y) - 0.070, q.z - 0.378) - 0.032;
        smin(ring, ball(q, vec3(-0.095, 0.0, 0.36), 0.055), 0.04)
    };
    vec![body.part(sphere(-0.03, 0.0, 0.38, 0.14), field, move |_| colour)]
}

/// A cape that hangs from the shoulders and swings with the strides.
pub fn cape(body: Body, colour: Vec3, lining: Vec3) -> Vec<Part> {
    let field = move |q: Vec3| {
        let low = ((0.40 - q.z) / 0.32).clamp(0.0, 1.0);
        let a = q.x + 0.05 * low * (1.0 + body.stride.swing.abs());
        let r = 0.082 + 0.062 * low + 0.008 * (6.0 * q.y.atan2(a) + body.stride.phase).sin() * low;
        let shell = (norm(a, q.y) - r).abs() - 0.014;
        shell.max(q.x - 0.01 + 0.10 * low).max(0.085 - q.z).max(q.z - 0.40) * 0.75
    };
    let paint = move |q: Vec3| {
        if q.z < 0.115 { lining } else { colour }
    };
    vec![body.part(sphere(-0.05, 0.0, 0.25, 0.21), field, paint)]
}
