//! What people carry.

use super::super::field::{ball, capsule, cone, cuboid, smin};
use super::super::model::Part;
use super::super::noise::{mix, noise3};
use super::super::vector::{Vec3, norm, rgb, vec3};
use super::super::walk::sphere;
use super::body::Body;

fn wood() -> Vec3 {
    rgb(206, 162, 102)
}

/// A hay fork over the right shoulder.
pub fn hay_fork(body: Body) -> Vec<Part> {
    let (low, top) = (body.hands[0] - vec3(-0.03, 0.0, 0.07), vec3(-0.13, 0.085, 0.60));
    let tines = move |q: Vec3| {
        let tine = |y: f64| {
            let bend = top + vec3(-0.03, y, 0.04);
            capsule(q, top, bend, 0.016).min(capsule(q, bend, bend + vec3(-0.055, 0.0, 0.085), 0.015))
        };
        tine(0.055).min(tine(-0.055))
    };
    vec![
        body.part(sphere(0.0, 0.1, 0.42, 0.30), move |q| capsule(q, low, top, 0.018), |_| wood()),
        body.part(sphere(-0.18, 0.085, 0.66, 0.14), tines, |_| rgb(168, 174, 184)),
    ]
}

/// A basket of apples at the left hand.
pub fn apples(body: Body) -> Vec<Part> {
    let hand = body.hands[1];
    let basket = cone(hand.x + 0.01, hand.y - 0.02, (hand.z - 0.085, hand.z + 0.005), (0.058, 0.080));
    let heap = move |q: Vec3| {
        let apple = |x: f64, y: f64| ball(q, hand + vec3(x, y - 0.02, 0.012), 0.036);
        apple(-0.03, 0.0).min(apple(0.045, 0.02)).min(apple(0.02, -0.04))
    };
    let around = sphere(hand.x, hand.y - 0.02, hand.z - 0.03, 0.12);
    vec![body.part(around, move |q| basket.at(q), |_| rgb(190, 140, 78)), body.part(around, heap, |_| rgb(214, 62, 44))]
}

/// A basket of bread in both hands.
pub fn bread(body: Body) -> Vec<Part> {
    let basket = cone(0.145, 0.0, (0.225, 0.305), (0.065, 0.088));
    let loaves = |q: Vec3| {
        let loaf = |a: f64| capsule(q, vec3(0.125 + a, -0.045, 0.315), vec3(0.125 + a, 0.045, 0.315), 0.030);
        loaf(0.0).min(loaf(0.052))
    };
    vec![
        body.part(sphere(0.145, 0.0, 0.265, 0.11), move |q| basket.at(q), |_| rgb(160, 112, 66)),
        body.part(sphere(0.15, 0.0, 0.315, 0.11), loaves, |_| rgb(236, 184, 96)),
    ]
}

/// A spear with a pennant in the right hand.
pub fn spear(body: Body, pennant: Vec3) -> Vec<Part> {
    let hand = body.hands[0];
    let (low, top) = (vec3(hand.x + 0.01, hand.y, 0.02), vec3(hand.x - 0.015, hand.y, 0.84));
    let point = cone(top.x, top.y, (0.83, 0.96), (0.040, 0.002));
    let flag = move |q: Vec3| {
        let back = top.x - q.x;
        let wave = 0.014 * (back * 26.0 + body.stride.phase).sin();
        let half = 0.060 * (1.0 - back / 0.17);
        ((q.y - top.y - wave).abs() - 0.014).max((q.z - 0.755).abs() - half).max(-back) * 0.7
    };
    vec![
        body.part(sphere(hand.x, hand.y, 0.43, 0.45), move |q| capsule(q, low, top, 0.018), |_| wood() * 0.6),
        body.part(sphere(hand.x, hand.y, 0.89, 0.08), move |q| point.at(q), |_| rgb(228, 234, 242)),
        body.part(sphere(hand.x - 0.08, hand.y, 0.755, 0.14), flag, move |_| pennant),
    ]
}

/// A round shield on the left arm.
pub fn shield(body: Body, colour: Vec3, boss: Vec3) -> Vec<Part> {
    let middle = vec3(0.03, -0.165, 0.275);
    let from_middle = move |q: Vec3| norm(q.x - middle.x, q.z - middle.z);
    let field = move |q: Vec3| (from_middle(q) - 0.108).max((q.y - middle.y).abs() - 0.020);
    let paint = move |q: Vec3| match from_middle(q) {
        r if r > 0.086 => rgb(206, 212, 222),
        _ if q.y > middle.y => wood(),
        r if r < 0.042 => boss,
        _ => colour,
    };
    vec![body.part(sphere(middle.x, middle.y, middle.z, 0.115), field, paint)]
}

/// A staff that moves with the left foot.
pub fn staff(body: Body) -> Vec<Part> {
    let hand = body.hands[0];
    let (low, top) = (vec3(hand.x + 0.02, hand.y, 0.02), vec3(hand.x - 0.02, hand.y, 0.58));
    vec![body.part(sphere(hand.x, hand.y, 0.30, 0.32), move |q| capsule(q, low, top, 0.020), |_| wood())]
}

/// Three logs across the back.
pub fn logs(body: Body) -> Vec<Part> {
    const MIDDLES: [(f64, f64); 3] = [(-0.135, 0.265), (-0.135, 0.385), (-0.228, 0.325)];
    let from_middle = |q: Vec3| MIDDLES.iter().fold(9.0, |d: f64, &(x, z)| d.min(norm(q.x - x, q.z - z)));
    let field = move |q: Vec3| (from_middle(q) - 0.058).max(q.y.abs() - 0.165);
    let (bark, cut, rope) = (rgb(128, 88, 54), rgb(244, 208, 146), rgb(220, 194, 140));
    let paint = move |q: Vec3| match q.y.abs() {
        y if y > 0.158 && from_middle(q) < 0.045 => cut,
        y if (y - 0.075).abs() < 0.014 => rope,
        _ => bark * (0.75 + 0.5 * noise3(q, 16.0, 5)),
    };
    vec![body.part(sphere(-0.165, 0.0, 0.325, 0.23), field, paint)]
}

/// An axe in the right hand, with its head up.
pub fn axe(body: Body) -> Vec<Part> {
    let (low, top) = (body.hands[0] - vec3(0.02, 0.0, 0.06), body.hands[0] + vec3(0.07, 0.0, 0.21));
    let blade = move |q: Vec3| cuboid(q, top + vec3(0.045, 0.0, -0.01), vec3(0.055, 0.020, 0.048), 0.012);
    let middle = mix(low, top, 0.5);
    vec![
        body.part(sphere(middle.x, middle.y, middle.z, 0.20), move |q| capsule(q, low, top, 0.018), |_| wood()),
        body.part(sphere(top.x + 0.04, top.y, top.z, 0.09), blade, |_| rgb(206, 214, 224)),
    ]
}

/// A large sack on the right shoulder.
pub fn sack(body: Body) -> Vec<Part> {
    let field = |q: Vec3| {
        let full = smin(ball(q, vec3(-0.11, 0.07, 0.42), 0.115), ball(q, vec3(-0.03, 0.09, 0.46), 0.090), 0.06);
        smin(full, capsule(q, vec3(0.04, 0.105, 0.48), vec3(0.095, 0.11, 0.475), 0.032), 0.03)
    };
    let (linen, string) = (rgb(222, 200, 156), rgb(132, 92, 56));
    let paint = move |q: Vec3| {
        let tied = (q.x - 0.062).abs() < 0.012;
        if tied { string } else { linen * (0.84 + 0.28 * noise3(q, 12.0, 3)) }
    };
    vec![body.part(sphere(-0.06, 0.08, 0.44, 0.21), field, paint)]
}

/// A bag at the left hip; its strap is painted on the clothes by `strapped`.
pub fn bag(body: Body, colour: Vec3) -> Vec<Part> {
    let middle = vec3(-0.03, -0.135, 0.215);
    let paint = move |q: Vec3| if q.z > 0.225 { colour * 0.7 } else { colour };
    let field = move |q| cuboid(q, middle, vec3(0.065, 0.032, 0.055), 0.02);
    vec![body.part(sphere(middle.x, middle.y, middle.z, 0.10), field, paint)]
}

/// Clothes with a strap from the right shoulder to the left hip.
pub fn strapped(clothes: impl Fn(Vec3) -> Vec3, strap: Vec3) -> impl Fn(Vec3) -> Vec3 {
    move |q| if (q.z - 0.325 - 0.9 * q.y).abs() < 0.020 { strap } else { clothes(q) }
}

/// A hoop that rolls in front of the right hand.
pub fn hoop(body: Body) -> Vec<Part> {
    let middle = vec3(0.20, 0.15, 0.15);
    let field = move |q: Vec3| norm(norm(q.x - middle.x, q.z - middle.z) - 0.120, q.y - middle.y) - 0.021;
    vec![body.part(sphere(middle.x, middle.y, middle.z, 0.145), field, |_| wood())]
}
