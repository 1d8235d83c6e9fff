//! Draws the icon of the program, the erupting volcano of the tiles: `draw_icon OUT.png`.

use std::error::Error;

use image::imageops::{FilterType, crop_imm, overlay, resize};
use image::{Rgba, RgbaImage};

/// Columns and rows of the icon.
const SIDE: u32 = 256;

fn main() -> Result<(), Box<dyn Error>> {
    let output = std::env::args().nth(1).ok_or("which file is the icon?")?;
    let tile = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/tiles/L2_MountainBigVolcanoErupt01.png");
    icon(image::open(tile)?.into_rgba8()).save(output)?;
    Ok(())
}

/// A tile without its empty margin, in the middle of a square, as large as whole pixels allow.
fn icon(mut tile: RgbaImage) -> RgbaImage {
    for pixel in tile.pixels_mut().filter(|pixel| pixel.0 == [255, 0, 255, 255]) {
        *pixel = Rgba([0; 4]);
    }
    let opaque = tile.enumerate_pixels().filter(|(_, _, pixel)| pixel[3] > 0);
    let bounds = opaque.fold([u32::MAX, u32::MAX, 0, 0], |[left, top, right, bottom], (x, y, _)| {
        [left.min(x), top.min(y), right.max(x + 1), bottom.max(y + 1)]
    });
    let [left, top, right, bottom] = bounds;
    let (width, height) = (right.saturating_sub(left).max(1), bottom.saturating_sub(top).max(1));
    let scale = (SIDE / width.max(height)).max(1);
    let cropped = crop_imm(&tile, left, top, width, height).to_image();
    let scaled = resize(&cropped, width * scale, height * scale, FilterType::Nearest);
    let mut icon = RgbaImage::new(SIDE, SIDE);
    let middle = |length: u32| (i64::from(SIDE) - i64::from(length)) / 2;
    overlay(&mut icon, &scaled, middle(scaled.width()), middle(scaled.height()));
    icon
}
