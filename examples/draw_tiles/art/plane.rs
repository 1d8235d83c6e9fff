//! The ground of one cell: its sample points, and textures of period 1 with lighting by slope.

use super::light::shade;
use super::noise::{RandomSequence, hash, mix, step};
use super::picture::{SIZE, on_diamond};
use super::vector::{Vec3, vec3};
use std::ops::{Add, Mul};

/// The number of samples per pixel along each axis.
const FINE: usize = 4;
const ROW: usize = SIZE * FINE;

/// The k-th sample point, row by row: x east, y south, -0.5 to 0.5 inside the cell.
pub fn sample_point(k: usize) -> (f64, f64) {
    let sx = ((k % ROW) as f64 + 0.5) / FINE as f64;
    let sy = ((k / ROW) as f64 + 0.5) / FINE as f64;
    let (u, v) = ((sx - 27.0) / 26.0, (sy - 40.0) / 13.0);
    ((u - v) / 2.0, (u + v) / 2.0)
}

/// One value per sample. Samples far from the ground are skipped, because no pixel of the diamond uses them.
pub fn sampled<T: Clone + Default>(f: impl Fn(f64, f64) -> T) -> Vec<T> {
    let mut out = vec![T::default(); ROW * ROW];
    for (k, value) in out.iter_mut().enumerate().skip(25 * FINE * ROW) {
        let (x, y) = sample_point(k);
        *value = f(x, y);
    }
    out
}

/// One value per pixel: the mean of its samples.
pub fn averaged<T: Copy + Default + Add<Output = T> + Mul<f64, Output = T>>(samples: &[T]) -> Vec<T> {
    let mut out = vec![T::default(); SIZE * SIZE];
    for (k, &value) in samples.iter().enumerate() {
        let pixel = k / ROW / FINE * SIZE + k % ROW / FINE;
        out[pixel] = out[pixel] + value * (1.0 / (FINE * FINE) as f64);
    }
    out
}

/// [`averaged`] of [`sampled`].
pub fn pixels<T: Copy + Default + Add<Output = T> + Mul<f64, Output = T>>(f: impl Fn(f64, f64) -> T) -> Vec<T> {
    averaged(&sampled(f))
}

/// Ground with an albedo, lit by the slope of `height`, with some `grain` per pixel.
pub fn ground(albedo: impl Fn(f64, f64) -> Vec3, height: impl Fn(f64, f64) -> f64, grain: f64, seed: i64) -> Vec<Vec3> {
    const E: f64 = 0.012;
    let mut colour = pixels(|x, y| {
        let west = height(x - E, y) - height(x + E, y);
        let north = height(x, y - E) - height(x, y + E);
        shade(albedo(x, y), vec3(west / (2.0 * E), north / (2.0 * E), 1.0).unit(), 1.0, 1.0)
    });
    for (k, c) in colour.iter_mut().enumerate() {
        let spot = hash(&[(k % SIZE) as i64, (k / SIZE) as i64, seed]);
        *c = *c * (1.0 + grain * (spot - 0.5) * 2.0);
    }
    colour
}

/// 1 inside the cell, falling to 0 at its edge over a width of `w`. Differences between variants are multiplied
/// by it.
pub fn inner(x: f64, y: f64, w: f64) -> f64 {
    step(0.0, w, 0.5 - x.abs().max(y.abs()))
}

/// Draws vertical strokes of 1 x 2 or 3 pixels with a dark foot, which make green noise look like grass.
pub fn blades(c: &mut [Vec3], seed: i64, count: usize, colours: &[Vec3]) {
    let mut random = RandomSequence::new(seed);
    for _ in 0..count {
        let (i, j) = (random.within(1, 53), random.within(27, 53));
        let colour = colours[random.within(0, colours.len())];
        let (strength, tall) = (0.3 + random.unit() * 0.35, random.within(2, 4));
        if on_diamond(i, j) {
            c[(j + 1) * SIZE + i] = c[(j + 1) * SIZE + i] * 0.9;
            for up in 0..tall {
                if on_diamond(i, j - up) {
                    let k = (j - up) * SIZE + i;
                    c[k] = mix(c[k], colour, strength * (0.55 + 0.45 * up as f64 / 2.0));
                }
            }
        }
    }
}
