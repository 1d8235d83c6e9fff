//! Decodes picture files, within limits on size and memory.

use std::io::Cursor;

use image::error::{ImageError, LimitErrorKind};
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageReader, Limits, Rgb, RgbImage, Rgba};

use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_path::MAX_SIDE;
use emberwalk_picture::describe_image_error;

/// The maximum memory for decoding a picture, in bytes: the pixels of the largest picture with four channels of 16
/// bits, and half as much again for the decoder.
const MAX_BYTES: u64 = MAX_SIDE as u64 * MAX_SIDE as u64 * 8 * 3 / 2;

/// What becomes of the transparency of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transparency {
    /// It is dropped: a pixel has the colour that it would have if it were opaque.
    Dropped,
    /// The picture is drawn on white.
    OnWhite,
    /// The picture is drawn on black.
    OnBlack,
}

/// Decodes `bytes`, the content of the file that messages call `file`: PNG, BMP, GIF (the first frame of an animation)
/// or JPEG. It is upright, as viewers show it: the orientation in its Exif data is applied.
///
/// Grey becomes an equal amount of red. Channels of 16 bits are rounded to 8 bits: up to 128 of 65535 becomes 0.
///
/// # Errors
/// The file has another format or is broken, a side is 0 or more than [`MAX_SIDE`] pixels, or decoding takes too much
/// memory. Pictures that are too large are rejected before they are decoded.
pub fn decode(file: &str, bytes: &[u8], transparency: Transparency) -> Result<RgbImage, Diagnostics> {
    let failure = |message: String, help: Option<&str>| Diagnostics::of_file(file, message, help.map(str::to_owned));
    let decode_error = |error: ImageError| match error {
        ImageError::Limits(limit) if matches!(limit.kind(), LimitErrorKind::DimensionError) => {
            failure("the picture is too large".into(), Some(SIDES))
        }
        ImageError::Limits(_) => failure("the picture takes too much memory".into(), Some(SIDES)),
        error => {
            let help = matches!(error, ImageError::Unsupported(_)).then_some(KINDS);
            failure(format!("the picture cannot be read: {}", describe_image_error(&error)), help)
        }
    };
    if bytes.is_empty() {
        return Err(failure("the file is empty".into(), None));
    }
    let mut reader =
        ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|error| decode_error(error.into()))?;
    if reader.format().is_none() {
        return Err(failure("this is not a picture".into(), Some(KINDS)));
    }
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_BYTES);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(decode_error)?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(failure("the picture has no pixels".into(), None));
    }
    if width.max(height) > MAX_SIDE {
        return Err(failure(format!("the picture has {width} x {height} pixels"), Some(SIDES)));
    }
    let orientation = match exif_of_png(bytes) {
        Some(exif) => Orientation::from_exif_chunk(exif).unwrap_or(Orientation::NoTransforms),
        None => decoder.orientation().map_err(decode_error)?,
    };
    let picture = DynamicImage::from_decoder(decoder).map_err(decode_error)?;
    let mut picture = DynamicImage::from(without_transparency(picture, transparency));
    picture.apply_orientation(orientation);
    Ok(picture.into_rgb8())
}

/// The Exif data of a PNG file. The decoder would find them only before the pixels, but some programs write them after.
fn exif_of_png(bytes: &[u8]) -> Option<&[u8]> {
    let mut chunks = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    loop {
        let (&length, rest) = chunks.split_first_chunk()?;
        let (kind, rest) = rest.split_first_chunk::<4>()?;
        let (data, rest) = rest.split_at_checked(u32::from_be_bytes(length) as usize)?;
        if kind == b"eXIf" {
            return Some(data);
        }
        let (_checksum, rest) = rest.split_first_chunk::<4>()?;
        chunks = rest;
    }
}

fn without_transparency(picture: DynamicImage, transparency: Transparency) -> RgbImage {
    let background = match transparency {
        Transparency::OnWhite if picture.color().has_alpha() => u8::MAX,
        Transparency::OnBlack if picture.color().has_alpha() => 0,
        _ => return picture.into_rgb8(),
    };
    let picture = picture.into_rgba8();
    let mut pixels = picture.pixels();
    RgbImage::from_fn(picture.width(), picture.height(), |_, _| {
        pixels.next().map_or(Rgb([background; 3]), |&pixel| drawn_on(background, pixel))
    })
}

/// The colour of a pixel that is drawn on a grey background.
fn drawn_on(background: u8, Rgba([red, green, blue, alpha]): Rgba<u8>) -> Rgb<u8> {
    let mix = |channel: u8| {
        let parts = u16::from(channel) * u16::from(alpha) + u16::from(background) * u16::from(u8::MAX - alpha);
        (parts / 255) as u8
    };
    Rgb([red, green, blue].map(mix))
}

const KINDS: &str = "pictures are PNG, BMP, GIF or JPEG files";
const SIDES: &str = "a picture has at most 4096 x 4096 pixels";
