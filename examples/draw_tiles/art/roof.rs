//! Roofs with a ridge from west to east, of tiles or thatch, and chimneys with smoke.

use super::field::cuboid;
use super::model::Part;
use super::noise::{hash, mix, noise3, part, step};
use super::picture::MAGENTA;
use super::vector::{Vec3, norm, rgb, vec3};
use image::{Rgba, RgbaImage};
use std::f64::consts::TAU;

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

/// Draws puffs of smoke that rise from a chimney at (x, y) of a picture, drift with the wind, grow and fade.
pub fn smoke(picture: &mut RgbaImage, (x, y): (f64, f64), frame: usize) {
    const PUFFS: usize = 5;
    let puffs = [0, 1, 2, 3, 4].map(|k| {
        // In a loop of all frames, each puff takes the place of the next.
        let t = (k as f64 + frame as f64 / FRAMES as f64) / PUFFS as f64;
        let centre = (x - 8.0 * t.powf(1.5) + 1.3 * (TAU * t).sin() * t, y - 0.5 - 19.0 * t);
        let strength = 0.85 * (1.0 - t).powf(1.2) * (6.0 * t + 0.3).min(1.0);
        (centre, 1.5 + 3.4 * t, strength)
    });
    let (shaded, bright) = (rgb(176, 176, 186), rgb(240, 238, 234));
    for (i, j, pixel) in picture.enumerate_pixels_mut() {
        let (i, j) = (f64::from(i) + 0.5, f64::from(j) + 0.5);
        let through = puffs.iter().map(|&((x, y), r, strength)| {
            let d = norm((i - x) / r, (j - y) / r);
            1.0 - strength * step(1.25, 0.25, d)
        });
        let alpha = 1.0 - through.product::<f64>();
        if alpha < 0.04 {
            continue;
        }
        let light = mix(shaded, bright, 0.5 + 0.5 * noise3(vec3(i, j, frame as f64), 0.35, 9));
        let is_clear = *pixel == MAGENTA;
        let byte = |smoke: f64, behind: u8| {
            let behind = (f64::from(behind) / 255.0).powf(2.2);
            let mixed = if is_clear { smoke } else { mix(behind, smoke, alpha) };
            ((mixed.powf(1.0 / 2.2) * 51.0).round() * 5.0) as u8
        };
        let [r, g, b, _] = pixel.0;
        let opacity = if is_clear { ((alpha * 20.0).round() / 20.0 * 255.0) as u8 } else { u8::MAX };
        *pixel = Rgba([byte(light.x, r), byte(light.y, g), byte(light.z, b), opacity]);
    }
}
