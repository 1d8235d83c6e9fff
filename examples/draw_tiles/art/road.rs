//! The dirt road, in the sixteen forms that join its neighbours.

use super::NamedImage;
use super::autotile::{Side, is_straight, sides};
use super::field::smin;
use super::ground::bump;
use super::noise::{mix, step, tiling, tiling_fbm};
use super::picture::{Picture, SIZE, on_diamond};
use super::plane::{averaged, ground, sampled};
use super::vector::{norm, rgb};
use emberwalk_map::terrain::NeighbourMask;

/// The distance from the centre line, and the signed offset for the ruts. Bends are arcs.
fn road_line(x: f64, y: f64, sides: &[Side]) -> (f64, f64) {
    if let [a, b] = sides
        && !is_straight(sides)
    {
        let offset = norm(x - 0.5 * (a.0 + b.0), y - 0.5 * (a.1 + b.1)) - 0.5;
        return (offset.abs(), offset);
    }
    let mut d = if sides.is_empty() { norm(x, y) - 0.04 } else { 9.0 };
    for &(east, south) in sides {
        let t = (x * east + y * south).max(if sides.len() == 1 { -0.05 } else { 0.0 });
        d = smin(d, norm(x - east * t, y - south * t), 0.10);
    }
    (d, d)
}

fn half_width(x: f64, y: f64) -> f64 {
    0.19 + 0.10 * (tiling_fbm(x, y, 5, 201, 2) - 0.5) + 0.05 * (tiling(x, y, 16, 205) - 0.5)
}

fn road(sides: &[Side]) -> Picture {
    let (earth, dust, rut_mud) = (rgb(150, 120, 82), rgb(186, 154, 110), rgb(116, 88, 58));
    let (shoulder, gravel) = (rgb(112, 96, 56), rgb(206, 190, 160));
    let colour = |x: f64, y: f64| {
        let (d, offset) = road_line(x, y, sides);
        let w = half_width(x, y);
        let c = mix(earth, dust, tiling_fbm(x, y, 6, 210, 3) * 1.3 - 0.1);
        let rut = (-((offset.abs() - 0.085) / 0.026).powi(2)).exp() * (0.55 + 0.6 * tiling(x, y, 7, 212));
        let c = mix(mix(c, rut_mud, rut * 0.75), shoulder, step(w - 0.075, w, d) * 0.85);
        let stones = if d < w { step(0.86, 0.9, tiling(x, y, 17, 215)) * 0.5 } else { 0.0 };
        mix(c, gravel, stones)
    };
    let mut picture = Picture::diamond(ground(colour, bump, 0.05, 77));
    let inside = averaged(&sampled(|x, y| f64::from(u8::from(road_line(x, y, sides).0 < half_width(x, y)))));
    for (k, on) in picture.mask.iter_mut().enumerate() {
        *on = inside[k] >= 0.5 && on_diamond(k % SIZE, k / SIZE);
    }
    picture
}

pub fn tiles() -> Vec<NamedImage> {
    NeighbourMask::all()
        .map(|mask| (format!("L2_RoadDirt{}", mask.side_suffix()), road(&sides(mask)).image(5.0)))
        .collect()
}
