//! The graveyard: crooked stones, an iron fence, a bare dead tree, and pale ground where nothing grows.

use super::field::{ball, cuboid, twig};
use super::model::{Model, Part};
use super::noise::{RandomSequence, mix, noise3, step};
use super::render::Shot;
use super::vector::{Vec3, norm, rgb, vec3};
use super::{Job, standing};

/// A headstone: its position, half width, height, and how far it leans to the side and back.
#[derive(Clone, Copy)]
struct Headstone {
    x: f64,
    y: f64,
    half: f64,
    tall: f64,
    lean: f64,
    back: f64,
}

impl Headstone {
    /// The point in upright local coordinates.
    fn local(&self, p: Vec3) -> Vec3 {
        vec3(p.x - self.x - self.lean * p.z, p.y - self.y + self.back * p.z, p.z)
    }

    fn part(self, carved: bool) -> Part {
        let Headstone { x, y, half, tall, .. } = self;
        let body = tall - half;
        let field = move |p: Vec3| {
            let q = self.local(p);
            let slab = cuboid(q, vec3(0.0, 0.0, body / 2.0 - 0.05), vec3(half, 0.045, body / 2.0 + 0.05), 0.012);
            let round = (norm(q.x, q.z - body) - half).max(q.y.abs() - 0.045);
            // One corner is broken off.
            let bite = ball(q, vec3(half * 0.9, 0.0, tall - half * 0.2), half * 0.42);
            slab.min(round).max(-bite) * 0.9
        };
        let paint = move |p: Vec3, n: Vec3| {
            let q = self.local(p);
            let c = rgb(164, 172, 176) * (0.74 + 0.42 * noise3(p, 16.0, 4));
            let upright = q.x.abs() < 0.028 && (q.z - body + 0.03).abs() < 0.13;
            let arm = q.x.abs() < 0.08 && (q.z - body - 0.01).abs() < 0.028;
            if carved && n.y > 0.5 && (upright || arm) {
                return c * 0.14;
            }
            let moss = step(0.46, 0.70, noise3(p, 8.0, 12)) * step(tall * 0.8, 0.02, p.z);
            mix(c, rgb(80, 98, 66), moss * 0.9)
        };
        Part::new(field, paint).within(x, y, half + tall * 0.35 + 0.05, tall + 0.03)
    }
}

/// A dead tree: a crooked trunk with forked branches and no leaves.
fn dead_tree(x: f64, y: f64) -> Part {
    let mut limbs: Vec<(Vec3, Vec3, f64, f64)> = Vec::new();
    let spine = [
        vec3(x, y, -0.05),
        vec3(x + 0.03, y + 0.02, 0.28),
        vec3(x - 0.03, y - 0.01, 0.52),
        vec3(x + 0.02, y - 0.03, 0.74),
        vec3(x - 0.05, y - 0.05, 0.95),
    ];
    let thick = [0.052, 0.040, 0.030, 0.021, 0.008];
    for k in 0..4 {
        limbs.push((spine[k], spine[k + 1], thick[k], thick[k + 1]));
    }
    let mut random = RandomSequence::new(612);
    for (k, &(from, bearing, long)) in
        [(1, 2.4, 0.26), (2, -0.7, 0.32), (2, 2.0, 0.22), (3, 2.9, 0.26), (3, -0.2, 0.22)].iter().enumerate()
    {
        let a: f64 = bearing;
        let elbow = spine[from] + vec3(a.cos() * long * 0.6, a.sin() * long * 0.6, 0.06 + 0.03 * k as f64);
        let tip = elbow + vec3(a.cos() * long * 0.35, a.sin() * long * 0.35, 0.15);
        limbs.push((spine[from], elbow, 0.020, 0.014));
        limbs.push((elbow, tip, 0.014, 0.006));
        let side = vec3(random.unit() - 0.5, random.unit() - 0.5, 0.35 * random.unit());
        limbs.push((elbow, elbow + side.unit() * (long * 0.45), 0.012, 0.006));
    }
    let field = move |p: Vec3| limbs.iter().fold(9.0, |d: f64, &(a, b, ra, rb)| d.min(twig(p, a, b, ra, rb)));
    let paint = |p: Vec3, _: Vec3| mix(rgb(70, 58, 58), rgb(118, 102, 96), noise3(p, 22.0, 8));
    Part::new(field, paint).within(x, y, 0.45, 1.0)
}

/// An iron fence with spear heads along the two sides at the back; some bars are bent.
fn fence() -> Part {
    const Z: f64 = 0.25;
    let field = |p: Vec3| {
        let mut d = 9.0f64;
        for (along, across, to) in [(p.x, p.y + 0.43, 0.43), (p.y, p.x - 0.43, 0.40)] {
            let k = (along / 0.105).round();
            let bent = 0.05 * (k * 2.7).sin() * p.z;
            let bar = norm(along - k * 0.105 - bent, across - bent * 0.5) - 0.012;
            let bars = bar.max(p.z - Z - 0.03 * (k * 1.9).sin()).max(-0.05 - p.z);
            let rail = norm((p.z - 0.19).abs().min((p.z - 0.07).abs()), across) - 0.012;
            d = d.min(bars.min(rail).max(along.abs() - to));
        }
        d
    };
    Part::plain(field, rgb(58, 58, 66)).within(0.0, 0.0, 0.66, 0.32)
}

fn model() -> Model {
    let great = Headstone { x: 0.02, y: -0.06, half: 0.135, tall: 0.48, lean: -0.14, back: 0.10 };
    let small = Headstone { x: -0.29, y: 0.04, half: 0.085, tall: 0.30, lean: 0.34, back: 0.0 };
    let third = Headstone { x: 0.30, y: 0.16, half: 0.08, tall: 0.26, lean: 0.22, back: 0.22 };
    let mound = |p: Vec3| {
        let q = vec3(p.x / 0.17, (p.y - 0.20) / 0.24, p.z / 0.075);
        (q.length() - 1.0) * 0.065 + 0.012 * (noise3(p, 24.0, 3) - 0.5)
    };
    let earth = |p: Vec3, _: Vec3| mix(rgb(62, 56, 48), rgb(92, 82, 68), noise3(p, 28.0, 5));
    let barren = |p: Vec3| {
        let rim = norm(p.x, p.y) - 0.36 - 0.20 * (noise3(vec3(p.x, p.y, 0.0), 9.0, 21) - 0.5);
        (p.z - 0.004).max(rim * 0.6)
    };
    let pale = |p: Vec3, _: Vec3| mix(rgb(98, 102, 88), rgb(150, 156, 148), noise3(p, 11.0, 27));
    Model::new(vec![
        great.part(true),
        small.part(false),
        third.part(false),
        dead_tree(0.27, -0.24),
        fence(),
        Part::new(mound, earth).within(0.0, 0.20, 0.28, 0.1),
        Part::new(barren, pale).within(0.0, 0.0, 0.5, 0.01),
    ])
}

pub fn jobs() -> Vec<Job> {
    vec![standing("L2_Tombstone01".to_owned(), Shot::sized(72, 62, 1.05), model)]
}
