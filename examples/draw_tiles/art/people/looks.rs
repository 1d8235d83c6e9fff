//! How each kind of people looks.

use super::super::field::twig;
use super::super::model::Part;
use super::super::vector::{Vec3, rgb, vec3};
use super::super::walk::{Axes, Stride, sphere};
use super::body::{Body, bearded, belted, face, skin, trimmed};
use super::cart::cart;
use super::clothes::{cap, cape, cowl, feathered_hat, helmet, hood, scarf, straw_hat};
use super::gear::{apples, axe, bag, bread, hay_fork, hoop, logs, sack, shield, spear, staff, strapped};
use super::horse::horse;
use std::f64::consts::TAU;

/// The parts of somebody, in groups.
pub type Parts = Vec<Vec<Part>>;

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

fn hair() -> Vec3 {
    rgb(100, 64, 40)
}

pub fn peasant(outfit: usize, direction: usize, stride: Stride) -> Parts {
    let body = adult(direction, stride).right_hand(0.10, 0.125, 0.27);
    let shirt = [rgb(104, 142, 178), rgb(176, 148, 88)][outfit];
    let dressed = body.dressed(rgb(122, 90, 62), belted(shirt, leather()), shirt, face(hair()));
    vec![dressed, straw_hat(body), hay_fork(body)]
}

pub fn farm_woman(outfit: usize, direction: usize, stride: Stride) -> Parts {
    let body = adult(direction, stride).robed().left_hand(0.05, -0.145, 0.24);
    let (gown, white) = ([rgb(54, 134, 130), rgb(172, 74, 62)][outfit], rgb(240, 232, 214));
    let dress = belted(gown, white);
    let apron = move |q: Vec3| if q.x > 0.02 && q.y.abs() < 0.072 && q.z < 0.27 { white } else { dress(q) };
    vec![body.dressed(leather(), apron, gown, face(hair())), scarf(body, white), apples(body)]
}

pub fn townsman(outfit: usize, direction: usize, stride: Stride) -> Parts {
    let body = adult(direction, stride);
    let (cloth, hat) = [(rgb(180, 92, 50), rgb(62, 82, 142)), (rgb(72, 104, 84), rgb(164, 64, 52))][outfit];
    let coat = strapped(belted(cloth, leather() * 0.5), gold() * 0.8);
    let dressed = body.dressed(rgb(84, 78, 84), coat, cloth, bearded(hair()));
    vec![dressed, cap(body, hat), bag(body, rgb(206, 160, 92))]
}

pub fn townswoman(outfit: usize, direction: usize, stride: Stride) -> Parts {
    let body = adult(direction, stride).robed().right_hand(0.13, 0.085, 0.25).left_hand(0.13, -0.085, 0.25);
    let (gown, cloth) = [(rgb(122, 82, 162), rgb(134, 178, 212)), (rgb(190, 138, 58), rgb(226, 206, 172))][outfit];
    let dressed = body.dressed(leather(), belted(gown, gold()), gown, face(rgb(150, 96, 52)));
    vec![dressed, hood(body, cloth), bread(body)]
}

pub fn merchant(outfit: usize, direction: usize, stride: Stride) -> Parts {
    let mut body = adult(direction, stride).right_hand(-0.03, 0.130, 0.215).left_hand(-0.03, -0.130, 0.215);
    body.axes.shift.x = -0.34;
    let (cloth, hat) = [(rgb(132, 66, 116), rgb(214, 116, 54)), (rgb(58, 98, 122), rgb(206, 172, 96))][outfit];
    let coat = trimmed(cloth, leather(), gold(), body.hem);
    let dressed = body.dressed(rgb(92, 70, 56), coat, cloth, bearded(hair()));
    let behind = Axes { shift: vec3(0.20, 0.0, 0.0), ..body.axes };
    // Each loop turns the wheels from one spoke to the next.
    vec![dressed, cap(body, hat), cart(behind, stride.phase / TAU / 4.0)]
}

pub fn guard(_outfit: usize, direction: usize, stride: Stride) -> Parts {
    let mut body = adult(direction, stride).right_hand(0.00, 0.195, 0.30).left_hand(0.04, -0.130, 0.26);
    body.axes.scale = 1.08;
    let blue = rgb(62, 92, 184);
    let tabard = trimmed(blue, leather(), gold(), body.hem);
    let dressed = body.dressed(rgb(112, 118, 132), tabard, rgb(128, 136, 150), face(hair()));
    vec![dressed, helmet(body), shield(body, blue, gold()), spear(body, rgb(70, 108, 214))]
}

pub fn rider(outfit: usize, direction: usize, stride: Stride) -> Parts {
    let mut body = adult(direction, stride).right_hand(0.14, 0.05, 0.26).left_hand(0.14, -0.05, 0.26);
    body.axes.shift = vec3(0.02, 0.0, -0.30);
    let (coat, cloak) = [(rgb(70, 120, 74), rgb(56, 74, 136)), (rgb(188, 156, 104), rgb(132, 44, 58))][outfit];
    let astride = |q: Vec3| {
        let q = vec3(q.x, q.y.abs(), q.z);
        let knee = vec3(0.085, 0.150, 0.135);
        twig(q, vec3(-0.01, 0.06, 0.19), knee, 0.050, 0.042).min(twig(q, knee, vec3(0.03, 0.150, 0.0), 0.038, 0.034))
    };
    let boots = |q: Vec3| if q.z < 0.09 { rgb(70, 48, 36) } else { rgb(206, 188, 150) };
    let dressed = vec![
        body.part(sphere(0.03, 0.0, 0.10, 0.24), astride, boots),
        body.trunk(belted(coat, leather())),
        body.arms(coat),
        body.skull(face(hair())),
    ];
    let horse = horse(Axes::new(direction, 1.0), stride, cloak, gold());
    vec![dressed, cape(body, cloak, gold()), feathered_hat(body, cloak), horse]
}

pub fn monk(_outfit: usize, direction: usize, stride: Stride) -> Parts {
    let body = adult(direction, stride).robed();
    let body = body.right_hand(0.02 + 0.06 * body.stride.swing, 0.185, 0.30);
    let (brown, rope, hair) = (rgb(136, 96, 66), rgb(232, 214, 170), rgb(86, 56, 38));
    let robe = belted(brown, rope);
    let robe = move |q: Vec3| {
        let end_of_rope = q.x > 0.03 && (q.y + 0.035).abs() < 0.016 && q.z < 0.26 && q.z > 0.13;
        if end_of_rope { rope } else { robe(q) }
    };
    let tonsure = move |at: Vec3| match at.z {
        z if z > 0.70 => skin(),
        z if z > 0.40 => hair,
        _ => face(hair)(at),
    };
    vec![body.dressed(leather(), robe, brown, tonsure), cowl(body, brown * 0.8), staff(body)]
}

pub fn child(outfit: usize, direction: usize, stride: Stride) -> Parts {
    let mut body = adult(direction, stride);
    body.axes.scale = 0.70;
    body.head = 0.120;
    let shirt = [rgb(222, 122, 128), rgb(126, 168, 108)][outfit];
    let dressed = body.dressed(rgb(112, 104, 120), belted(shirt, leather()), shirt, face(rgb(176, 108, 50)));
    vec![dressed, hoop(body)]
}

pub fn noble(_outfit: usize, direction: usize, stride: Stride) -> Parts {
    let body = Body { hem: 0.13, ..adult(direction, stride) };
    let (teal, violet) = (rgb(44, 140, 142), rgb(112, 66, 156));
    let doublet = trimmed(teal, gold(), gold(), body.hem);
    let dressed = body.dressed(rgb(236, 226, 206), doublet, teal, bearded(rgb(84, 54, 38)));
    vec![dressed, cape(body, violet, gold()), feathered_hat(body, violet)]
}

pub fn woodcutter(_outfit: usize, direction: usize, stride: Stride) -> Parts {
    let body = adult(direction, stride).right_hand(0.13, 0.130, 0.24);
    let green = rgb(66, 112, 66);
    let dressed = body.dressed(rgb(110, 82, 58), belted(green, leather()), green, bearded(rgb(142, 78, 42)));
    vec![dressed, hood(body, rgb(94, 142, 78)), logs(body), axe(body)]
}

pub fn porter(outfit: usize, direction: usize, stride: Stride) -> Parts {
    let body = adult(direction, stride).right_hand(0.085, 0.115, 0.45);
    let (shirt, hat) = [(rgb(104, 118, 140), rgb(206, 98, 60)), (rgb(150, 112, 78), rgb(84, 116, 92))][outfit];
    let dressed = body.dressed(rgb(96, 86, 92), belted(shirt, leather()), shirt, face(hair()));
    vec![dressed, cap(body, hat), sack(body)]
}
