//! Roofs with a ridge from west to east, of tiles or thatch, and chimneys with smoke.

use super::field::{ball, cuboid};
use super::model::{Part, Surface};
use super::noise::{hash, mix, noise3, part, step};
use super::vector::{Vec3, norm, rgb, vec3};
use std::f64::consts::PI;

/// The number of animation frames of smoke.
pub const FRAMES: usize = 4;

#[derive(Clone, Copy)]
pub enum Cover {
    Tiles(Vec3),
    Thatch,
}

/// A roof over (x, 0): half its length and width, and the heights of its eaves and its ridge.
#[derive(Clone, Copy)]
pub struct Roof {
    pub x: f64,
    pub long: f64,
    pub wide: f64,
    pub eave: f64,
    pub ridge: f64,
    pub cover: Cover,
}

impl Roof {
    fn pitch(&self) -> f64 {
        (self.ridge - self.eave) / self.wide
    }

    /// The distance from the upper surface, which sags a little between the gables.
    pub fn above(&self, p: Vec3) -> f64 {
        let pitch = self.pitch();
        let sag = 0.014 * ((p.x - self.x) / self.long * 1.5).cos();
        (p.z - self.ridge + p.y.abs() * pitch + sag) / norm(1.0, pitch)
    }

    fn distance(&self, p: Vec3) -> f64 {
        let thick = if matches!(self.cover, Cover::Thatch) { 0.095 } else { 0.055 };
        let slab = self.above(p).max(-self.above(p) - thick);
        slab.max((p.x - self.x).abs() - self.long).max(p.y.abs() - self.wide) * 0.92
    }

    fn colour(&self, p: Vec3) -> Vec3 {
        let u = p.x - self.x;
        let down = p.y.abs() * norm(1.0, self.pitch());
        match self.cover {
            Cover::Tiles(colour) => {
                let row = (down / 0.062).floor();
                let column = (u / 0.052 + 0.5 * row.rem_euclid(2.0) + 40.0).floor();
                let tone = 0.80 + 0.34 * hash(&[column as i64, row as i64, 5]);
                let joint = if part(down / 0.062) > 0.78 { 0.70 } else { 1.0 };
                let capped = if p.y.abs() < 0.035 { 1.2 } else { 1.0 };
                colour * (tone * joint * capped * (0.92 + 0.16 * noise3(p, 5.0, 6)))
            }
            Cover::Thatch => {
                let straw = noise3(vec3(u * 3.0, p.y * 0.5, p.z * 0.5), 16.0, 4);
                let tone = 0.62 + 0.32 * straw + 0.34 * noise3(vec3(u * 3.0, p.y, p.z), 9.0, 5);
                let band = if p.y.abs() > 0.05 && part(down / 0.17) > 0.90 { 0.82 } else { 1.0 };
                let moss = step(0.62, 0.85, noise3(p, 6.0, 7)) * 0.5;
                mix(rgb(196, 162, 96) * (tone * band), rgb(116, 122, 66), moss)
            }
        }
    }

    pub fn part(self) -> Part {
        let reach = norm(self.long, self.wide);
        Part::new(move |p| self.distance(p), move |p, _| self.colour(p)).within(self.x, 0.0, reach, self.ridge + 0.01)
    }
}

/// A chimney of bricks at (x, y) from `z0` to `z1`.
pub fn chimney(x: f64, y: f64, z0: f64, z1: f64) -> Part {
    let field = move |p: Vec3| {
        let shaft = cuboid(p, vec3(x, y, (z0 + z1) / 2.0), vec3(0.055, 0.055, (z1 - z0) / 2.0), 0.0);
        shaft.min(cuboid(p, vec3(x, y, z1), vec3(0.070, 0.070, 0.022), 0.0))
    };
    let (brick, soot) = (rgb(148, 104, 84), rgb(34, 28, 28));
    let paint = move |p: Vec3, _: Vec3| {
        let flue = p.z > z1 + 0.018 && (p.x - x).abs().max((p.y - y).abs()) < 0.042;
        let tone = 0.75 + 0.45 * hash(&[((p.x + p.y) * 22.0).floor() as i64, (p.z * 26.0).floor() as i64, 4]);
        if flue { soot } else { brick * tone }
    };
    Part::new(field, paint).within(x, y, 0.10, z1 + 0.03)
}

/// Three puffs of smoke that rise from (x, y, z) and drift to the right on the screen.
pub fn smoke(x: f64, y: f64, z: f64, frame: usize) -> Part {
    let puffs = [0, 1, 2].map(|k| {
        let t = (f64::from(k) + frame as f64 / FRAMES as f64) / 3.0;
        let drift = 0.10 * t * t + 0.015 * (5.0 * t).sin();
        (vec3(x + drift, y + drift, z + 0.06 + 0.46 * t), 0.020 + 0.055 * (PI * (0.1 + 0.85 * t)).sin())
    });
    let field = move |p: Vec3| puffs.iter().fold(9.0, |d: f64, &(centre, r)| d.min(ball(p, centre, r)));
    let paint = move |p: Vec3, n: Vec3| {
        let light = 0.5 + 0.3 * n.z + 0.2 * n.x;
        let glow = mix(rgb(168, 168, 176), rgb(236, 232, 228), light) * mix(1.0, 0.8, (p.z - z) / 0.5);
        Surface { albedo: Vec3::default(), glow }
    };
    Part::new(field, paint).within(x + 0.05, y + 0.05, 0.2, z + 0.65)
}
