//! Leafy things: the crowns of trees, bushes and hedges.

use super::field::{ball, cone};
use super::model::Part;
use super::noise::{mix, noise3, step};
use super::vector::{Vec3, rgb, vec3};

/// The colours of leaves: in the shade, in the light, and of the fruit or flowers among them.
#[derive(Clone, Copy)]
pub struct Foliage {
    pub dark: Vec3,
    pub light: Vec3,
    pub fruit: Option<Vec3>,
}

/// The green of bushes and hedges.
pub fn hedge_green() -> Foliage {
    Foliage { dark: rgb(38, 70, 34), light: rgb(94, 126, 54), fruit: None }
}

/// A solid with a leafy surface between the heights `low` and `high`. `field` is the smooth solid.
pub fn leafy(
    field: impl Fn(Vec3) -> f64 + Send + Sync + 'static,
    (low, high): (f64, f64),
    foliage: Foliage,
    seed: i64,
) -> Part {
    let rough = move |p: Vec3| {
        let d = field(p);
        if d > 0.07 {
            return d * 0.7;
        }
        (d + 0.045 * (noise3(p, 16.0, seed) - 0.5) + 0.030 * (noise3(p, 37.0, seed) - 0.5)) * 0.7
    };
    let paint = move |p: Vec3, _: Vec3| {
        let up = (p.z - low) / (high - low);
        let c = mix(foliage.dark, foliage.light, 0.18 + 0.62 * up + 0.8 * (noise3(p, 27.0, seed + 3) - 0.45));
        match foliage.fruit {
            Some(fruit) if noise3(p, 24.0, seed + 9) > 0.79 => fruit,
            _ => mix(c, foliage.dark * 0.6, step(0.35, 0.0, up) * 0.6),
        }
    };
    Part::new(rough, paint)
}

/// A round bush on the ground.
pub fn bush((x, y): (f64, f64), r: f64, foliage: Foliage, seed: i64) -> Part {
    let field = move |p: Vec3| ball(vec3(p.x, p.y, p.z * 1.15), vec3(x, y, r * 0.55), r);
    leafy(field, (0.0, r * 1.5), foliage, seed).within(x, y, r + 0.05, r * 1.5 + 0.05)
}

/// A tree with a round crown of the radius `r` around the height `z`: its trunk and its crown.
pub fn tree((x, y): (f64, f64), z: f64, r: f64, foliage: Foliage, seed: i64) -> [Part; 2] {
    let trunk = cone(x, y, (-0.05, z), (0.034, 0.022));
    let field = move |p: Vec3| {
        // Three lobes are rounder from every side than a ball.
        let lobes = [(0.0, 0.35, 0.25), (-0.32, -0.22, -0.1), (0.32, -0.18, -0.05)];
        lobes
            .iter()
            .fold(9.0, |d: f64, &(dx, dy, dz)| d.min(ball(p, vec3(x + dx * r, y + dy * r, z + dz * r), r * 0.74)))
    };
    let crown = leafy(field, (z - r, z + r), foliage, seed).within(x, y, r * 1.25, z + r * 1.2);
    [Part::plain(move |p| trunk.at(p), rgb(92, 70, 50)).within(x, y, 0.06, z + 0.02), crown]
}
