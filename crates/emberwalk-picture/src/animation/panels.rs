//! Puts pictures side by side, each with a caption.

use image::{RgbaImage, imageops};

use crate::overlay::{GLYPH_HEIGHT, text_width};
use crate::paint::write_text;

/// The scale of captions where there is room, and where there is not.
const TEXT_SIZES: [i32; 2] = [2, 1];

/// The space above a caption, between its lines, and between it and the picture.
const CAPTION_SPACE: i32 = 7;

/// The height of a line of a caption.
const LINE_HEIGHT: i32 = GLYPH_HEIGHT * TEXT_SIZES[0] + CAPTION_SPACE;

/// The height of the strip for captions.
const CAPTION_HEIGHT: u32 = (CAPTION_SPACE + 2 * LINE_HEIGHT) as u32;

/// The space between two pictures.
const GAP: u32 = 16;

/// A picture with a caption of two lines: a name, and a text that changes during the animation.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The picture.
    pub picture: RgbaImage,
    /// The name.
    pub name: String,
    /// The text.
    pub text: String,
    /// The longest text of the animation. All texts start where the longest one starts, so that they do not move.
    pub longest_text: String,
}

/// The size of `count` pictures of the same size side by side, with captions.
pub fn joined_size(count: u32, (width, height): (u32, u32)) -> (u32, u32) {
    (count * width + count.saturating_sub(1) * GAP, height + CAPTION_HEIGHT)
}

/// Panels of the same size side by side, with their captions above them.
pub fn join_panels(panels: &[Panel]) -> RgbaImage {
    let (width, height) = panels.first().map_or((0, 0), |panel| panel.picture.dimensions());
    let (joined_width, joined_height) = joined_size(panels.len() as u32, (width, height));
    let mut joined = RgbaImage::new(joined_width, joined_height);
    for (k, Panel { picture, name, text, longest_text }) in (0..).zip(panels) {
        let left = k * (width + GAP);
        imageops::replace(&mut joined, picture, left.into(), CAPTION_HEIGHT.into());
        for (line, (text, longest)) in (0..).zip([(name, name), (text, longest_text)]) {
            let room = |size: i32| width as i32 - text_width(longest) * size;
            let size = TEXT_SIZES.into_iter().find(|size| room(*size) >= 0).unwrap_or(1);
            let at = (left as i32 + room(size).max(0) / 2, CAPTION_SPACE + line * LINE_HEIGHT);
            write_text(&mut joined, text, at, size);
        }
    }
    joined
}
