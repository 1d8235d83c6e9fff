//! Hashes, value noise and blending functions that give the same numbers on every machine.

use super::vector::{Vec3, vec3};
use std::ops::{Add, Mul, Sub};

/// A hash of integers as a number from 0 to 1.
pub fn hash(keys: &[i64]) -> f64 {
    let mut h: u64 = 1_469_598_103_934_665_603;
    for &k in keys {
        h = (h ^ k as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        h ^= h >> 29;
    }
    (h.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40) as f64 / (1u64 << 24) as f64
}

/// A seeded random generator: the n-th number is the n-th hash of the seed.
pub struct RandomSequence {
    seed: i64,
    count: i64,
}

impl RandomSequence {
    pub fn new(seed: i64) -> RandomSequence {
        RandomSequence { seed, count: 0 }
    }

    /// A random number from 0 to 1.
    pub fn unit(&mut self) -> f64 {
        self.count += 1;
        hash(&[self.seed, self.count, 9001])
    }

    /// A random integer in `from..to`.
    pub fn within(&mut self, from: usize, to: usize) -> usize {
        from + (self.unit() * (to - from) as f64) as usize
    }
}

fn lattice(x: f64, y: f64, at: impl Fn(i64, i64) -> f64) -> f64 {
    let (i, j) = (x.floor(), y.floor());
    let ease = |t: f64| t * t * (3.0 - 2.0 * t);
    let (u, v) = (ease(x - i), ease(y - j));
    let (i, j) = (i as i64, j as i64);
    let row = |j| {
        let west = at(i, j);
        west + (at(i + 1, j) - west) * u
    };
    row(j) * (1.0 - v) + row(j + 1) * v
}

/// Value noise from 0 to 1 with `f` lattice points per cell, the same in every cell.
pub fn tiling(x: f64, y: f64, f: i64, seed: i64) -> f64 {
    let scale = f as f64;
    lattice(x * scale, y * scale, |i, j| hash(&[i.rem_euclid(f), j.rem_euclid(f), seed]))
}

/// Value noise from 0 to 1 that does not repeat.
pub fn noise2(x: f64, y: f64, f: f64, seed: i64) -> f64 {
    lattice(x * f, y * f, |i, j| hash(&[i, j, seed]))
}

/// Value noise from 0 to 1 in three dimensions.
pub fn noise3(p: Vec3, f: f64, seed: i64) -> f64 {
    let z = p.z * f;
    let k = z.floor();
    let w = (z - k) * (z - k) * (3.0 - 2.0 * (z - k));
    let slice = |k: i64| noise2(p.x, p.y, f, seed + k * 131);
    slice(k as i64) * (1.0 - w) + slice(k as i64 + 1) * w
}

fn octaves(count: u32, each: impl Fn(u32) -> f64) -> f64 {
    (0..count).map(|k| each(k) * 0.5f64.powi(k as i32)).sum::<f64>() / (2.0 - 0.5f64.powi(count as i32 - 1))
}

/// Several octaves of [`tiling`], from 0 to 1.
pub fn tiling_fbm(x: f64, y: f64, f: i64, seed: i64, count: u32) -> f64 {
    octaves(count, |k| tiling(x, y, f << k, seed + i64::from(k)))
}

/// Several octaves of [`noise2`], from 0 to 1.
pub fn fbm2(x: f64, y: f64, f: f64, seed: i64, count: u32) -> f64 {
    octaves(count, |k| noise2(x, y, f * f64::from(1 << k), seed + i64::from(k)))
}

/// Interpolates linearly from `a` to `b` for `t` from 0 to 1, clamped.
pub fn mix<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T>>(a: T, b: T, t: f64) -> T {
    a + (b - a) * t.clamp(0.0, 1.0)
}

/// 0 up to `a`, 1 from `b` on, and a smooth step between; `a` may be greater than `b`.
pub fn step(a: f64, b: f64, x: f64) -> f64 {
    let t = ((x - a) / (b - a)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The smaller angle between `a` and `b`, never negative.
pub fn turn(a: f64, b: f64) -> f64 {
    let d = (a - b).rem_euclid(std::f64::consts::TAU);
    d.min(std::f64::consts::TAU - d)
}

/// The fractional part, from 0 to 1 for negative numbers too.
pub fn part(x: f64) -> f64 {
    x - x.floor()
}

const HOT: [Vec3; 5] = [
    vec3(0.1063, 0.00169, 0.00049),
    vec3(0.5861, 0.01347, 0.00080),
    vec3(0.9574, 0.1390, 0.00169),
    vec3(1.0, 0.4878, 0.02783),
    vec3(1.0, 0.8752, 0.3586),
];

/// The colour of glowing rock, from dull red at 0 to cream at 1.
pub fn fire(t: f64) -> Vec3 {
    let t = t.clamp(0.0, 1.0) * 4.0;
    let i = (t as usize).min(3);
    mix(HOT[i], HOT[i + 1], t - i as f64)
}
