//! The edges between different kinds of ground: overlays for the lower of two adjacent cells.
//!
//! Each kind has fifteen images for sides and fifteen for corners, so a cell needs at most two of each kind. `Edge`
//! images overlap land. On water `Shore` (shallows, mud) is drawn first, once for all land, then `Bank` for each kind
//! of land, then the frames of `Foam`.

use super::autotile::offset;
use super::field::smin;
use super::ground::{bump, lush, meadow, sand, snow, turf};
use super::noise::{hash, mix, part, step, tiling, tiling_fbm};
use super::paving::paving;
use super::picture::{Picture, SIZE, on_diamond};
use super::plane::{averaged, blades, ground, pixels, sample_point, sampled};
use super::vector::{Vec3, norm, rgb};
use super::{Job, NamedImage};
use emberwalk_map::terrain::NeighbourMask;
use image::{Rgba, RgbaImage};
use std::f64::consts::{PI, TAU};

/// The sides or the corners of a cell with other ground beyond them.
#[derive(Clone, Copy)]
struct BorderMask {
    mask: NeighbourMask,
    is_corners: bool,
}

impl BorderMask {
    fn all() -> impl Iterator<Item = BorderMask> {
        NeighbourMask::all().skip(1).flat_map(|mask| [false, true].map(|is_corners| BorderMask { mask, is_corners }))
    }

    fn suffix(self) -> String {
        if self.is_corners { self.mask.corner_suffix() } else { self.mask.side_suffix() }
    }

    /// The distance to the other ground, in cells.
    fn distance(self, x: f64, y: f64) -> f64 {
        if self.is_corners {
            let corners = self.mask.corners().map(offset);
            return corners.fold(9.0, |d: f64, (east, south)| d.min(norm(x - 0.5 * east, y - 0.5 * south)));
        }
        self.mask.sides().map(offset).fold(9.0, |d, (east, south)| smin(d, 0.5 - x * east - y * south, 0.14))
    }
}

/// The distance plus `wobble` times a noise that fades out at the edge of the cell, because otherwise gaps
/// would be visible at the joints.
fn frayed(mask: BorderMask, noise: &[f64], wobble: f64) -> Vec<f64> {
    let samples: Vec<f64> = noise
        .iter()
        .enumerate()
        .map(|(k, n)| {
            let (x, y) = sample_point(k);
            let d = mask.distance(x, y);
            d - wobble * n * step(0.0, 0.16, d)
        })
        .collect();
    averaged(&samples)
}

/// How a kind of land overlaps its neighbour.
struct Overlap {
    name: &'static str,
    /// How irregular its edge is, how far it reaches, how far beyond it there are single tufts, and how rare they are.
    wobble: f64,
    reach: f64,
    strewn: f64,
    rare: f64,
    /// How much noise the edge has, and how dark its last pixels and the tufts are.
    jitter: f64,
    rim: f64,
}

const OVERLAPS: [Overlap; 4] = [
    Overlap { name: "Grass", wobble: 0.62, reach: 0.27, strewn: 0.20, rare: 0.74, jitter: 0.07, rim: 0.84 },
    Overlap { name: "Meadow", wobble: 0.80, reach: 0.36, strewn: 0.26, rare: 0.66, jitter: 0.05, rim: 1.0 },
    Overlap { name: "Snow", wobble: 0.62, reach: 0.27, strewn: 0.20, rare: 0.74, jitter: 0.05, rim: 0.96 },
    Overlap { name: "Paving", wobble: 0.24, reach: 0.07, strewn: 0.10, rare: 0.88, jitter: 0.05, rim: 0.80 },
];

fn grassland(shape: i64) -> Vec<Vec3> {
    let mut c = ground(turf(0, 0.0), bump, 0.05, 0);
    blades(&mut c, 333 + shape, 150, &lush()[..3]);
    c
}

fn overlap(kind: &Overlap, shape: i64) -> Vec<NamedImage> {
    let wander = sampled(|x, y| tiling_fbm(x, y, 3, 501 + 1000 * shape, 3) - 0.5);
    let fine = pixels(|x, y| tiling_fbm(x, y, 8, 540 + 1000 * shape, 2) - 0.5);
    let land = match kind.name {
        "Grass" => grassland(shape),
        "Meadow" => meadow(0, 140 + shape),
        "Paving" => paving(-1),
        _ => snow(-1),
    };
    let tile = |mask: BorderMask| {
        let d = frayed(mask, &wander, kind.wobble);
        let mut picture = Picture::empty(SIZE, SIZE);
        for k in (0..SIZE * SIZE).filter(|k| on_diamond(k % SIZE, k / SIZE)) {
            let (i, j) = ((k % SIZE) as i64, (k / SIZE) as i64);
            let f = d[k] - kind.reach + kind.jitter * (hash(&[i, j / 2, 71 + shape]) - 0.5) - 0.10 * fine[k];
            let tuft = f > 0.0 && f < kind.strewn && hash(&[i, j, 73 + shape]) > kind.rare + f / kind.strewn * 0.3;
            let rim = if tuft || f > -0.05 { kind.rim } else { 1.0 };
            if f < 0.0 || tuft {
                picture.set(i as usize, j as usize, land[k] * rim);
            }
        }
        let letter = if shape == 0 { "" } else { "b" };
        (format!("L1_Edge{}{}{letter}", kind.name, mask.suffix()), picture.image(5.0))
    };
    BorderMask::all().map(tile).collect()
}

/// The distance to the waterline, which is negative on the land of a bank.
fn waterline(mask: BorderMask, wander: &[f64]) -> Vec<f64> {
    frayed(mask, wander, 0.34).into_iter().map(|d| d - 0.19).collect()
}

fn banks() -> Vec<NamedImage> {
    let wander = sampled(|x, y| tiling_fbm(x, y, 3, 501, 3) - 0.5);
    let lands = [
        ("Grass", grassland(0), rgb(96, 80, 50)),
        ("Snow", snow(-1), rgb(164, 184, 208)),
        ("Sand", sand(-1), rgb(178, 148, 100)),
    ];
    let mut tiles = Vec::new();
    for mask in BorderMask::all() {
        let w = waterline(mask, &wander);
        for (name, land, mud) in &lands {
            let mut picture = Picture::empty(SIZE, SIZE);
            for k in (0..SIZE * SIZE).filter(|&k| on_diamond(k % SIZE, k / SIZE) && w[k] <= 0.0) {
                let wet = if *name == "Sand" && w[k] > -0.11 { 0.78 } else { 1.0 };
                let tone = 0.88 + 0.24 * hash(&[(k % SIZE) as i64, (k / SIZE) as i64, 73]);
                picture.set(k % SIZE, k / SIZE, if w[k] > -0.045 { *mud * tone } else { land[k] * wet });
            }
            tiles.push((format!("L1_Bank{name}{}", mask.suffix()), picture.image(5.0)));
        }
        tiles.push((format!("L1_Shore{}", mask.suffix()), shore(&w).image(4.0)));
    }
    tiles
}

/// Draws mud, and shallows that are dithered into deep water.
fn shore(w: &[f64]) -> Picture {
    let mud = rgb(66, 58, 44);
    let (shallow, deep) = (rgb(84, 152, 166), rgb(40, 96, 132));
    let mut picture = Picture::empty(SIZE, SIZE);
    for k in (0..SIZE * SIZE).filter(|k| on_diamond(k % SIZE, k / SIZE)) {
        let (i, j, w) = (k % SIZE, k / SIZE, w[k]);
        let jitter = hash(&[i as i64, j as i64, 73]);
        let ordered = ((i + 2 * j) % 4) as f64 / 4.0;
        if w <= 0.028 {
            picture.set(i, j, mud);
        } else if ordered + 0.25 * jitter < 1.1 - (w - 0.03) * 2.9 {
            picture.set(i, j, mix(shallow, deep, (w - 0.03) / 0.34 + 0.25 * (jitter - 0.5)));
        }
    }
    picture
}

/// The number of frames of foam, as many as the water has.
const FRAMES: usize = 4;

/// A pixel of foam.
fn white(alpha: f64) -> Rgba<u8> {
    // Few steps of alpha make smaller files.
    let alpha = (alpha.clamp(0.0, 1.0) * 16.0).round() / 16.0;
    if alpha > 0.0 { Rgba([220, 236, 236, (alpha * 255.0) as u8]) } else { Rgba([0; 4]) }
}

/// A tile with an alpha for each pixel of the ground.
fn foamy(alpha: impl Fn(usize) -> f64) -> RgbaImage {
    RgbaImage::from_fn(SIZE as u32, SIZE as u32, |i, j| {
        let (i, j) = (i as usize, j as usize);
        white(if on_diamond(i, j) { alpha(j * SIZE + i) } else { 0.0 })
    })
}

/// Foam that laps against all land: a line that comes and goes, and a ripple that runs towards it.
fn foam() -> Vec<NamedImage> {
    let wander = sampled(|x, y| tiling_fbm(x, y, 3, 501, 3) - 0.5);
    let broken = pixels(|x, y| tiling(x, y, 9, 77));
    let coarse = pixels(|x, y| tiling(x, y, 3, 78));
    let mut tiles = Vec::new();
    for mask in BorderMask::all() {
        let w = waterline(mask, &wander);
        for frame in 0..FRAMES {
            let tile = foamy(|k| {
                // Parts of the shore are ahead of others.
                let phase = frame as f64 / FRAMES as f64 + coarse[k];
                let reach = 0.055 + 0.028 * (TAU * phase).sin();
                let line: f64 = if w[k] > 0.022 && w[k] <= reach && broken[k] > 0.34 { 0.86 } else { 0.0 };
                let run = part(phase);
                let ripple = (1.0 - ((w[k] - 0.26 + 0.17 * run) / 0.022).abs()).max(0.0);
                let strength = (PI * run).sin() * step(0.40, 0.62, broken[(k + 9 * SIZE) % broken.len()]);
                line.max(0.5 * ripple * strength)
            });
            tiles.push((format!("L1_Foam{}{}", frame + 1, mask.suffix()), tile));
        }
    }
    tiles
}

/// Foam below a fall from the north or the east: it boils at the foot and drifts away.
fn churn() -> Vec<NamedImage> {
    let mut tiles = Vec::new();
    for (name, north, east) in [("N", true, false), ("E", false, true), ("NE", true, true)] {
        for frame in 0..FRAMES {
            let run = frame as f64 / FRAMES as f64;
            let alpha = pixels(|x, y| {
                let far = |is_there: bool, d: f64| if is_there { d } else { 9.0 };
                let d = far(north, 0.5 + y).min(far(east, 0.5 - x));
                // The noise runs away from the fall, and joins from cell to cell.
                let (u, v) = (x + if east { run / 2.0 } else { 0.0 }, y - if north { run / 2.0 } else { 0.0 });
                let boil = d - 0.07 - 0.20 * tiling(x, y, 6, 120 + frame as i64);
                let drift = step(0.56, 0.76, tiling(u, v, 8, 130)) * step(0.62, 0.10, d) * 0.55;
                (step(0.06, -0.07, boil) * 0.9).max(drift)
            });
            let grain = |k: usize| 0.75 + 0.25 * hash(&[(k % SIZE) as i64, (k / SIZE / 2) as i64, frame as i64]);
            tiles.push((format!("L1_Churn{}{name}", frame + 1), foamy(|k| alpha[k] * grain(k))));
        }
    }
    tiles
}

/// What makes water darker by one step of depth, from nothing at a corner near land to all of it at the others. It never
/// overlaps its neighbours, because it is translucent.
fn deep() -> Vec<NamedImage> {
    let masks = NeighbourMask::all().skip(1);
    let tile = |mask: NeighbourMask| {
        let corners: Vec<_> = mask.corners().map(offset).collect();
        let tile = RgbaImage::from_fn(SIZE as u32, SIZE as u32, |i, j| {
            let (x, y) = (f64::from(i) + 0.5 - 27.0, f64::from(j) + 0.5 - 40.0);
            if x.abs() + 2.0 * y.abs() >= 26.0 {
                return Rgba([0; 4]);
            }
            let (x, y) = ((x / 26.0 - y / 13.0) / 2.0, (x / 26.0 + y / 13.0) / 2.0);
            let deep: f64 = corners.iter().map(|(east, south)| (0.5 + x * east) * (0.5 + y * south)).sum();
            let alpha = 0.34 * step(0.0, 1.0, deep) + 0.03 * (hash(&[i.into(), j.into(), 140]) - 0.5) * deep;
            Rgba([10, 34, 74, (alpha * 255.0).round() as u8])
        });
        (format!("L1_Deep{}", mask.corner_suffix()), tile)
    };
    masks.map(tile).collect()
}

pub fn jobs() -> Vec<Job> {
    let mut jobs: Vec<Job> = vec![Box::new(banks), Box::new(foam), Box::new(churn), Box::new(deep)];
    for kind in &OVERLAPS {
        for shape in 0..2 {
            jobs.push(Box::new(move || overlap(kind, shape)));
        }
    }
    jobs
}
