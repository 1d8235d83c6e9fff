//! Encodes pictures as PNG files.

use std::io;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ImageBuffer, ImageEncoder, Pixel, PixelWithColorType};

/// The next levels take twice as long and make pictures of tiles only 4 % smaller; with the fast levels they are up to
/// three times as large.
const COMPRESSION: CompressionType = CompressionType::Level(3);

/// The number of pixels that are encoded to choose the filter.
const SAMPLE_PIXELS: u32 = 1 << 18;

/// The number of places in the picture that they are from: the middle alone may have little of the background of a map.
const SAMPLES: u32 = 4;

/// Encodes a picture as a PNG file.
///
/// ```
/// use image::{Rgb, RgbImage};
/// let picture = RgbImage::from_pixel(3, 2, Rgb([255, 128, 0]));
/// let file = emberwalk_picture::png::encode(&picture)?;
/// assert_eq!(image::load_from_memory(&file)?.to_rgb8(), picture);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The picture has no pixels.
pub fn encode<P>(picture: &ImageBuffer<P, Vec<u8>>) -> io::Result<Vec<u8>>
where
    P: Pixel<Subpixel = u8> + PixelWithColorType,
{
    let (width, height) = picture.dimensions();
    let row_bytes = width as usize * usize::from(P::CHANNEL_COUNT);
    let encode = |first_row: u32, rows: u32, filter| {
        let pixels = &picture.as_raw()[first_row as usize * row_bytes..][..rows as usize * row_bytes];
        let mut file = Vec::new();
        let encoder = PngEncoder::new_with_quality(&mut file, COMPRESSION, filter);
        encoder.write_image(pixels, width, rows, P::COLOR_TYPE).map(|()| file).map_err(io::Error::other)
    };
    // Pictures of tiles are smaller without a filter, because a filter hides repetitions; gradients are smaller with
    // one. Encoding some rows both ways shows which kind this picture is.
    let sample_rows = (SAMPLE_PIXELS / SAMPLES / width.max(1)).max(1).min(height);
    let apart = (height - sample_rows) / (SAMPLES + 1);
    let sample_size = |filter| -> io::Result<usize> {
        (1..=SAMPLES).map(|place| encode(place * apart, sample_rows, filter).map(|file| file.len())).sum()
    };
    let is_smaller_filtered = sample_size(FilterType::Paeth)? < sample_size(FilterType::NoFilter)?;
    encode(0, height, if is_smaller_filtered { FilterType::Paeth } else { FilterType::NoFilter })
}
