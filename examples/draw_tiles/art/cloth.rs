//! Flags.

use super::noise::mix;
use super::vector::Vec3;
use std::f64::consts::SQRT_2;

/// A flag that flies to the right on the screen, in the direction (1, 1) of the world.
#[derive(Clone, Copy)]
pub struct Flag {
    pub x: f64,
    pub y: f64,
    pub z: f64,
    /// Half the height at the pole, and the length.
    pub tall: f64,
    pub long: f64,
    /// The depth of the swallowtail; 0 makes a pointed pennant.
    pub swallow: f64,
    pub waves: f64,
    pub phase: f64,
    pub depth: f64,
}

impl Flag {
    pub fn at(&self, p: Vec3) -> f64 {
        let s = ((p.x - self.x) + (p.y - self.y)) / SQRT_2;
        let w = ((p.x - self.x) - (p.y - self.y)) / SQRT_2;
        let v = p.z - self.z - 0.012 * (s * self.waves * 0.8 - self.phase).sin();
        let notched = self.swallow > 0.0;
        let cut = self.swallow * (1.0 - (v.abs() / self.tall).min(1.0));
        let half = if notched { self.tall - 0.015 * s } else { self.tall * (1.0 - s / self.long) };
        // The cloth is fixed at the pole, and its free end moves most.
        let swing = self.depth * mix(0.4, 1.3, s / self.long) * (s * self.waves - self.phase).sin();
        let body = ((w - swing).abs() - 0.014).max(v.abs() - half);
        body.max(-s).max(s - (self.long - cut)) * 0.55
    }
}
