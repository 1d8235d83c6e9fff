//! Pictures of mazes.

use std::io::Cursor;

use crate::photographs::png_chunk;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

/// The colour of a path.
pub const PATH: Rgb<u8> = Rgb([0, 128, 0]);
/// The colour of the pixels around it.
pub const BORDER: Rgb<u8> = Rgb([8, 20, 8]);

/// A picture of these rows, where `#` is a wall.
pub fn picture(rows: &[&str]) -> RgbImage {
    RgbImage::from_fn(rows[0].len() as u32, rows.len() as u32, |x, y| {
        if rows[y as usize].as_bytes()[x as usize] == b'#' { Rgb([0, 99, 3]) } else { Rgb([255, 250, 1]) }
    })
}

/// The file of a picture.
pub fn bytes(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A PNG that claims to have 60000 x 60000 pixels, with a valid checksum.
pub fn huge_png() -> Vec<u8> {
    let header = png_chunk(b"IHDR", b"\0\0\xea\x60\0\0\xea\x60\x08\x02\0\0\0");
    [b"\x89PNG\r\n\x1a\n", &header[..], b"\0\0\0\x08IDAT\x78\x9c\x63\0\0\0\x01\0\x01\0\0\0\0"].concat()
}
