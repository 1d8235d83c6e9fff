//! Writes small text that is legible on any ground.

use image::{Rgba, RgbaImage};

use crate::colours::{LIGHT, OUTLINE, with_alpha};
use crate::overlay::glyph;
use crate::scene::SrgbTables;

const TEXT: [u8; 4] = with_alpha(LIGHT, 255);
const RIM: [u8; 4] = with_alpha(OUTLINE, 255);

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
    stamp(picture, &text_pixels(text, (0, 0)).collect::<Vec<_>>(), at, size);
}

/// Iterates over the pixels of a text whose top left corner is at a point.
pub(super) fn text_pixels(text: &str, (left, top): (i32, i32)) -> impl Iterator<Item = (i32, i32)> {
    let placed = text.chars().scan(left, |left, character| {
        let (width, lit) = glyph(character);
        let at = *left;
        *left += width + 1;
        Some(lit.map(move |(i, j)| (at + i, j)))
    });
    placed.flatten().map(move |(x, y)| (x, top + y))
}

/// Draws each pixel as a light square of `size` pixels with a dark outline, relative to a point of the picture.
pub(super) fn stamp(picture: &mut RgbaImage, pixels: &[(i32, i32)], around: (i32, i32), size: i32) {
    let tables = SrgbTables::get();
    for (grow, colour) in [(1, RIM), (0, TEXT)] {
        for &(i, j) in pixels {
            let left = around.0 + i * size - grow;
            let top = around.1 + j * size - grow;
            for (i, j) in square(left, top, size + 2 * grow) {
                if let (Ok(i), Ok(j)) = (u32::try_from(i), u32::try_from(j))
                    && let Some(pixel) = picture.get_pixel_mut_checked(i, j)
                {
                    tables.blend(pixel, Rgba(colour));
                }
            }
        }
    }
}

fn square(left: i32, top: i32, side: i32) -> impl Iterator<Item = (i32, i32)> {
    (top..top + side).flat_map(move |y| (left..left + side).map(move |x| (x, y)))
}
