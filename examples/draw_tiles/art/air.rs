//! Smoke puffs, embers and a soft glow for eruptions.

use super::field::{ball, smin};
use super::ground::VARIANTS;
use super::model::{Model, Part, Surface};
use super::noise::{fbm2, fire, hash, noise3, step};
use super::picture::{MAGENTA, Picture};
use super::render::Shot;
use super::vector::{Vec3, norm, rgb, vec3};
use super::{Job, NamedImage};
use image::{Rgba, RgbaImage};

/// The height of the centre of a puff: the largest one just touches the ground.
const MIDDLE: f64 = 0.56;

/// A cluster of small balls, like the smoke above a vent.
fn puff(k: usize) -> Model {
    // The last one fills the tile.
    let (r, turn) = ([0.15, 0.24, 0.37, 0.54][k], k as f64);
    let count = 14 + 9 * k;
    let lumps: Vec<(Vec3, f64)> = (0..count)
        .map(|lump| {
            // Spaced evenly over a sphere by the golden angle.
            let (up, a) = (1.0 - (2.0 * lump as f64 + 1.0) / count as f64, lump as f64 * 2.399_963 + turn);
            let out = vec3(a.cos() * (1.0 - up * up).sqrt(), a.sin() * (1.0 - up * up).sqrt(), up * 0.85);
            let size = 0.38 - 0.03 * k as f64 + 0.12 * hash(&[lump as i64, k as i64, 66]);
            (vec3(0.0, 0.0, MIDDLE) + out * (r * 0.78), r * size)
        })
        .collect();
    let seed = 60 + k as i64;
    let field = move |p: Vec3| {
        let body = ball(p, vec3(0.0, 0.0, MIDDLE), r * 0.92);
        let d = lumps.iter().fold(body, |d, &(c, q)| smin(d, ball(p, c, q), 0.08 * r));
        (d + 0.03 * (noise3(p, 14.0, seed) - 0.5)) * 0.8
    };
    // Smoke is translucent, so its shaded side is never dark.
    let paint = |p: Vec3, n: Vec3| Surface {
        albedo: rgb(104, 98, 102) * (0.9 + 0.2 * noise3(p, 9.0, 3)),
        glow: rgb(84, 82, 92) * (0.5 + 0.3 * n.z),
        lamp: 0.0,
    };
    Model::new(vec![Part::new(field, paint).within(0.0, 0.0, r * 1.4, MIDDLE + r * 1.4)])
}

/// A puff that fades towards its edge in wisps, so that several become one plume.
fn faded(mut puff: RgbaImage, k: usize) -> RgbaImage {
    let set: Vec<_> = puff.enumerate_pixels().filter(|(_, _, c)| c.0 != MAGENTA.0).map(|(i, j, _)| (i, j)).collect();
    let middle = |side: fn(&(u32, u32)) -> u32| {
        let (low, high) = (set.iter().map(side).min(), set.iter().map(side).max());
        f64::from(low.unwrap_or(0) + high.unwrap_or(0)) / 2.0
    };
    let (x, y) = (middle(|at| at.0), middle(|at| at.1));
    let far = set.iter().map(|&(i, j)| norm(f64::from(i) - x, f64::from(j) - y)).fold(1.0, f64::max);
    for (i, j, pixel) in puff.enumerate_pixels_mut() {
        let (across, down) = ((f64::from(i) - x) / far, (f64::from(j) - y) / far);
        let wisp = fbm2(across, down, 2.2, 70 + k as i64, 3) - 0.5;
        let alpha = 1.0 - step(0.22, 0.96, norm(across, down) + 0.36 * wisp);
        // Few steps of alpha make smaller files.
        let alpha = if *pixel == MAGENTA { 0.0 } else { (alpha * 24.0).round() / 24.0 };
        *pixel =
            if alpha > 0.0 { Rgba([pixel.0[0], pixel.0[1], pixel.0[2], (alpha * 255.0) as u8]) } else { Rgba([0; 4]) };
    }
    puff
}

fn ember(spark: &[(usize, usize, f64)]) -> Picture {
    let mut picture = Picture::empty(8, 8);
    for &(i, j, heat) in spark {
        picture.set(i, j, fire(heat));
    }
    picture
}

/// White, so that it can be tinted when it is drawn.
fn glow() -> RgbaImage {
    RgbaImage::from_fn(108, 108, |i, j| {
        let r = norm(f64::from(i) - 53.5, f64::from(j) - 53.5) / 52.0;
        let a = (1.0 - r * r).max(0.0).powi(5) * 255.0;
        // Dithered: on a dark background the steps of faint light would be visible as rings.
        Rgba([255, 255, 255, (a + hash(&[i64::from(i), i64::from(j), 67])) as u8])
    })
}

fn small() -> Vec<NamedImage> {
    let cross = [(3, 3, 1.0), (4, 3, 0.8), (3, 4, 0.8), (4, 4, 0.62), (2, 3, 0.5), (3, 2, 0.5)];
    let spark = [(3, 3, 0.9), (4, 4, 0.55), (3, 4, 0.66)];
    vec![
        ("L5_Ember01".to_owned(), ember(&cross).image(4.0)),
        ("L5_Ember01b".to_owned(), ember(&spark).image(4.0)),
        ("L5_Glow01".to_owned(), glow()),
    ]
}

pub fn jobs() -> Vec<Job> {
    let mut jobs: Vec<Job> = vec![Box::new(small)];
    for (k, letter) in VARIANTS.into_iter().take(4).enumerate() {
        jobs.push(Box::new(move || {
            let picture = Shot::tile(1.3).rim(1.0).draw(&puff(k));
            vec![(format!("L5_Puff01{letter}"), faded(picture.image(5.0), k))]
        }));
    }
    jobs
}
