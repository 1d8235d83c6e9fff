//! The body that all people share: trunk, head, arms and legs in a pose.

use super::super::field::{ball, capsule, smin};
use super::super::model::Part;
use super::super::noise::{mix, noise3};
use super::super::vector::{Vec3, norm, rgb, vec3};
use super::super::walk::{Axes, Sphere, Stride, sphere};

/// A body in a pose.
#[derive(Clone, Copy)]
pub struct Body {
    pub axes: Axes,
    pub stride: Stride,
    /// The height of the lower edge of the clothes, and their radius there.
    pub hem: f64,
    pub girth: f64,
    pub head: f64,
    /// The right and the left hand.
    pub hands: [Vec3; 2],
}

/// The height of the middle of the head.
pub const HEAD: f64 = 0.487;

impl Body {
    pub fn new(axes: Axes, stride: Stride) -> Body {
        let hand = |side: f64| vec3(0.02 + 0.10 * side * stride.swing, 0.132 * side, 0.215 + 0.02 * stride.swing.abs());
        Body { axes, stride, hem: 0.17, girth: 0.110, head: 0.092, hands: [hand(1.0), hand(-1.0)] }.lifting()
    }

    /// The right hand goes forward and up with a gesture, and the left one a little.
    fn lifting(mut self) -> Body {
        for (hand, share) in self.hands.iter_mut().zip([1.0, 0.35]) {
            *hand += vec3(0.06, 0.0, 0.085) * (share * self.stride.gesture);
        }
        self
    }

    /// Makes the body of somebody in a long dress, who takes shorter strides.
    pub fn robed(mut self) -> Body {
        self.stride.swing *= 0.6;
        self.stride.lift.0 *= 0.6;
        self.stride.lift.1 *= 0.6;
        Body { hem: 0.055, girth: 0.132, ..self }
    }

    pub fn right_hand(self, x: f64, y: f64, z: f64) -> Body {
        let lifted = Body { hands: [vec3(x, y, z); 2], ..self }.lifting().hands[0];
        Body { hands: [lifted, self.hands[1]], ..self }
    }

    pub fn left_hand(self, x: f64, y: f64, z: f64) -> Body {
        let lifted = Body { hands: [vec3(x, y, z); 2], ..self }.lifting().hands[1];
        Body { hands: [self.hands[0], lifted], ..self }
    }

    /// A part that moves with the trunk. It is within the sphere `around`.
    pub fn part(
        self,
        around: Sphere,
        field: impl Fn(Vec3) -> f64 + Send + Sync + 'static,
        paint: impl Fn(Vec3) -> Vec3 + Send + Sync + 'static,
    ) -> Part {
        let mut axes = self.axes;
        axes.shift.z -= self.stride.bob;
        axes.part(around, field, move |q, _| paint(q))
    }

    /// The whole body. `coat` and `head` are as for `trunk` and `skull`.
    pub fn dressed(
        self,
        hose: Vec3,
        coat: impl Fn(Vec3) -> Vec3 + Send + Sync + 'static,
        sleeve: Vec3,
        head: impl Fn(Vec3) -> Vec3 + Send + Sync + 'static,
    ) -> Vec<Part> {
        vec![self.legs(hose), self.trunk(coat), self.arms(sleeve), self.skull(head)]
    }

    fn legs(self, cloth: Vec3) -> Part {
        let boots = rgb(70, 48, 36);
        let paint = move |q: Vec3, _| if q.z < 0.075 { boots } else { cloth };
        self.axes.part(sphere(0.0, 0.0, 0.12, 0.27), move |q| self.stride.legs(q), paint)
    }

    /// The clothes from the shoulders to the hem.
    pub fn trunk(self, paint: impl Fn(Vec3) -> Vec3 + Send + Sync + 'static) -> Part {
        let field = move |q| self.clothes(q);
        self.part(sphere(0.0, 0.0, 0.25, 0.21), field, move |q| paint(q) * (0.84 + 0.30 * noise3(q, 9.0, 3)))
    }

    fn clothes(&self, q: Vec3) -> f64 {
        let t = ((q.z - self.hem) / (0.40 - self.hem)).clamp(0.0, 1.0);
        // The cloth follows the legs.
        let a = q.x + 0.45 * self.stride.swing * q.y * (1.0 - t);
        let angle = q.y.atan2(a);
        let folds = 0.008 * (5.0 * angle + self.stride.phase).sin() * (1.0 - t);
        let knee = 0.04 * self.stride.swing.abs() * (1.0 - t) * angle.cos().max(0.0);
        let r = mix(self.girth, 0.076, t.powf(0.8)) + folds + knee;
        let skirt = (norm(a * 1.06, q.y * 0.95) - r).max(self.hem - q.z).max(q.z - 0.40) * 0.8;
        smin(skirt, ball(q, vec3(0.0, 0.0, 0.372), 0.070), 0.03)
    }

    /// The head, painted by a function of the position from its middle, where the radius is 1.
    pub fn skull(self, paint: impl Fn(Vec3) -> Vec3 + Send + Sync + 'static) -> Part {
        let (middle, radius) = (vec3(0.014, 0.0, HEAD), self.head);
        let around = Sphere { centre: middle, radius };
        self.part(around, move |q| ball(q, middle, radius), move |q| paint((q - middle) * (1.0 / radius)))
    }

    pub fn arms(self, sleeve: Vec3) -> Part {
        let reach = move |q: Vec3, k: usize| {
            let shoulder = vec3(0.0, [0.080, -0.080][k], 0.36);
            capsule(q, shoulder, self.hands[k], 0.034)
        };
        let hand = move |q: Vec3| ball(q, self.hands[0], 0.040).min(ball(q, self.hands[1], 0.040));
        let paint = move |q| if hand(q) < 0.008 { skin() } else { sleeve };
        self.part(sphere(0.03, 0.0, 0.32, 0.24), move |q| reach(q, 0).min(reach(q, 1)).min(hand(q)), paint)
    }
}

pub fn skin() -> Vec3 {
    rgb(238, 188, 150)
}

fn has_eye(at: Vec3) -> bool {
    at.x > 0.0 && norm(at.y.abs() - 0.40, at.z + 0.08) < 0.21
}

/// A face below short hair.
pub fn face(hair: Vec3) -> impl Fn(Vec3) -> Vec3 {
    move |at| match at {
        _ if at.x < 0.0 || at.z > 0.55 => hair,
        _ if has_eye(at) => rgb(84, 52, 44),
        // Hats shade the face, so it is lighter than the hands.
        _ => skin() * 1.7,
    }
}

/// A face between hair and beard.
pub fn bearded(hair: Vec3) -> impl Fn(Vec3) -> Vec3 {
    let face = face(hair);
    move |at| if at.z < -0.42 && at.x > 0.0 { hair * 1.3 } else { face(at) }
}

/// Clothes of one colour with a belt of another.
pub fn belted(cloth: Vec3, belt: Vec3) -> impl Fn(Vec3) -> Vec3 {
    move |q| if (q.z - 0.255).abs() < 0.017 { belt } else { cloth }
}

/// Belted clothes with an edge along the hem and down the front.
pub fn trimmed(cloth: Vec3, belt: Vec3, trim: Vec3, hem: f64) -> impl Fn(Vec3) -> Vec3 {
    let inner = belted(cloth, belt);
    move |q| {
        let edge = q.z < hem + 0.040 || q.x > 0.02 && q.y.abs() < 0.018;
        if edge { trim } else { inner(q) }
    }
}
