//! Decodes a PNG into an image that can be drawn.

use std::io::Cursor;

use image::codecs::png::PngDecoder;
use image::{DynamicImage, ImageDecoder, ImageFormat, Limits, RgbaImage};

use super::image_names::Placement;
use super::transparency::apply_transparency;
use crate::describe_image_error;
use emberwalk_map::diagnostics::counted;
use emberwalk_map::terrain::TileMetrics;

/// Why an image cannot be used in a tileset.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ImageError {
    /// The error, as the end of a sentence that begins with the name of the image.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
}

impl From<String> for ImageError {
    fn from(message: String) -> Self {
        Self { message, help: None }
    }
}

/// The maximum size of images that are not tiles: four tiles wide, and four times the longer side of a tile
/// high.
const fn max_size(tile: TileMetrics) -> (u32, u32) {
    let (width, height) = tile.size();
    (4 * width, 4 * if width > height { width } else { height })
}

/// Decodes `bytes`, and checks that the size is allowed for `placement` with the tiles of a tileset.
pub(super) fn decode(bytes: &[u8], placement: Placement, tile: TileMetrics) -> Result<RgbaImage, ImageError> {
    let mut limits = Limits::default();
    // Room for the pixels of the largest image in 16 bits per channel, and the same again for other chunks of the PNG.
    let (max_width, max_height) = max_size(tile);
    limits.max_alloc = Some(u64::from(max_width) * u64::from(max_height) * 8 * 2 + (1 << 16));
    let refuse = |reason: &str| ImageError::from(format!("cannot be read as a PNG: {reason}"));
    match image::guess_format(bytes) {
        Ok(ImageFormat::Png) => {}
        Ok(other) => return Err(refuse(&format!("it is a {} picture", other.extensions_str()[0].to_uppercase()))),
        Err(_) if bytes.is_empty() => return Err(refuse("it is empty")),
        Err(_) => return Err(refuse("it is not a picture")),
    }
    let broken = |error| refuse(describe_image_error(&error));
    let decoder = PngDecoder::with_limits(Cursor::new(bytes), limits).map_err(broken)?;
    let (width, height) = decoder.dimensions();
    if matches!(placement, Placement::Tile | Placement::Face) && (width, height) != tile.size() {
        let (tile_width, tile_height) = tile.size();
        return Err(ImageError {
            message: format!("has {width} x {height} pixels, but a tile has {tile_width} x {tile_height}"),
            help: TileMetrics::new(width, height).is_ok().then(|| {
                format!("if all tiles have this size, add `tile: (width: {width}, height: {height})` to the tileset")
            }),
        });
    }
    if width > max_width || height > max_height {
        return Err(format!("has {width} x {height} pixels, but at most {max_width} x {max_height} are allowed").into());
    }
    if placement == Placement::Standing && width % 2 == 1 {
        return Err(format!("is {} wide, but the width must be even", counted(width as usize, "pixel")).into());
    }
    let mut image = DynamicImage::from_decoder(decoder).map_err(broken)?.into_rgba8();
    apply_transparency(&mut image);
    Ok(image)
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;

    const TILE: TileMetrics = TileMetrics::CLASSIC;

    fn png(image: &RgbaImage) -> Vec<u8> {
        let mut bytes = Vec::new();
        image.write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png).unwrap();
        bytes
    }

    #[test]
    fn magenta_and_alpha_zero_become_transparent_without_a_fringe() {
        let mut drawn = RgbaImage::from_pixel(54, 54, Rgba([255, 0, 255, 255]));
        drawn.put_pixel(10, 10, Rgba([10, 200, 30, 255]));
        drawn.put_pixel(30, 30, Rgba([254, 0, 255, 255]));
        drawn.put_pixel(40, 40, Rgba([255, 0, 255, 0]));
        drawn.put_pixel(41, 40, Rgba([9, 9, 9, 128]));
        let image = decode(&png(&drawn), Placement::Tile, TILE).unwrap();
        assert_eq!(image.get_pixel(10, 10).0, [10, 200, 30, 255]);
        assert_eq!(image.get_pixel(30, 30).0, [254, 0, 255, 255], "only exactly magenta is keyed");
        assert_eq!(image.get_pixel(41, 40).0, [9, 9, 9, 128]);
        assert_eq!(image.get_pixel(11, 10).0, [10, 200, 30, 0]);
        assert_eq!(image.get_pixel(12, 10).0, [10, 200, 30, 0]);
        assert_eq!(image.get_pixel(13, 10).0, [0, 0, 0, 0]);
        assert_eq!(image.get_pixel(40, 40).0, [9, 9, 9, 0]);
        assert_eq!(image.pixels().filter(|pixel| pixel.0[3] > 0).count(), 3);
    }

    #[test]
    fn sizes_are_checked() {
        let sized = |width, height, placement| {
            decode(&png(&RgbaImage::new(width, height)), placement, TILE).map(|_| ()).map_err(|error| error.message)
        };
        assert_eq!(sized(54, 54, Placement::Tile), Ok(()));
        assert_eq!(sized(53, 54, Placement::Tile), Err("has 53 x 54 pixels, but a tile has 54 x 54".into()));
        assert_eq!(sized(216, 216, Placement::Standing), Ok(()));
        assert_eq!(
            sized(218, 216, Placement::Standing),
            Err("has 218 x 216 pixels, but at most 216 x 216 are allowed".into())
        );
        assert_eq!(sized(55, 54, Placement::Standing), Err("is 55 pixels wide, but the width must be even".into()));
        assert_eq!(sized(3, 3, Placement::Free), Ok(()));
        assert!(sized(3, 217, Placement::Free).is_err());
    }

    #[test]
    fn images_on_flat_tiles_may_be_four_times_as_high_as_the_tiles_are_wide() {
        let flat = TileMetrics::new(64, 32).unwrap();
        let sized = |width, height| decode(&png(&RgbaImage::new(width, height)), Placement::Standing, flat);
        assert!(sized(256, 256).is_ok());
        assert!(sized(256, 258).is_err());
    }

    #[test]
    fn an_image_of_another_size_gives_the_line_for_the_tileset() {
        let error = |width, height| decode(&png(&RgbaImage::new(width, height)), Placement::Tile, TILE).unwrap_err();
        assert!(error(64, 96).help.is_some_and(|help| help.contains("`tile: (width: 64, height: 96)`")));
        assert_eq!(error(55, 54).help, None, "tiles cannot have this size either");
    }

    #[test]
    fn a_png_that_claims_to_be_huge_is_refused_at_once() {
        let mut bytes = png(&RgbaImage::new(54, 54));
        bytes[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
        let error = decode(&bytes, Placement::Tile, TILE).unwrap_err();
        assert_eq!(error.message, "cannot be read as a PNG: it is damaged", "its checksum is wrong");
        let mut cut = png(&RgbaImage::new(54, 54));
        cut.truncate(60);
        let message = |bytes: &[u8]| decode(bytes, Placement::Tile, TILE).unwrap_err().message;
        assert_eq!(message(&cut), "cannot be read as a PNG: it is cut off");
        assert_eq!(message(b""), "cannot be read as a PNG: it is empty");
        assert_eq!(message(b"GIF89a"), "cannot be read as a PNG: it is a GIF picture");
        assert_eq!(message(b"hello"), "cannot be read as a PNG: it is not a picture");
    }
}
