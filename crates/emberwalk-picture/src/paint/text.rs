//! Writes small text that is legible on any ground.

use image::{Rgba, RgbaImage};

use crate::colours::{LIGHT, OUTLINE, with_alpha};
use crate::overlay::{GLYPH_HEIGHT, text_pixels, text_width};
use crate::scene::SrgbTables;

const TEXT: [u8; 4] = with_alpha(LIGHT, 255);
const RIM: [u8; 4] = with_alpha(OUTLINE, 255);
const PLATE: [u8; 4] = with_alpha(OUTLINE, 225);

/// How far a plate reaches beyond its text, in pixels of the picture.
const PLATE_EDGE: i32 = 2;

/// Writes a text into a picture, with its top left corner at `at`, each pixel of its glyphs `size` pixels wide, and a
/// dark outline. The text is clipped to the picture, and characters without a glyph are skipped.
///
/// ```
/// use emberwalk_picture::paint::write_text;
/// let mut picture = image::RgbaImage::new(60, 20);
/// write_text(&mut picture, "GREEDY 27", (3, 3), 1);
/// assert!(picture.pixels().any(|pixel| pixel.0[0] == 255));
/// ```
pub fn write_text(picture: &mut RgbaImage, text: &str, at: (i32, i32), size: i32) {
    stamp(picture, &text_pixels(text), at, size);
}

/// Draws each pixel as a light square of `size` pixels with a dark outline, relative to a point of the picture.
pub(super) fn stamp(picture: &mut RgbaImage, pixels: &[(i32, i32)], around: (i32, i32), size: i32) {
    for (grow, colour) in [(1, RIM), (0, TEXT)] {
        for &(i, j) in pixels {
            let corner = (around.0 + i * size - grow, around.1 + j * size - grow);
            fill(picture, corner, (size + 2 * grow, size + 2 * grow), colour);
        }
    }
}

/// Draws a dark plate behind a text with this top left corner, each pixel of its glyphs `size` pixels wide.
pub(super) fn plate(picture: &mut RgbaImage, text: &str, (left, top): (i32, i32), size: i32) {
    let [width, height] = [text_width(text), GLYPH_HEIGHT].map(|side| side * size + 2 * PLATE_EDGE);
    fill(picture, (left - PLATE_EDGE, top - PLATE_EDGE), (width, height), PLATE);
}

/// Blends a colour over a rectangle, clipped to the picture.
fn fill(picture: &mut RgbaImage, (left, top): (i32, i32), (width, height): (i32, i32), colour: [u8; 4]) {
    let tables = SrgbTables::get();
    for (i, j) in (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y))) {
        if let (Ok(i), Ok(j)) = (u32::try_from(i), u32::try_from(j))
            && let Some(pixel) = picture.get_pixel_mut_checked(i, j)
        {
            tables.blend(pixel, Rgba(colour));
        }
    }
}
