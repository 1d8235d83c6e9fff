//! Signed distance fields of the solids in the models.

use super::noise::mix;
use super::vector::{Vec3, norm, vec3};

/// A box with the centre `c` and half size `h`, with edges rounded by `r`.
pub fn cuboid(p: Vec3, c: Vec3, h: Vec3, r: f64) -> f64 {
    let q = vec3((p.x - c.x).abs() - h.x + r, (p.y - c.y).abs() - h.y + r, (p.z - c.z).abs() - h.z + r);
    let outside = vec3(q.x.max(0.0), q.y.max(0.0), q.z.max(0.0)).length();
    outside + q.max_part().min(0.0) - r
}

pub fn ball(p: Vec3, c: Vec3, r: f64) -> f64 {
    (p - c).length() - r
}

/// A vertical cone at (x, y) with the radius `r0` at height `z0` and `r1` at `z1`.
#[derive(Clone, Copy)]
pub struct Cone {
    pub x: f64,
    pub y: f64,
    pub z0: f64,
    pub z1: f64,
    pub r0: f64,
    pub r1: f64,
}

impl Cone {
    pub fn at(self, p: Vec3) -> f64 {
        self.with_rho(p, norm(p.x - self.x, p.y - self.y))
    }

    /// A cone with an irregular surface: `rho` is the distance from the axis, modified by the caller.
    pub fn with_rho(self, p: Vec3, rho: f64) -> f64 {
        let tall = self.z1 - self.z0;
        let r = mix(self.r0, self.r1, (p.z - self.z0) / tall);
        ((rho - r) * tall / norm(tall, self.r0 - self.r1)).max(self.z0 - p.z).max(p.z - self.z1)
    }
}

pub fn cone(x: f64, y: f64, (z0, z1): (f64, f64), (r0, r1): (f64, f64)) -> Cone {
    Cone { x, y, z0, z1, r0, r1 }
}

/// A capsule from `a` to `b`.
pub fn capsule(p: Vec3, a: Vec3, b: Vec3, r: f64) -> f64 {
    let (ab, q) = (b - a, p - a);
    let t = (q.dot(ab) / ab.dot(ab)).clamp(0.0, 1.0);
    (q - ab * t).length() - r
}

/// A capsule with the radius `ra` at one end and `rb` at the other.
pub fn twig(p: Vec3, a: Vec3, b: Vec3, ra: f64, rb: f64) -> f64 {
    let (ab, q) = (b - a, p - a);
    let t = (q.dot(ab) / ab.dot(ab)).clamp(0.0, 1.0);
    (q - ab * t).length() - mix(ra, rb, t)
}

/// The smooth minimum of two distances, blended over `k`.
pub fn smin(a: f64, b: f64, k: f64) -> f64 {
    let h = (0.5 + 0.5 * (b - a) / k).clamp(0.0, 1.0);
    b + (a - b) * h - k * h * (1.0 - h)
}

/// A height field that is sampled into a grid once, so that its function may be expensive.
pub struct Height {
    grid: Vec<f64>,
    top: f64,
    half: f64,
    /// The factor from a height difference to a distance, for the steepest slope.
    slope: f64,
}

const POINTS: usize = 360;

impl Height {
    /// Samples `shape(x, y)` for x and y from `-half` to `half`.
    pub fn new(half: f64, slope: f64, shape: impl Fn(f64, f64) -> f64) -> Height {
        let at = |k: usize| (k as f64 + 0.5) / POINTS as f64 * 2.0 * half - half;
        let grid: Vec<f64> = (0..POINTS * POINTS).map(|k| shape(at(k / POINTS), at(k % POINTS))).collect();
        let top = grid.iter().fold(f64::MIN, |a, &b| a.max(b));
        Height { grid, top, half, slope }
    }

    fn height(&self, x: f64, y: f64) -> f64 {
        let on = |c: f64| {
            let k = ((c + self.half) / (2.0 * self.half) * POINTS as f64 - 0.5).clamp(0.0, POINTS as f64 - 1.001);
            (k as usize, k.fract())
        };
        let ((i, u), (j, v)) = (on(x), on(y));
        let at = |i: usize, j: usize| self.grid[i * POINTS + j];
        let west = at(i, j) * (1.0 - u) + at(i + 1, j) * u;
        let east = at(i, j + 1) * (1.0 - u) + at(i + 1, j + 1) * u;
        west * (1.0 - v) + east * v
    }

    pub fn distance(&self, p: Vec3) -> f64 {
        let over = p.z - self.top;
        let above = (p.z - self.height(p.x, p.y)) * self.slope;
        if over > 0.1 { above.max(over) } else { above }
    }
}
