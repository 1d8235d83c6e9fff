//! How each kind of people looks.

use super::super::field::twig;
use super::super::model::Part;
use super::super::vector::{Vec3, rgb, vec3};
use super::super::walk::{Axes, Stride, sphere};
use super::body::{Body, SKIN, bearded, belted, face, trimmed};
use super::cart::cart;
use super::clothes::{cap, cape, cowl, feathered_hat, helmet, hood, scarf, straw_hat};
use super::gear::{apples, axe, bag, bread, hay_fork, hoop, logs, sack, shield, spear, staff, strapped};
use super::horse::horse;
use std::f64::consts::TAU;

/// The player's traveller has 1.18 and stays the largest.
const SCALE: f64 = 1.02;

fn adult(direction: usize, stride: Stride) -> Body {
    Body::new(Axes::new(direction, SCALE), stride)
}

fn leather() -> Vec3 {
    rgb(104, 70, 44)
}

fn gold() -> Vec3 {
    rgb(236, 188, 88)
}

fn brown_hair() -> Vec3 {
    rgb(100, 64, 40)
}

pub fn peasant(direction: usize, stride: Stride) -> Vec<Part> {
    let body = adult(direction, stride).right_hand(0.10, 0.125, 0.27);
    let blue = rgb(104, 142, 178);
    let mut parts = vec![
        body.legs(rgb(122, 90, 62)),
        body.trunk(belted(blue, leather())),
        body.arms(blue),
        body.skull(face(brown_hair())),
        straw_hat(body),
    ];
    parts.extend(hay_fork(body));
    parts
}

pub fn farm_woman(direction: usize, stride: Stride) -> Vec<Part> {
    let body = adult(direction, stride).robed().left_hand(0.05, -0.145, 0.24);
    let (teal, white) = (rgb(54, 134, 130), rgb(240, 232, 214));
    let dress = move |q: Vec3| {
        let apron = q.x > 0.02 && q.y.abs() < 0.072 && q.z < 0.27;
        if apron { white } else { belted(teal, white)(q) }
    };
    let mut parts = vec![
        body.legs(leather()),
        body.trunk(dress),
        body.arms(teal),
        body.skull(face(brown_hair())),
        scarf(body, white),
    ];
    parts.extend(apples(body));
    parts
}

pub fn townsman(direction: usize, stride: Stride) -> Vec<Part> {
    let body = adult(direction, stride);
    let rust = rgb(180, 92, 50);
    vec![
        body.legs(rgb(84, 78, 84)),
        body.trunk(strapped(belted(rust, rgb(62, 42, 34)), gold() * 0.8)),
        body.arms(rust),
        body.skull(bearded(brown_hair())),
        cap(body, rgb(62, 82, 142)),
        bag(body, rgb(206, 160, 92)),
    ]
}

pub fn townswoman(direction: usize, stride: Stride) -> Vec<Part> {
    let body = adult(direction, stride).robed().right_hand(0.13, 0.085, 0.25).left_hand(0.13, -0.085, 0.25);
    let violet = rgb(122, 82, 162);
    let mut parts = vec![
        body.legs(leather()),
        body.trunk(belted(violet, gold())),
        body.arms(violet),
        body.skull(face(rgb(150, 96, 52))),
        hood(body, rgb(134, 178, 212)),
    ];
    parts.extend(bread(body));
    parts
}

pub fn merchant(direction: usize, stride: Stride) -> Vec<Part> {
    let mut body = adult(direction, stride).right_hand(-0.03, 0.130, 0.215).left_hand(-0.03, -0.130, 0.215);
    body.axes.shift.x = -0.34;
    let plum = rgb(132, 66, 116);
    let mut parts = vec![
        body.legs(rgb(92, 70, 56)),
        body.trunk(trimmed(plum, leather(), gold(), body.hem)),
        body.arms(plum),
        body.skull(bearded(brown_hair())),
        cap(body, rgb(214, 116, 54)),
    ];
    let axes = Axes { shift: vec3(0.20, 0.0, 0.0), ..body.axes };
    // Each loop turns the wheels from one spoke to the next.
    parts.extend(cart(axes, stride.phase / TAU / 4.0));
    parts
}

pub fn guard(direction: usize, stride: Stride) -> Vec<Part> {
    let mut body = adult(direction, stride).right_hand(0.07, 0.170, 0.30).left_hand(0.04, -0.130, 0.26);
    body.axes.scale = 1.08;
    let blue = rgb(62, 92, 184);
    let mut parts = vec![
        body.legs(rgb(112, 118, 132)),
        body.trunk(trimmed(blue, leather(), gold(), body.hem)),
        body.arms(rgb(128, 136, 150)),
        body.skull(face(brown_hair())),
        helmet(body),
        shield(body, blue, gold()),
    ];
    parts.extend(spear(body, rgb(70, 108, 214)));
    parts
}

pub fn rider(direction: usize, stride: Stride) -> Vec<Part> {
    let mut body = adult(direction, stride).right_hand(0.14, 0.05, 0.26).left_hand(0.14, -0.05, 0.26);
    body.axes.shift = vec3(0.02, 0.0, -0.30);
    let (green, navy) = (rgb(70, 120, 74), rgb(56, 74, 136));
    let thighs = |q: Vec3| {
        let q = vec3(q.x, q.y.abs(), q.z);
        let knee = vec3(0.085, 0.150, 0.135);
        twig(q, vec3(-0.01, 0.06, 0.19), knee, 0.050, 0.042).min(twig(q, knee, vec3(0.03, 0.150, 0.0), 0.038, 0.034))
    };
    let boots = |q: Vec3| if q.z < 0.09 { rgb(70, 48, 36) } else { rgb(206, 188, 150) };
    let mut parts = vec![
        body.part(sphere(0.03, 0.0, 0.10, 0.24), thighs, boots),
        body.trunk(belted(green, leather())),
        body.arms(green),
        body.skull(face(brown_hair())),
        cape(body, navy, gold()),
    ];
    parts.extend(feathered_hat(body, navy));
    parts.extend(horse(Axes::new(direction, 1.0), stride, navy, gold()));
    parts
}

pub fn monk(direction: usize, stride: Stride) -> Vec<Part> {
    let body = adult(direction, stride).robed();
    let body = body.right_hand(0.07 + 0.05 * body.stride.swing, 0.165, 0.30);
    let (brown, hair) = (rgb(136, 96, 66), rgb(86, 56, 38));
    let rope = move |q: Vec3| {
        let end = q.x > 0.03 && (q.y + 0.035).abs() < 0.016 && q.z < 0.26 && q.z > 0.13;
        if end { rgb(232, 214, 170) } else { belted(brown, rgb(232, 214, 170))(q) }
    };
    let tonsure = move |at: Vec3| match at.z {
        z if z > 0.70 => SKIN,
        z if z > 0.40 => hair,
        _ => face(hair)(at),
    };
    vec![
        body.legs(leather()),
        body.trunk(rope),
        body.arms(brown),
        body.skull(tonsure),
        cowl(body, brown * 0.8),
        staff(body),
    ]
}

pub fn child(direction: usize, stride: Stride) -> Vec<Part> {
    let mut body = adult(direction, stride);
    body.axes.scale = 0.70;
    body.head = 0.120;
    let lemon = rgb(232, 200, 98);
    vec![
        body.legs(rgb(150, 82, 56)),
        body.trunk(belted(lemon, rgb(176, 92, 52))),
        body.arms(lemon),
        body.skull(face(rgb(164, 98, 46))),
        hoop(body),
    ]
}

pub fn noble(direction: usize, stride: Stride) -> Vec<Part> {
    let mut body = adult(direction, stride);
    body.hem = 0.13;
    let (teal, violet) = (rgb(44, 140, 142), rgb(112, 66, 156));
    let mut parts = vec![
        body.legs(rgb(236, 226, 206)),
        body.trunk(trimmed(teal, gold(), gold(), body.hem)),
        body.arms(teal),
        body.skull(bearded(rgb(84, 54, 38))),
        cape(body, violet, gold()),
    ];
    parts.extend(feathered_hat(body, violet));
    parts
}

pub fn woodcutter(direction: usize, stride: Stride) -> Vec<Part> {
    let body = adult(direction, stride).right_hand(0.11, 0.135, 0.26);
    let green = rgb(66, 112, 66);
    let mut parts = vec![
        body.legs(rgb(110, 82, 58)),
        body.trunk(belted(green, leather())),
        body.arms(green),
        body.skull(bearded(rgb(142, 78, 42))),
        hood(body, rgb(94, 142, 78)),
        logs(body),
    ];
    parts.extend(axe(body));
    parts
}

pub fn porter(direction: usize, stride: Stride) -> Vec<Part> {
    let body = adult(direction, stride).right_hand(0.085, 0.115, 0.45);
    let slate = rgb(104, 118, 140);
    vec![
        body.legs(rgb(96, 86, 92)),
        body.trunk(belted(slate, leather())),
        body.arms(slate),
        body.skull(face(brown_hair())),
        cap(body, rgb(206, 98, 60)),
        sack(body),
    ]
}
