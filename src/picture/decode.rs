//! Picture files to pixels, within bounds.

use std::io::Cursor;

use image::error::{ImageError, LimitErrorKind};
use image::{DynamicImage, ImageDecoder, ImageReader, Limits, Rgb, RgbImage};

use crate::diagnostics::Diagnostics;
use crate::path::MAX_SIDE;

/// The most bytes that a picture may take while it is decoded: those of the largest, in four channels of 16 bits, and
/// half as many again for what else a decoder needs.
const MOST_BYTES: u64 = MAX_SIDE as u64 * MAX_SIDE as u64 * 8 * 3 / 2;

/// Whether a pixel is a wall.
pub fn is_wall(pixel: Rgb<u8>) -> bool {
    pixel.0[0] == 0
}

/// Decodes `bytes`, the file that the user knows as `file`: PNG, BMP, GIF (of an animation the first frame) or JPEG.
///
/// Grey is that much red. Transparency is dropped, and 16 bits a channel are rounded to 8: up to 128 of 65535 to 0.
///
/// # Errors
/// The file is none of these or broken, a side is 0 or more than [`MAX_SIDE`] pixels, or it wants too much memory. What
/// is too large is refused before anything is decoded.
pub fn decode(file: &str, bytes: &[u8]) -> Result<RgbImage, Diagnostics> {
    let fault = |message: String, help: Option<&str>| Diagnostics::of_file(file, message, help.map(str::to_owned));
    let broken = |error: ImageError| match error {
        ImageError::Limits(limit) if matches!(limit.kind(), LimitErrorKind::DimensionError) => {
            fault("the picture is too large".into(), Some(SIDES))
        }
        ImageError::Limits(_) => fault("the picture takes too much memory".into(), Some(SIDES)),
        ImageError::Unsupported(error) => fault(format!("the picture cannot be read: {error}"), Some(KINDS)),
        error => fault(format!("the picture cannot be read: {error}"), None),
    };
    let mut reader =
        ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|error| broken(error.into()))?;
    if reader.format().is_none() {
        return Err(fault("this is no picture".into(), Some(KINDS)));
    }
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_BYTES);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(broken)?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(fault("the picture has no pixels".into(), None));
    }
    if width.max(height) > MAX_SIDE {
        return Err(fault(format!("the picture has {width} x {height} pixels"), Some(SIDES)));
    }
    Ok(DynamicImage::from_decoder(decoder).map_err(broken)?.into_rgb8())
}

const KINDS: &str = "pictures are PNG, BMP, GIF or JPEG files";
const SIDES: &str = "a picture has at most 4096 x 4096 pixels";
