//! What all walkers share: the axes of a body, the stride, the legs and the shadow.

use super::Job;
use super::field::capsule;
use super::model::{Part, Surface};
use super::noise::step;
use super::picture::shadow_image;
use super::vector::{Vec3, norm, vec3};
use std::f64::consts::{FRAC_PI_4, TAU};

/// The unit vector of the k-th direction: x east, y south.
pub fn heading(k: usize) -> (f64, f64) {
    let a = FRAC_PI_4 * k as f64 - 2.0 * FRAC_PI_4;
    (a.cos(), a.sin())
}

/// The axes of a body: forward, right, up.
#[derive(Clone, Copy)]
pub struct Axes {
    pub forward: (f64, f64),
    pub scale: f64,
    /// Where the origin of the world is in the axes of the body.
    pub shift: Vec3,
}

impl Axes {
    pub fn new(direction: usize, scale: f64) -> Axes {
        Axes { forward: heading(direction), scale, shift: Vec3::default() }
    }

    /// The point of the body at the point `p` of the world.
    pub fn local(&self, p: Vec3) -> Vec3 {
        let (fx, fy) = self.forward;
        vec3(p.x * fx + p.y * fy, p.y * fx - p.x * fy, p.z) * (1.0 / self.scale) + self.shift
    }

    /// Declares that a part is within `radius` of the vertical line at (a, b), and below `top`, all of the body.
    pub fn within(&self, part: Part, (a, b): (f64, f64), radius: f64, top: f64) -> Part {
        let ((fx, fy), scale) = (self.forward, self.scale);
        let (a, b, top) = (a - self.shift.x, b - self.shift.y, top - self.shift.z);
        part.within((a * fx - b * fy) * scale, (a * fy + b * fx) * scale, radius * scale, top * scale)
    }

    /// A part whose field and paint get points of the body; it is within the sphere `around`.
    pub fn part<S: Into<Surface>>(
        self,
        around: Sphere,
        field: impl Fn(Vec3) -> f64 + Send + Sync + 'static,
        paint: impl Fn(Vec3, Vec3) -> S + Send + Sync + 'static,
    ) -> Part {
        let scaled = move |p: Vec3| field(self.local(p)) * self.scale;
        let part = Part::new(scaled, move |p, n| paint(self.local(p), n));
        let Sphere { centre, radius } = around;
        self.within(part, (centre.x, centre.y), radius, centre.z + radius)
    }
}

/// A sphere around a part.
#[derive(Clone, Copy)]
pub struct Sphere {
    pub centre: Vec3,
    pub radius: f64,
}

pub fn sphere(x: f64, y: f64, z: f64, radius: f64) -> Sphere {
    Sphere { centre: vec3(x, y, z), radius }
}

/// A moment of a pair of strides. The default stands still.
#[derive(Clone, Copy, Default)]
pub struct Stride {
    /// From 0 to TAU.
    pub phase: f64,
    /// -1 to 1: the left foot is in front at 1.
    pub swing: f64,
    /// The height of each foot, left and right.
    pub lift: (f64, f64),
    pub bob: f64,
    /// How far somebody who stands lifts a hand or a tool, 0 to 1.
    pub gesture: f64,
}

impl Stride {
    /// At TAU / 4 the left foot is in front, at TAU / 2 the right one passes it.
    pub fn at(phase: f64) -> Stride {
        let lift = |a: f64| 0.075 * a.cos().max(0.0);
        Stride {
            phase,
            swing: phase.sin(),
            lift: (lift(phase), lift(phase + TAU / 2.0)),
            bob: 0.022 * phase.cos().abs(),
            gesture: 0.0,
        }
    }

    /// Somebody who stands, draws a breath and lifts a hand.
    pub fn gesturing() -> Stride {
        Stride { bob: 0.016, gesture: 1.0, ..Stride::default() }
    }

    /// The distance of `q`, a point of the body, from both legs.
    pub fn legs(&self, q: Vec3) -> f64 {
        let leg = |side: f64, swing: f64, lift: f64| {
            let hip = vec3(-0.01, 0.045 * side, 0.19);
            let knee = vec3(0.085 * swing + 0.4 * lift, 0.050 * side, 0.115 + 0.5 * lift);
            let foot = vec3(0.165 * swing - 0.2 * lift, 0.052 * side, 0.028 + lift);
            let toe = foot + vec3(0.045, 0.0, -0.004);
            let shin = capsule(q, knee, foot, 0.032).min(capsule(q, foot, toe, 0.028));
            capsule(q, hip, knee, 0.036).min(shin)
        };
        leg(1.0, -self.swing, self.lift.1).min(leg(-1.0, self.swing, self.lift.0))
    }
}

/// The shadow of a walker on the ground, in pixels.
pub struct Contact {
    /// The radii of the ellipse under the feet.
    pub radii: (f64, f64),
    /// How far the walker casts a shadow.
    pub cast: f64,
}

/// The soft shadow of a walker: a dark ellipse where the feet touch the ground, and a short cast away from the sun.
pub fn contact_shadow(name: &'static str, (width, height): (usize, usize), contact: Contact) -> Job {
    Box::new(move || {
        let (rx, ry) = contact.radii;
        // The feet are in the middle of the ground; the shadow is seen before and beside them.
        let feet = (width as f64 / 2.0, height as f64 - 14.0 + 2.0);
        // On screen, the sun in the south-east shines from the right.
        let tip = (-contact.cast, -0.06 * contact.cast);
        let dark = (0..width * height).map(|k| {
            let (x, y) = ((k % width) as f64 + 0.5 - feet.0, (k / width) as f64 + 0.5 - feet.1);
            let under = 0.70 * step(1.5, 0.6, norm(x / rx, y / ry));
            // It narrows and pales towards its tip.
            let t = ((x * tip.0 + y * tip.1) / (tip.0 * tip.0 + tip.1 * tip.1)).clamp(0.0, 1.0);
            let beside = norm((x - tip.0 * t) / rx, (y - tip.1 * t) / ry);
            let cast = (0.64 - 0.26 * t) * step(1.35 - 0.25 * t, 0.5, beside);
            (under.max(cast) * 16.0).round() / 16.0
        });
        vec![(name.to_owned(), shadow_image(&dark.collect::<Vec<_>>(), width))]
    })
}
