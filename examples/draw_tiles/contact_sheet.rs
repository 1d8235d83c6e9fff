//! Draws a contact sheet: one picture with many tiles.

use crate::art::NamedImage;
use image::{Rgba, RgbaImage, imageops};

const ZOOM: u32 = 3;
const WIDTH: u32 = 2400;
const GAP: u32 = 6;

/// Draws every tile at three times its size on a neutral background, with its shadow below it.
pub fn draw(tiles: &[NamedImage]) -> RgbaImage {
    let shadow_of = |name: &str| tiles.iter().find(|tile| tile.0 == format!("{name}_sh")).map(|tile| &tile.1);
    let shown = || tiles.iter().filter(|tile| !tile.0.ends_with("_sh"));
    let mut places = Vec::new();
    let (mut x, mut y, mut row) = (GAP, GAP, 0);
    for (name, image) in shown() {
        let (w, h) = (image.width() * ZOOM, image.height() * ZOOM);
        if x + w + GAP > WIDTH {
            (x, y, row) = (GAP, y + row + GAP, 0);
        }
        places.push((x, y, name, image));
        (x, row) = (x + w + GAP, row.max(h));
    }
    let mut sheet = RgbaImage::from_pixel(WIDTH, y + row + GAP, Rgba([104, 126, 78, 255]));
    for (x, y, name, image) in places {
        for layer in shadow_of(name).into_iter().chain([image]) {
            let mut layer = layer.clone();
            for pixel in layer.pixels_mut().filter(|pixel| pixel.0 == [255, 0, 255, 255]) {
                pixel.0[3] = 0;
            }
            let large = imageops::resize(&layer, layer.width() * ZOOM, layer.height() * ZOOM, imageops::Nearest);
            imageops::overlay(&mut sheet, &large, x.into(), y.into());
        }
    }
    sheet
}
