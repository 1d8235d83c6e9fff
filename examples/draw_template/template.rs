//! The template of a tile, which shows the position of the ground in the image.

use emberwalk_map::terrain::TileMetrics;
use image::imageops::{FilterType, overlay, resize};
use image::{Rgba, RgbaImage};

/// The transparent colour of tiles.
const NOTHING: Rgba<u8> = Rgba([255, 0, 255, 255]);
/// The ground of the cell, and its outline.
const GROUND: Rgba<u8> = Rgba([88, 150, 72, 255]);
const EDGE: Rgba<u8> = Rgba([52, 100, 44, 255]);
/// Ground that overlaps a neighbour.
const LAP: Rgba<u8> = Rgba([226, 190, 70, 255]);
/// The four pixels around the centre.
const MIDDLE: Rgba<u8> = Rgba([200, 30, 30, 255]);
/// In the explained template of a standing image: the area around the tile, and the lines by which both are aligned.
const SURROUNDINGS: Rgba<u8> = Rgba([52, 52, 66, 255]);
const LINE: Rgba<u8> = Rgba([235, 235, 235, 255]);

/// The sides: the letter in rows, and its position to the right and down from the centre, in tile widths.
const SIDES: [([&str; 5], f64, f64); 4] = [
    (["#..#", "##.#", "#.##", "#..#", "#..#"], -0.36, -0.19),
    (["####", "#...", "###.", "#...", "####"], 0.36, -0.19),
    ([".###", "#...", ".##.", "...#", "###."], 0.36, 0.19),
    (["#...#", "#...#", "#.#.#", "#.#.#", ".#.#."], -0.36, 0.19),
];

/// The scale of the explained template.
const LARGE: u32 = 5;

/// Draws the template, which has the size of a tile and can be painted over.
pub fn template(tile: TileMetrics) -> RgbaImage {
    let (width, height) = tile.size();
    let (half, ground) = (f64::from(tile.half_step().0), tile.ground_centre());
    RgbaImage::from_fn(width, height, |i, j| {
        let (across, down) = (f64::from(i) + 0.5 - f64::from(ground.0), f64::from(j) + 0.5 - f64::from(ground.1));
        let away = across.abs() + 2.0 * down.abs();
        match away {
            _ if across.abs().max(down.abs()) < 1.0 => MIDDLE,
            _ if away < half - 2.0 => GROUND,
            _ if away < half => EDGE,
            _ if away <= half + 1.5 * f64::from(tile.overlap()) => LAP,
            _ => NOTHING,
        }
    })
}

/// Draws the explained template: enlarged, with the letters of the sides, inside a standing image of twice the width
/// and height, which has the same bottom edge and vertical centre line.
pub fn explained(tile: TileMetrics) -> RgbaImage {
    let (width, height) = tile.size();
    let mut picture = RgbaImage::from_pixel(2 * width, 2 * height, SURROUNDINGS);
    overlay(&mut picture, &template(tile), i64::from(width / 2), i64::from(height));
    let ground = (
        f64::from(width / 2) + f64::from(tile.ground_centre().0),
        f64::from(height) + f64::from(tile.ground_centre().1),
    );
    for (rows, right, below) in SIDES {
        let middle = (ground.0 + right * f64::from(width), ground.1 + below * f64::from(width));
        let corner = (middle.0 as u32 - rows[0].len() as u32 / 2, middle.1 as u32 - rows.len() as u32 / 2);
        for (row, j) in rows.iter().zip(corner.1..2 * height) {
            let inked = row.bytes().zip(corner.0..).filter(|(dot, _)| *dot == b'#');
            inked.for_each(|(_, i)| picture.put_pixel(i, j, SURROUNDINGS));
        }
    }
    let mut large = resize(&picture, 2 * width * LARGE, 2 * height * LARGE, FilterType::Nearest);
    let dashed = |along: u32| along / LARGE % 4 < 2;
    let (right, below) = (large.width(), large.height());
    for y in (0..below).filter(|y| dashed(*y)) {
        large.put_pixel(right / 2, y, LINE);
    }
    for x in 0..right {
        large.put_pixel(x, below - 1, LINE);
    }
    large
}
