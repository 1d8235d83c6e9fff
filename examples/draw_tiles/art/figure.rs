//! The traveller: a crimson cloak with a gold hem and a cream hood, a pack, and a pale staff with an ember at its tip.

use super::Job;
use super::field::{ball, capsule, cuboid, smin};
use super::light::SUN;
use super::model::{Model, Part, Surface};
use super::noise::{mix, noise3};
use super::render::Shot;
use super::vector::{Vec3, norm, rgb, vec3};
use super::walk::{Axes, Contact, Stride, contact_shadow};
use emberwalk_path::grid::Direction;
use std::f64::consts::TAU;

const SCALE: f64 = 1.18;
const FRAMES: usize = 8;

/// The pose of the body.
#[derive(Clone, Copy)]
struct Pose {
    axes: Axes,
    stride: Stride,
    /// How far the hem trails behind the body.
    trail: f64,
    ripple: f64,
    ember: f64,
}

impl Pose {
    fn walking(direction: usize, frame: usize) -> Pose {
        let phase = TAU * frame as f64 / FRAMES as f64;
        let axes = Axes::new(direction, SCALE);
        Pose { axes, stride: Stride::at(phase), trail: 1.0, ripple: phase, ember: 1.0 }
    }

    fn idle(direction: usize, breath: usize) -> Pose {
        let b = breath as f64;
        let stride = Stride { bob: 0.012 * b, ..Stride::default() };
        Pose { axes: Axes::new(direction, SCALE), stride, trail: 0.35, ripple: b, ember: 1.0 - 0.12 * b }
    }

    fn cloak(&self, p: Vec3) -> f64 {
        let q = self.axes.local(p);
        let c = q.z - self.stride.bob - 0.02;
        let low = (0.36 - c).max(0.0);
        let a = q.x + (0.12 + 0.10 * self.trail) * low - 0.085 * (c - 0.2);
        let b = q.y - 0.04 * self.stride.swing * low;
        let angle = b.atan2(a);
        let t = ((c - 0.09) / 0.31).clamp(0.0, 1.0);
        // Each stride pushes the cloth out before the leading knee.
        let knee = 0.030 * self.stride.swing.abs() * (1.0 - t) * angle.cos().max(0.0);
        let folds = 0.011 * (6.0 * angle + self.ripple).sin() * (low / 0.2).min(1.0);
        let r = 0.132 - 0.062 * t.powf(0.8) + folds + knee;
        let hem = 0.088 + 0.022 * (angle * 3.0 + self.ripple).sin();
        let body = (norm(a * 0.95, b) - r).max(hem - c).max(c - 0.41) * 0.85;
        let head = vec3(a, b, c);
        let hood = smin(ball(head, vec3(0.012, 0.0, 0.455), 0.088), ball(head, vec3(-0.055, 0.0, 0.48), 0.05), 0.05);
        smin(body, hood, 0.04) * SCALE
    }

    fn parts(self) -> Vec<Part> {
        let (red, dark, bright, gold) = (rgb(196, 34, 44), rgb(128, 16, 34), rgb(238, 92, 70), rgb(228, 176, 78));
        let (cream, wool) = (rgb(255, 246, 224), rgb(214, 196, 166));
        let (shade, skin) = (rgb(70, 22, 26), rgb(236, 186, 148));
        let Pose { axes, stride, ember, .. } = self;
        let Stride { swing, lift, bob, .. } = stride;
        let cloth = move |p: Vec3, n: Vec3| {
            let q = axes.local(p);
            if q.z < 0.150 + bob {
                return gold;
            }
            if q.x > 0.02 && q.y.abs() < 0.018 && q.z < 0.38 {
                return dark * 0.6;
            }
            // The hood stands out on grass and among trees for those who cannot tell red from green.
            if q.z > 0.335 + bob {
                return mix(wool, cream, 0.2 + 0.8 * n.dot(SUN).clamp(0.0, 1.0));
            }
            let c = mix(dark, red, 0.35 + 0.9 * noise3(p, 7.0, 3));
            mix(c, bright, n.dot(SUN).clamp(0.0, 1.0).powi(2) * 0.45)
        };
        let legs = move |p: Vec3| stride.legs(axes.local(p)) * SCALE;
        let face = move |p: Vec3| ball(axes.local(p), vec3(0.098, 0.0, 0.462 + bob), 0.060) * SCALE;
        let pack = move |p: Vec3| {
            let middle = vec3(-0.115, 0.0, 0.30 + bob);
            cuboid(axes.local(p), middle, vec3(0.05, 0.075, 0.075), 0.03) * SCALE
        };
        // The staff moves with the left foot, and its top leans forward.
        let grip = move || {
            (vec3(0.10 + 0.13 * swing, 0.165, 0.012 + lift.0 * 0.6), vec3(0.085 + 0.03 * swing, 0.165, 0.60 + bob))
        };
        let staff = move |p: Vec3| capsule(axes.local(p), grip().0, grip().1, 0.021) * SCALE;
        let sleeve = move |p: Vec3| {
            let hand = mix(grip().0, grip().1, 0.52);
            capsule(axes.local(p), vec3(0.02, 0.07, 0.34 + bob), hand, 0.036) * SCALE
        };
        let tip = move |p: Vec3| ball(axes.local(p), grip().1 + vec3(0.0, 0.0, 0.035), 0.052) * SCALE;
        let within = |part, line, radius, top| axes.within(part, line, radius, top);
        let burning = move |_, _| Surface { albedo: Vec3::default(), glow: rgb(255, 190, 70) * ember, lamp: 0.0 };
        vec![
            within(Part::new(move |p| self.cloak(p), cloth), (-0.03, 0.0), 0.21, 0.59),
            within(
                Part::new(face, move |p, _| if axes.local(p).z > 0.492 + bob { shade } else { skin }),
                (0.098, 0.0),
                0.062,
                0.56,
            ),
            within(Part::plain(legs, rgb(74, 50, 38)), (0.0, 0.0), 0.27, 0.25),
            within(Part::plain(pack, rgb(150, 104, 60)), (-0.115, 0.0), 0.10, 0.42),
            within(Part::plain(staff, rgb(196, 150, 92)), (0.09, 0.165), 0.17, 0.65),
            within(Part::plain(sleeve, rgb(170, 28, 40)), (0.06, 0.12), 0.15, 0.42),
            within(Part::new(tip, burning), (0.085, 0.165), 0.09, 0.72),
        ]
    }
}

fn frame(name: String, pose: Pose) -> Job {
    Box::new(move || {
        let model = Model::new(pose.parts());
        // Black, which no other figure has.
        let picture = Shot::tile(0.9).rim(1.0).draw(&model).outlined(rgb(12, 8, 12));
        vec![(name.clone(), picture.image(4.0))]
    })
}

pub fn jobs() -> Vec<Job> {
    // One soft shadow for all directions and frames.
    let mut jobs = vec![contact_shadow("L4_Traveller_sh", (50, 22), Contact { radii: (8.0, 3.8), cast: 14.0 })];
    for (k, direction) in Direction::ALL.map(Direction::letters).into_iter().enumerate() {
        for f in 0..FRAMES {
            jobs.push(frame(format!("L4_Traveller{direction}{f}"), Pose::walking(k, f)));
        }
        jobs.push(frame(format!("L4_Traveller{direction}I"), Pose::idle(k, 0)));
        jobs.push(frame(format!("L4_Traveller{direction}I1"), Pose::idle(k, 1)));
    }
    jobs
}
