//! Puts pictures side by side, each with a caption.

use image::{RgbaImage, imageops};

use crate::overlay::{GLYPH_HEIGHT, text_width};
use crate::paint::write_text;

/// The width of a pixel of a caption.
const TEXT_SIZE: i32 = 2;

/// The space above a caption, and between it and the picture.
const CAPTION_SPACE: i32 = 8;

/// The height of the strip for captions.
const CAPTION_HEIGHT: u32 = (GLYPH_HEIGHT * TEXT_SIZE + 2 * CAPTION_SPACE) as u32;

/// The space between two pictures.
const GAP: u32 = 16;

/// A picture with a caption: a name, and a number that grows in the course of an animation.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The picture.
    pub picture: RgbaImage,
    /// The name.
    pub name: String,
    /// The number.
    pub number: usize,
    /// The number in the last frame. The caption is centred with it, so that it does not move.
    pub last_number: usize,
}

/// Returns the size of `count` pictures of the same size side by side, with captions.
pub fn joined_size(count: u32, (width, height): (u32, u32)) -> (u32, u32) {
    (count * width + count.saturating_sub(1) * GAP, height + CAPTION_HEIGHT)
}

/// Returns panels of the same size side by side, with their captions above them.
pub fn join_panels(panels: &[Panel]) -> RgbaImage {
    let (width, height) = panels.first().map_or((0, 0), |panel| panel.picture.dimensions());
    let (joined_width, joined_height) = joined_size(panels.len() as u32, (width, height));
    let mut joined = RgbaImage::new(joined_width, joined_height);
    for (k, Panel { picture, name, number, last_number }) in (0..).zip(panels) {
        let left = k * (width + GAP);
        imageops::replace(&mut joined, picture, left.into(), CAPTION_HEIGHT.into());
        let widest = text_width(&format!("{name} {last_number}")) * TEXT_SIZE;
        let text_left = left as i32 + (width as i32 - widest) / 2;
        write_text(&mut joined, &format!("{name} {number}"), (text_left, CAPTION_SPACE), TEXT_SIZE);
    }
    joined
}
