//! Masonry: cut stone, merlons, and round towers.

use super::field::cone;
use super::model::Part;
use super::noise::{hash, mix, noise3, part, step, turn};
use super::vector::{Vec3, norm, rgb, vec3};
use std::f64::consts::{PI, TAU};

/// The pattern of the stones of a wall.
#[derive(Clone, Copy)]
pub struct Cut {
    pub base: Vec3,
    /// The height of a course, and the width of a block.
    pub row: f64,
    pub wide: f64,
    /// How much the blocks differ in tone, and how dark the mortar is.
    pub spread: f64,
    pub mortar: f64,
    /// For a round tower: its axis, and the radius at which the width of blocks is measured.
    pub round: Option<(f64, f64, f64)>,
}

impl Cut {
    pub fn rough(base: Vec3) -> Cut {
        Cut { base, row: 0.085, wide: 0.17, spread: 0.30, mortar: 0.62, round: None }
    }

    pub fn fine(base: Vec3) -> Cut {
        Cut { base, row: 0.07, wide: 0.13, spread: 0.22, mortar: 0.74, round: None }
    }

    /// The colour of a point on the face with this normal.
    pub fn at(&self, p: Vec3, n: Vec3) -> Vec3 {
        let top = n.z.abs() > 0.75;
        let along = match self.round {
            Some((x, y, r)) => (p.y - y).atan2(p.x - x) * r,
            None if n.x.abs() > n.y.abs() => p.y,
            None => p.x,
        };
        let v = if top { p.y / 0.125 } else { p.z / self.row + 0.02 };
        let course = v.floor();
        let u = if top { p.x / 0.125 } else { along / self.wide + 0.5 * course.rem_euclid(2.0) + 50.0 };
        let block = u.floor();
        let (b, r) = (block as i64, course as i64);
        let joint = if v - course < 0.16 || u - block < 0.10 { self.mortar } else { 1.0 };
        let tone = 1.0 + self.spread * (hash(&[b, r, if top { 3 } else { 0 }]) - 0.5);
        let tone = tone * joint * (0.94 + 0.12 * noise3(p, 26.0, 5));
        let c = mix(self.base, self.base * vec3(1.08, 0.98, 0.84), hash(&[b, r, 77])) * tone;
        let moss = step(0.62, 0.8, noise3(p, 7.0, 9)) * step(0.16, 0.02, p.z) * 0.7;
        mix(c, rgb(86, 96, 58), moss)
    }
}

/// A row of merlons: their positions along the wall, height and thickness.
#[derive(Clone, Copy)]
pub struct Merlons {
    /// Half the thickness of the wall.
    pub half: f64,
    pub z0: f64,
    pub z1: f64,
    pub period: f64,
    pub thick: f64,
    pub gap: f64,
}

impl Merlons {
    pub fn at(&self, p: Vec3, along: f64, across: f64) -> f64 {
        let period = self.period;
        let a = ((along + period / 2.0).rem_euclid(period) - period / 2.0).abs() - (period - self.gap) / 2.0;
        let wall = ((across.abs() - self.half + self.thick).abs() - self.thick).max(a);
        wall.max(self.z0 - p.z).max(p.z - self.z1)
    }
}

/// A round tower with a flared, crenellated crown.
#[derive(Clone, Copy)]
pub struct Tower {
    pub x: f64,
    pub y: f64,
    pub r: f64,
    pub z: f64,
    pub flare: f64,
    /// The number of merlons around the crown.
    pub merlons: f64,
}

impl Tower {
    fn distance(&self, p: Vec3) -> f64 {
        let Tower { x, y, r, z, flare, merlons } = *self;
        let crown = r + flare;
        let body = cone(x, y, (-0.1, z), (r * 1.06, r)).at(p);
        let d = body.min(cone(x, y, (z - 0.10, z), (r + flare * 0.2, crown)).at(p));
        let rho = norm(p.x - x, p.y - y);
        let ring = cone(x, y, (z - 0.02, z + 0.085), (crown, crown)).at(p).max(crown - 0.055 - rho);
        let a = (p.y - y).atan2(p.x - x) / TAU * merlons;
        let gap = (0.22 - (a - a.round()).abs()) / merlons * TAU * r;
        d.min(if p.z > z + 0.02 { ring.max(gap) } else { ring })
    }

    pub fn part(self, base: Vec3, row: f64) -> Part {
        let Tower { x, y, r, z, flare, .. } = self;
        let cut = Cut { row, round: Some((x, y, r)), wide: 0.14, ..Cut::rough(base) };
        let paint = move |p: Vec3, n: Vec3| {
            let floor = norm(p.x - x, p.y - y) < r + flare - 0.05 && p.z > z - 0.03;
            // Arrow slits on the two visible sides.
            let angle = (p.y - y).atan2(p.x - x);
            let slit = [0.5, 1.0].iter().any(|a| turn(angle, a * PI) * r < 0.018);
            if slit && (p.z - z * 0.52 - 0.065).abs() < 0.065 {
                return rgb(40, 36, 40);
            }
            cut.at(p, n) * if floor { 0.6 } else { 1.0 }
        };
        Part::new(move |p| self.distance(p), paint).within(x, y, r.max(r * 1.06 - flare) + flare, z + 0.09)
    }
}

/// A pointed shingle roof with a golden tip.
pub fn cone_roof(x: f64, y: f64, (z0, z1): (f64, f64), r: f64, colour: Vec3) -> Part {
    const ROW: f64 = 0.042;
    let gilt = rgb(226, 186, 92);
    let paint = move |p: Vec3, _: Vec3| {
        let v = (p.z - z0) / ROW;
        let row = v.floor();
        let a = (p.y - y).atan2(p.x - x) * 2.2 + 0.5 * row.rem_euclid(2.0);
        let eave = if part(v) < 0.22 { 0.22 } else { 0.0 };
        let tone = 1.0 + 0.30 * (hash(&[row as i64, (a * 2.0).floor() as i64, 5]) - 0.5) - eave;
        if p.z > z1 - 0.005 { gilt } else { colour * tone }
    };
    let field = move |p: Vec3| {
        let tip = super::field::capsule(p, vec3(x, y, z1 - 0.02), vec3(x, y, z1 + 0.035), 0.011);
        cone(x, y, (z0, z1), (r, 0.002)).at(p).min(tip)
    };
    Part::new(field, paint).within(x, y, r, z1 + 0.05)
}
