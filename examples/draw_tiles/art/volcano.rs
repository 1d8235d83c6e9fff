//! The volcano, dormant and erupting. The window adds smoke and sparks.

use super::field::Height;
use super::ground::VARIANTS;
use super::model::{Model, Part, Surface};
use super::noise::{fbm2, fire, mix, noise2, noise3, step, turn};
use super::render::Shot;
use super::vector::{Vec3, norm, rgb};
use super::{Job, NamedImage};
use std::f64::consts::{FRAC_PI_4, SQRT_2, TAU};

/// The height and radius of the rim of the crater.
const RIM: f64 = 1.98;
const RIM_R: f64 = 0.31;
/// The axis is a little behind the centre of the cell, because the image ends at the front of the cell.
const BACK: f64 = 0.075;
const FRAMES: usize = 6;

/// A stream of lava: its bearing, half width, how far down it reaches (1 is the foot), and a seed for its bends.
const STREAMS: [(f64, f64, f64, i64); 4] =
    [(2.20, 0.090, 1.02, 0), (1.38, 0.055, 0.62, 1), (2.92, 0.062, 0.90, 5), (0.62, 0.07, 0.76, 4)];

/// The bearing and the distance from the axis.
fn polar(x: f64, y: f64) -> (f64, f64) {
    let (dx, dy) = (x - BACK, y + BACK);
    (dy.atan2(dx), norm(dx, dy))
}

/// The position of a point on the slope: 0 at the rim, 1 at the foot.
fn descent(x: f64, y: f64) -> f64 {
    let (_, rho) = polar(x, y);
    let (side, front) = ((x + y) / SQRT_2, (y - x) / SQRT_2 + BACK * SQRT_2);
    let depth = if front > 0.0 { 0.835 } else { 1.05 };
    // From the axis to the foot in this direction.
    let stretch = ((side / 1.17).powi(2) + (front / depth).powi(2)).sqrt() / rho.max(1e-6);
    let foot = 1.0 / stretch.max(1e-6);
    let rough = 0.05 * (fbm2(x, y, 3.5, 401, 3) - 0.5);
    (rho + rough - RIM_R) / (foot - RIM_R)
}

fn height(x: f64, y: f64) -> f64 {
    let (a, rho) = polar(x, y);
    let t = descent(x, y);
    let bend = fbm2(x, y, 2.8, 405, 2);
    let gully = (3.5 * a + 4.5 * bend).sin().abs() * 0.6 + (8.0 * a + 1.0 + 5.0 * bend).sin().abs() * 0.3;
    // The rim is lower towards the camera, so that the inside of the crater is visible.
    let rim = RIM + 0.12 * (a + FRAC_PI_4).cos() + 0.035 * (3.0 * a + 1.0).sin() + 0.022 * (7.0 * a).sin();
    let down = 1.0 - t.clamp(0.0, 1.3);
    let flank = (rim + 0.02) * down.signum() * down.abs().powf(1.34);
    let flank = flank - 0.17 * gully * step(0.03, 0.30, t) * step(1.1, 0.6, t);
    let h = if rho < RIM_R { (RIM + 0.02 - 0.62 * (1.0 - (rho / RIM_R).powi(2))).min(rim) } else { flank.min(rim) };
    let crags = 0.5 - (2.0 * fbm2(x + 7.0, y, 4.2, 415, 4) - 1.0).abs();
    let h = h + 0.38 * crags * step(0.06, 0.35, t) * step(1.05, 0.8, t);
    // Beyond the foot the field drops, because otherwise it would darken the ground around it.
    h + 0.11 * (fbm2(x, y, 5.0, 409, 4) - 0.5) * step(0.02, 0.25, t) - 1.2 * (t - 1.0).max(0.0)
}

/// 0 to 1 inside a stream, 1 on its centre line, and the glow around it.
fn lava(x: f64, y: f64) -> (f64, f64) {
    let (a, r) = polar(x, y);
    let t = descent(x, y);
    let (mut best, mut glow) = (0.0f64, 0.0f64);
    for (a0, w, reach, k) in STREAMS {
        let own = 2.1 * k as f64;
        let wander = 0.36 * (noise2(r * 4.2 + 10.0 * k as f64, 0.0, 1.0, 420) - 0.5);
        let bend = wander + 0.17 * (8.5 * r + own).sin() + 0.07 * (17.0 * r + 2.0 * own).sin();
        let d = turn(a, a0 + bend) * r.max(0.1);
        let w = w * (0.50 + 0.75 * t.clamp(0.0, 1.0)) * step(reach, reach - 0.2, t);
        if w > 0.004 {
            best = best.max((1.0 - d / w).clamp(0.0, 1.0));
        }
        glow = glow.max((-(d - w).max(0.0) / 0.09).exp() * step(reach + 0.2, reach - 0.1, t));
    }
    (best, glow)
}

fn rock(p: Vec3) -> Vec3 {
    let c = mix(rgb(92, 86, 88), rgb(140, 122, 114), noise3(p, 5.5, 3));
    let strata = noise2(p.z * 16.0 + 3.0 * noise3(p, 4.0, 2), 0.0, 1.0, 14);
    let c = mix(c, rgb(56, 50, 54), noise3(p, 17.0, 4) * 0.5 + 0.35 * strata);
    let c = mix(c, rgb(150, 112, 88), step(1.2, 1.9, p.z) * 0.6 * noise3(p, 10.0, 6));
    // The foot is bare rock, because the volcano may stand on snow or ash.
    mix(c, rgb(78, 70, 68), step(0.22, 0.04, p.z + 0.12 * noise3(p, 9.0, 6)) * 0.8)
}

fn calm(p: Vec3) -> Vec3 {
    // Old, cold streams.
    let c = mix(rock(p), rgb(58, 50, 54), step(0.1, 0.5, lava(p.x, p.y).0) * 0.75);
    let pit = polar(p.x, p.y).1 < RIM_R * 0.9 && p.z < RIM - 0.12;
    if pit { c * 0.5 } else { c }
}

fn hot(p: Vec3, frame: usize) -> Surface {
    let (a, r) = polar(p.x, p.y);
    let (best, glow) = lava(p.x, p.y);
    let t = descent(p.x, p.y);
    let turn = frame as f64 / FRAMES as f64;
    let pulse = 1.0 + 0.16 * (TAU * turn + 0.5).sin();
    // Brighter clots move down the streams; every wave moves by a whole number of wavelengths in one loop of the
    // animation.
    let clot = |waves: f64, laps: f64, seed: i64| {
        (TAU * (waves * r - laps * turn) + 5.0 * noise2(a * 3.0, r * 2.0, 1.0, seed)).sin()
    };
    let flow = 0.5 + 0.30 * clot(4.0, 1.0, 430) + 0.22 * clot(7.0, 2.0, 433);
    if r < RIM_R * 0.99 {
        let deep = step(RIM - 0.02, RIM - 0.42, p.z);
        let churn = noise2(p.x * 11.0 + (TAU * turn).cos(), p.y * 11.0 + (TAU * turn).sin(), 1.0, 440) - 0.5;
        return Surface { albedo: rock(p) * 0.5, glow: fire(0.24 + 0.60 * deep * pulse + 0.26 * churn), lamp: 0.0 };
    }
    let lip = rgb(255, 120, 30) * ((-(r - RIM_R).abs() / 0.07).exp() * 0.34 * pulse);
    if best > 0.02 {
        let heat = 0.50 + 0.40 * best.powf(0.7) - 0.36 * t + 0.40 * (flow - 0.5);
        return Surface { albedo: Vec3::default(), glow: fire(heat) + lip * 0.5, lamp: 0.0 };
    }
    let halo = rgb(255, 96, 24) * (glow * 0.26 * (1.0 - 0.5 * t) * pulse);
    Surface { albedo: rock(p) * 0.86, glow: halo + lip, lamp: 0.0 }
}

fn model(paint: impl Fn(Vec3) -> Surface + Send + Sync + 'static) -> Model {
    let field = Height::new(1.25, 0.34, height);
    Model::new(vec![Part::new(move |p| field.distance(p), move |p, _| paint(p))])
}

pub fn jobs() -> Vec<Job> {
    let shot = Shot::sized(184, 110, 2.3).stride(0.10);
    let dormant = move || -> Vec<NamedImage> {
        let model = model(|p| calm(p).into());
        let name = "L2_MountainBigVolcano01";
        let shadow = shot.shadow(&model);
        let mut tiles = vec![(name.to_owned(), shot.draw(&model).image(5.0)), (format!("{name}_sh"), shadow.clone())];
        // The mountain has the same shape when it erupts, so its shadow is the same.
        let frames = VARIANTS.iter().take(FRAMES);
        tiles.extend(frames.map(|letter| (format!("L2_MountainBigVolcanoErupt01{letter}_sh"), shadow.clone())));
        tiles
    };
    let mut jobs: Vec<Job> = vec![Box::new(dormant)];
    for (frame, letter) in VARIANTS.into_iter().take(FRAMES).enumerate() {
        jobs.push(Box::new(move || {
            let model = model(move |p| hot(p, frame));
            vec![(format!("L2_MountainBigVolcanoErupt01{letter}"), shot.draw(&model).image(5.0))]
        }));
    }
    jobs
}
