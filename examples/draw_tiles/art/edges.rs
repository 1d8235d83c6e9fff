//! Where ground meets ground: overlays for the lower of the two cells, by where the higher one lies.
//!
//! There are fifteen by sides and fifteen by lone corners a kind, so a cell needs two of a kind at most. `Edge`
//! creeps over land; on water `Shore` (shallows, foam, mud) is drawn first by all land together, then
//! `Bank` by each kind of land.

use super::field::smin;
use super::ground::{bump, lush, meadow, sand, snow, turf};
use super::joins::{sides, suffix};
use super::noise::{hash, mix, step, tiling, tiling_fbm};
use super::picture::{Picture, SIZE, on_diamond};
use super::plane::{averaged, blades, ground, pixels, sample_point, sampled};
use super::vector::{Vec3, norm, rgb};
use super::{Job, Tile};

const CORNERS: [(&str, f64, f64); 4] = [("NE", 0.5, -0.5), ("SE", 0.5, 0.5), ("SW", -0.5, 0.5), ("NW", -0.5, -0.5)];

/// Which sides or corners of a cell another ground lies beyond.
#[derive(Clone, Copy)]
struct Mask {
    bits: usize,
    corners: bool,
}

impl Mask {
    fn all() -> impl Iterator<Item = Mask> {
        (1..16).flat_map(|bits| [false, true].map(|corners| Mask { bits, corners }))
    }

    fn name(self) -> String {
        if !self.corners {
            return suffix(&sides(self.bits));
        }
        self.chosen().map(|corner| format!("_{}", corner.0)).collect()
    }

    fn chosen(self) -> impl Iterator<Item = (&'static str, f64, f64)> {
        CORNERS.into_iter().enumerate().filter(move |(k, _)| self.bits >> k & 1 == 1).map(|(_, corner)| corner)
    }

    /// Distance to the other ground, in cells.
    fn distance(self, x: f64, y: f64) -> f64 {
        if self.corners {
            return self.chosen().fold(9.0, |d: f64, (_, east, south)| d.min(norm(x - east, y - south)));
        }
        sides(self.bits).iter().fold(9.0, |d, &(_, east, south)| smin(d, 0.5 - x * east - y * south, 0.14))
    }
}

/// The distance with `wobble` times a noise that fades to nothing at the cell's very edge, or gaps would show
/// at the joints.
fn frayed(mask: Mask, noise: &[f64], wobble: f64) -> Vec<f64> {
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

/// A kind of land that creeps over its neighbour.
struct Creep {
    name: &'static str,
    /// How far its edge wanders, how far in it lies, how far single tufts are strewn, and how rare they are.
    wobble: f64,
    reach: f64,
    strewn: f64,
    rare: f64,
    /// How much a hash jitters the edge, and how dark the edge's last pixels and tufts are.
    jitter: f64,
    rim: f64,
}

const CREEPS: [Creep; 3] = [
    Creep { name: "Grass", wobble: 0.62, reach: 0.27, strewn: 0.20, rare: 0.74, jitter: 0.07, rim: 0.84 },
    Creep { name: "Meadow", wobble: 0.80, reach: 0.36, strewn: 0.26, rare: 0.66, jitter: 0.05, rim: 1.0 },
    Creep { name: "Snow", wobble: 0.62, reach: 0.27, strewn: 0.20, rare: 0.74, jitter: 0.05, rim: 0.96 },
];

fn grassland(shape: i64) -> Vec<Vec3> {
    let mut c = ground(turf(0, 0.0), bump, 0.05, 0);
    blades(&mut c, 333 + shape, 150, &lush()[..3]);
    c
}

fn creep(kind: &Creep, shape: i64) -> Vec<Tile> {
    let wander = sampled(|x, y| tiling_fbm(x, y, 3, 501 + 1000 * shape, 3) - 0.5);
    let fine = pixels(|x, y| tiling_fbm(x, y, 8, 540 + 1000 * shape, 2) - 0.5);
    let land = match kind.name {
        "Grass" => grassland(shape),
        "Meadow" => meadow(0, 140 + shape),
        _ => snow(-1),
    };
    let tile = |mask: Mask| {
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
        (format!("L1_Edge{}{}{letter}", kind.name, mask.name()), picture.image(5.0))
    };
    Mask::all().map(tile).collect()
}

/// How far into the water the land of a bank reaches.
fn waterline(mask: Mask, wander: &[f64]) -> Vec<f64> {
    frayed(mask, wander, 0.34).into_iter().map(|d| d - 0.19).collect()
}

fn banks() -> Vec<Tile> {
    let wander = sampled(|x, y| tiling_fbm(x, y, 3, 501, 3) - 0.5);
    let lands = [
        ("Grass", grassland(0), rgb(96, 80, 50)),
        ("Snow", snow(-1), rgb(164, 184, 208)),
        ("Sand", sand(-1), rgb(178, 148, 100)),
    ];
    let mut tiles = Vec::new();
    for mask in Mask::all() {
        let w = waterline(mask, &wander);
        for (name, land, mud) in &lands {
            let mut picture = Picture::empty(SIZE, SIZE);
            for k in (0..SIZE * SIZE).filter(|&k| on_diamond(k % SIZE, k / SIZE) && w[k] <= 0.0) {
                let wet = if *name == "Sand" && w[k] > -0.11 { 0.78 } else { 1.0 };
                let tone = 0.88 + 0.24 * hash(&[(k % SIZE) as i64, (k / SIZE) as i64, 73]);
                picture.set(k % SIZE, k / SIZE, if w[k] > -0.045 { *mud * tone } else { land[k] * wet });
            }
            tiles.push((format!("L1_Bank{name}{}", mask.name()), picture.image(5.0)));
        }
        tiles.push((format!("L1_Shore{}", mask.name()), shore(&w).image(4.0)));
    }
    tiles
}

/// Mud, a line of foam, and shallows that are dithered into the deep.
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
    for kind in &CREEPS {
        for shape in 0..2 {
            jobs.push(Box::new(move || creep(kind, shape)));
        }
    }
    jobs
}
