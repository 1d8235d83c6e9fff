//! The edges between different kinds of ground: overlays for the lower of two adjacent cells.
//!
//! Each kind has fifteen images for sides and fifteen for corners, so a cell needs at most two of each kind. `Edge`
//! images overlap land. On water `Shore` (shallows, foam, mud) is drawn first, once for all land, then `Bank` for each
//! kind of land.

use super::autotile::offset;
use super::field::smin;
use super::ground::{bump, lush, meadow, sand, snow, turf};
use super::noise::{hash, mix, step, tiling, tiling_fbm};
use super::paving::paving;
use super::picture::{Picture, SIZE, on_diamond};
use super::plane::{averaged, blades, ground, pixels, sample_point, sampled};
use super::vector::{Vec3, norm, rgb};
use super::{Job, NamedImage};
use emberwalk_map::terrain::NeighbourMask;

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

/// Draws mud, a line of foam, and shallows that are dithered into deep water.
fn shore(w: &[f64]) -> Picture {
    let broken = pixels(|x, y| tiling(x, y, 9, 77));
    let (mud, foam) = (rgb(66, 58, 44), rgb(208, 228, 228));
    let (shallow, deep) = (rgb(84, 152, 166), rgb(40, 96, 132));
    let mut picture = Picture::empty(SIZE, SIZE);
    for k in (0..SIZE * SIZE).filter(|k| on_diamond(k % SIZE, k / SIZE)) {
        let (i, j, w) = (k % SIZE, k / SIZE, w[k]);
        let jitter = hash(&[i as i64, j as i64, 73]);
        let ordered = ((i + 2 * j) % 4) as f64 / 4.0;
        if w <= 0.028 {
            picture.set(i, j, mud);
        } else if w <= 0.066 && broken[k] > 0.36 {
            picture.set(i, j, foam);
        } else if ordered + 0.25 * jitter < 1.1 - (w - 0.03) * 2.9 {
            picture.set(i, j, mix(shallow, deep, (w - 0.03) / 0.34 + 0.25 * (jitter - 0.5)));
        }
    }
    picture
}

pub fn jobs() -> Vec<Job> {
    let mut jobs: Vec<Job> = vec![Box::new(banks)];
    for kind in &OVERLAPS {
        for shape in 0..2 {
            jobs.push(Box::new(move || overlap(kind, shape)));
        }
    }
    jobs
}
