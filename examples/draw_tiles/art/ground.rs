//! Grass, dry meadow, snow, sand and water.

use super::NamedImage;
use super::noise::{RandomSequence, mix, step, tiling, tiling_fbm};
use super::picture::{Picture, SIZE, on_diamond};
use super::plane::{blades, ground, inner, pixels};
use super::vector::{Vec3, rgb};
use std::f64::consts::TAU;

/// The first variant has the name without a letter.
pub const VARIANTS: [&str; 6] = ["", "b", "c", "d", "e", "f"];

/// The small bumps of grassland.
pub fn bump(x: f64, y: f64) -> f64 {
    0.05 * tiling_fbm(x, y, 6, 3, 3)
}

/// `dry` goes from lush grass at 0 to straw at 1.
pub fn turf(variant: i64, dry: f64) -> impl Fn(f64, f64) -> Vec3 {
    let (dark, mid, light) = (rgb(78, 112, 50), rgb(100, 134, 58), rgb(132, 152, 70));
    let (moss, straw) = (rgb(84, 118, 56), rgb(138, 146, 70));
    move |x, y| {
        // Features that all cells share must be fine and faint, because they form a visible pattern when zoomed out.
        let c = mix(dark, mid, 0.46 + 0.66 * tiling_fbm(x, y, 7, 11, 3));
        let inside = inner(x, y, 0.2);
        let c = mix(c, light, step(0.52, 0.8, tiling(x, y, 3, 20 + variant)) * inside * 0.26);
        let c = mix(c, moss, step(0.55, 0.85, tiling(x, y, 3, 40 + variant)) * inside * 0.30);
        mix(c, mix(straw * 0.86, straw * 1.10, tiling_fbm(x, y, 6, 61, 3)), dry)
    }
}

pub fn lush() -> [Vec3; 4] {
    [rgb(146, 168, 78), rgb(70, 104, 46), rgb(122, 150, 66), rgb(88, 124, 52)]
}

/// Dense grass; `seed` decides where the blades are.
pub fn grass(variant: i64, seed: i64) -> Vec<Vec3> {
    let mut c = ground(turf(variant, 0.0), bump, 0.05, variant);
    blades(&mut c, seed, 160, &lush());
    c
}

pub fn meadow(variant: i64, seed: i64) -> Vec<Vec3> {
    let mut c = ground(turf(variant, 0.62), bump, 0.05, variant + 6);
    let straws = [rgb(176, 176, 98), rgb(110, 122, 56), rgb(150, 154, 76), rgb(190, 180, 112)];
    blades(&mut c, seed, 190, &straws);
    c
}

/// A negative `variant` is snow without individual features, for the edges.
pub fn snow(variant: i64) -> Vec<Vec3> {
    let (shaded, bright) = (rgb(204, 215, 232), rgb(228, 234, 240));
    let own = if variant < 0 { 0.0 } else { 1.0 };
    // Features that all cells share would be visible as a grid, so they are very faint.
    let albedo = move |x, y| {
        let inside = inner(x, y, 0.3) * own;
        let mound = tiling(x, y, 2, 60 + variant) * inside + 0.5 * (1.0 - inside);
        mix(shaded, bright, 0.42 + 0.32 * tiling_fbm(x, y, 8, 31, 3) + 0.22 * mound)
    };
    let drift =
        move |x, y| 0.012 * tiling_fbm(x, y, 8, 33, 2) + 0.025 * own * tiling(x, y, 3, 70 + variant) * inner(x, y, 0.3);
    let mut c = ground(albedo, drift, 0.02, 10 + variant);
    ripples(&mut c, 90 + variant, 46);
    c
}

/// Small ridges made by the wind: a light line above a dark one.
fn ripples(c: &mut [Vec3], seed: i64, count: usize) {
    let (light, shade) = (rgb(244, 247, 250), rgb(186, 200, 224));
    let mut random = RandomSequence::new(seed);
    for _ in 0..count {
        let (i, j, long) = (random.within(2, 48), random.within(28, 52), random.within(2, 6));
        let strength = 0.25 + 0.35 * random.unit();
        for i in i..i + long {
            if on_diamond(i, j) && on_diamond(i, j + 1) {
                c[j * SIZE + i] = mix(c[j * SIZE + i], light, strength);
                c[(j + 1) * SIZE + i] = mix(c[(j + 1) * SIZE + i], shade, strength * 0.8);
            }
        }
    }
}

pub fn sand(variant: i64) -> Vec<Vec3> {
    let (damp, dry) = (rgb(190, 160, 108), rgb(214, 188, 136));
    let own = if variant < 0 { 0.0 } else { 0.16 };
    let albedo = move |x, y| {
        let hollow = own * step(0.6, 0.9, tiling(x, y, 4, 80 + variant)) * inner(x, y, 0.2);
        mix(damp, dry, 0.52 + 0.7 * tiling_fbm(x, y, 7, 51, 3) - hollow)
    };
    let ripple = move |x: f64, y: f64| {
        0.010 * (TAU * (4.0 * (x - y) + 1.6 * tiling_fbm(x, y, 2, 53, 2))).sin() + 0.03 * tiling_fbm(x, y, 5, 55, 2)
    };
    ground(albedo, ripple, 0.05, 20 + variant)
}

/// Wave vectors near (n, -n), so that crests are horizontal on screen; integers, so that they join from cell to cell.
const WAVES: [(f64, f64, f64, f64); 7] = [
    (3.0, -3.0, 1.0, 0.1),
    (2.0, -3.0, 0.9, 2.3),
    (4.0, -3.0, 0.8, 4.0),
    (5.0, -4.0, 0.6, 1.2),
    (1.0, -2.0, 1.0, 5.1),
    (2.0, -1.0, 0.8, 3.0),
    (6.0, -7.0, 0.4, 0.6),
];

fn water(frame: usize, glints: f64) -> Vec<Vec3> {
    let (deep, mid, light, glint) = (rgb(24, 62, 98), rgb(44, 98, 134), rgb(84, 140, 168), rgb(190, 220, 228));
    pixels(|x, y| {
        let waves = WAVES.iter().enumerate().map(|(k, &(kx, ky, tall, phase))| {
            let run = 0.25 * frame as f64 * if k % 2 == 1 { 1.0 } else { -1.0 };
            tall * (TAU * (kx * x + ky * y + run) + phase + 1.5 * tiling(x, y, 3, 90 + k as i64)).sin()
        });
        let h = waves.sum::<f64>() / 5.5;
        let c = mix(mix(deep, mid, 0.5 + 0.55 * h), light, step(0.42, 0.62, h) * 0.55);
        mix(c, glint, step(0.46, 0.6, h) * inner(x, y, 0.3) * 0.75 * glints)
    })
}

/// The heads of a kind of flower: its two colours, and how many there are in a clump.
type Bloom = ([Vec3; 2], usize);

/// Grass with clumps of flowers, which stay away from the edges of the cell.
fn flowering(mut c: Vec<Vec3>, seed: i64, clumps: &[Bloom]) -> Vec<Vec3> {
    let (leaf, foot) = (rgb(66, 104, 44), rgb(48, 76, 36));
    let mut random = RandomSequence::new(seed);
    for &([head, shade], count) in clumps {
        let (middle, row) = (random.within(18, 36) as f64, random.within(35, 45) as f64);
        for _ in 0..count {
            // The sum of two numbers is dense in the middle of the clump.
            let mut around = |reach: f64| (random.unit() + random.unit() - 1.0) * reach;
            let (i, j) = ((middle + around(11.0)).round() as usize, (row + around(6.0)).round() as usize);
            let away = (i as f64 - 27.0).abs() + 2.0 * (j as f64 - 40.0).abs();
            if away > 19.0 {
                continue;
            }
            c[(j + 1) * SIZE + i] = leaf;
            c[(j + 2) * SIZE + i] = mix(c[(j + 2) * SIZE + i], foot, 0.7);
            c[j * SIZE + i] = head;
            if random.unit() < 0.45 {
                c[j * SIZE + i + 1] = shade;
            }
        }
    }
    c
}

/// A drake and a duck, seen from the left: green or brown head, bill, breast, body, tail and the water under it.
const DUCKS: [[&str; 5]; 2] = [
    [".GG......", "YGGW...t.", ".PPBBBBtt", "..PBBBBb.", ".~~~~~~~~"],
    [".FF......", "yFFf...f.", ".FfffFfff", "..ffFffF.", ".~~~~~~~~"],
];

/// Water with ducks, which bob from frame to frame.
fn with_ducks(mut c: Vec<Vec3>, frame: usize) -> Vec<Vec3> {
    let colour = |letter: char| match letter {
        'G' => rgb(34, 104, 66),
        'Y' => rgb(236, 186, 60),
        'y' => rgb(206, 140, 64),
        'W' | 't' => rgb(236, 236, 226),
        'P' => rgb(112, 66, 44),
        'B' => rgb(176, 166, 152),
        'b' => rgb(126, 116, 108),
        'F' => rgb(104, 70, 46),
        _ => rgb(186, 150, 106),
    };
    let birds = [(18, 38, false, 0), (29, 41, false, 1), (27, 35, true, 1)];
    for (k, (left, top, mirrored, bird)) in birds.into_iter().enumerate() {
        let (swum, bob) = ([0, 1, 1, 0][(frame + k) % 4], [0, 0, 1, 0][(frame + k) % 4]);
        for (row, line) in DUCKS[bird].iter().enumerate() {
            for (column, letter) in line.chars().enumerate().filter(|(_, letter)| *letter != '.') {
                let column = if mirrored { 8 - column } else { column };
                let (i, j) = (left + column - usize::from(!mirrored) * swum, top + row);
                let at = &mut c[(j + usize::from(letter != '~') * bob) * SIZE + i];
                *at = if letter == '~' { *at * 0.72 } else { colour(letter) };
            }
        }
    }
    c
}

fn spotted(mut c: Vec<Vec3>, spots: &[(usize, usize, Vec3)]) -> Vec<Vec3> {
    for &(i, j, colour) in spots {
        c[j * SIZE + i] = colour;
        c[(j + 1) * SIZE + i] = c[(j + 1) * SIZE + i] * 0.55;
    }
    c
}

pub fn tiles() -> Vec<NamedImage> {
    let pebbles = [(22, 38, rgb(164, 158, 144)), (24, 39, rgb(140, 136, 126)), (33, 43, rgb(156, 150, 138))];
    let white = [rgb(244, 240, 222), rgb(206, 200, 178)];
    let gold = [rgb(240, 204, 84), rgb(206, 158, 52)];
    let poppy = [rgb(222, 78, 56), rgb(168, 44, 40)];
    let blue = [rgb(108, 122, 214), rgb(78, 86, 168)];
    let pink = [rgb(226, 142, 178), rgb(182, 98, 142)];
    let mut out = Vec::new();
    for (v, letter) in VARIANTS.iter().enumerate().take(4) {
        out.push((format!("L1_Water01{letter}"), water(v, 0.0), 4.0));
        out.push((format!("L1_Water01{letter}x"), water(v, 1.0), 4.0));
        out.push((format!("L1_WaterDucks{letter}"), with_ducks(water(v, 0.0), v), 4.0));
    }
    let clumps: [&[Bloom]; 6] =
        [&[], &[], &[], &[(white, 15), (gold, 7)], &[(blue, 12), (white, 8)], &[(pink, 13), (white, 6), (gold, 4)]];
    for ((v, letter), clumps) in VARIANTS.iter().enumerate().zip(clumps) {
        let k = v as i64;
        let c = spotted(grass(k, 100 + k), if v == 2 { &pebbles } else { &[] });
        out.push((format!("L1_Terrain001{letter}"), flowering(c, 300 + k, clumps), 5.0));
    }
    let clumps: [&[Bloom]; 5] = [&[], &[], &[], &[(poppy, 17), (white, 6)], &[(poppy, 5), (blue, 10), (gold, 5)]];
    for ((v, letter), clumps) in VARIANTS.iter().enumerate().zip(clumps) {
        let k = v as i64;
        out.push((format!("L1_Meadow{letter}"), flowering(meadow(k, 140 + k), 320 + k, clumps), 5.0));
    }
    for (v, letter) in VARIANTS.iter().enumerate().take(3) {
        let k = v as i64;
        let (mut drifts, mut random) = (snow(k), RandomSequence::new(k + 5));
        for _ in 0..5 {
            let glitter = random.within(30, 50) * SIZE + random.within(12, 42);
            drifts[glitter] = rgb(255, 255, 255);
        }
        out.push((format!("L1_Terrain035{letter}"), drifts, 5.0));
        out.push((format!("L1_Terrain010{letter}"), sand(k), 5.0));
    }
    out.into_iter().map(|(name, c, quantum)| (name, Picture::diamond(c).image(quantum))).collect()
}
