//! From the bytes of a PNG to an image that can be drawn.

use std::io::Cursor;

use image::codecs::png::PngDecoder;
use image::{DynamicImage, ImageDecoder, Limits, Rgba, RgbaImage};

use super::image_names::Fits;
use crate::iso::TileMetrics;

/// Pixels of exactly this colour are transparent.
const KEY: [u8; 3] = [255, 0, 255];

/// How many rings of transparent pixels round the drawn ones take their colour.
const RINGS: usize = 2;

/// Why a picture is not one of a tileset's.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Misfit {
    /// What is wrong, to be read after the picture's name.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
}

impl From<String> for Misfit {
    fn from(message: String) -> Self {
        Self { message, help: None }
    }
}

/// The largest picture beside tiles: four tiles wide, and four times their longer side high.
const fn most(tile: TileMetrics) -> (u32, u32) {
    let (width, height) = tile.size();
    (4 * width, 4 * if width > height { width } else { height })
}

/// Decodes `bytes` if the size is right for a tileset whose tiles are `tile`; says what is wrong if not.
pub(super) fn decode(bytes: &[u8], fits: Fits, tile: TileMetrics) -> Result<RgbaImage, Misfit> {
    let mut limits = Limits::default();
    // The pixels of the largest image in 16 bits a channel, and as much again for what else a PNG holds.
    let (most_wide, most_high) = most(tile);
    limits.max_alloc = Some(u64::from(most_wide) * u64::from(most_high) * 8 * 2 + (1 << 16));
    let broken = |error| Misfit::from(format!("is no PNG that can be read: {error}"));
    let decoder = PngDecoder::with_limits(Cursor::new(bytes), limits).map_err(broken)?;
    let (width, height) = decoder.dimensions();
    if fits == Fits::Tile && (width, height) != tile.size() {
        let (tile_width, tile_height) = tile.size();
        return Err(Misfit {
            message: format!("is {width} x {height} pixels, a tile is {tile_width} x {tile_height}"),
            help: TileMetrics::new(width, height).is_ok().then(|| {
                format!("if all tiles have that size, the tileset says `tile: (width: {width}, height: {height})`")
            }),
        });
    }
    if width > most_wide || height > most_high {
        return Err(format!("is {width} x {height} pixels, the most is {most_wide} x {most_high}").into());
    }
    if fits == Fits::Standing && width % 2 == 1 {
        return Err(format!("is {width} pixels wide, which must be an even number").into());
    }
    let mut image = DynamicImage::from_decoder(decoder).map_err(broken)?.into_rgba8();
    clear(&mut image);
    Ok(image)
}

/// Makes what is keyed transparent, and gives the transparent pixels next to drawn ones a colour like theirs: where a
/// picture is made smaller neighbours are mixed, and any other colour would show as a fringe.
fn clear(image: &mut RgbaImage) {
    const UNKNOWN: Rgba<u8> = Rgba([0, 0, 0, 0]);
    let (width, height) = image.dimensions();
    let mut open = Vec::new();
    for (x, y, pixel) in image.enumerate_pixels_mut() {
        if pixel.0[3] == 0 || pixel.0[..3] == KEY {
            *pixel = UNKNOWN;
            open.push((x, y));
        }
    }
    let mut coloured = vec![false; (width * height) as usize];
    for (pixel, coloured) in image.pixels().zip(&mut coloured) {
        *coloured = pixel.0[3] > 0;
    }
    for _ in 0..RINGS {
        let mut ring = Vec::new();
        open.retain(|&(x, y)| {
            let (mut sum, mut count) = ([0_u32; 3], 0);
            for (x, y) in [(x, y.wrapping_sub(1)), (x + 1, y), (x, y + 1), (x.wrapping_sub(1), y)] {
                if x < width && y < height && coloured[(y * width + x) as usize] {
                    let pixel = image.get_pixel(x, y);
                    (0..3).for_each(|c| sum[c] += u32::from(pixel.0[c]));
                    count += 1;
                }
            }
            if count > 0 {
                ring.push((x, y, sum.map(|sum| (sum / count) as u8)));
            }
            count == 0
        });
        for (x, y, [r, g, b]) in ring {
            image.put_pixel(x, y, Rgba([r, g, b, 0]));
            coloured[(y * width + x) as usize] = true;
        }
    }
}

#[cfg(test)]
mod tests {
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
        let image = decode(&png(&drawn), Fits::Tile, TILE).unwrap();
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
    fn sizes_are_held() {
        let sized = |width, height, fits| {
            decode(&png(&RgbaImage::new(width, height)), fits, TILE).map(|_| ()).map_err(|misfit| misfit.message)
        };
        assert_eq!(sized(54, 54, Fits::Tile), Ok(()));
        assert_eq!(sized(53, 54, Fits::Tile), Err("is 53 x 54 pixels, a tile is 54 x 54".into()));
        assert_eq!(sized(216, 216, Fits::Standing), Ok(()));
        assert_eq!(sized(218, 216, Fits::Standing), Err("is 218 x 216 pixels, the most is 216 x 216".into()));
        assert_eq!(sized(55, 54, Fits::Standing), Err("is 55 pixels wide, which must be an even number".into()));
        assert_eq!(sized(3, 3, Fits::Free), Ok(()));
        assert!(sized(3, 217, Fits::Free).is_err());
    }

    #[test]
    fn what_stands_on_flat_tiles_may_be_as_high_as_they_are_wide_four_times() {
        let flat = TileMetrics::new(64, 32).unwrap();
        let sized = |width, height| decode(&png(&RgbaImage::new(width, height)), Fits::Standing, flat);
        assert!(sized(256, 256).is_ok());
        assert!(sized(256, 258).is_err());
    }

    #[test]
    fn a_picture_of_another_size_says_what_the_tileset_would_say() {
        let misfit = |width, height| decode(&png(&RgbaImage::new(width, height)), Fits::Tile, TILE).unwrap_err();
        assert!(misfit(64, 96).help.is_some_and(|help| help.contains("`tile: (width: 64, height: 96)`")));
        assert_eq!(misfit(55, 54).help, None, "nor can tiles be so");
    }

    #[test]
    fn a_png_that_claims_to_be_huge_is_refused_at_once() {
        let mut bytes = png(&RgbaImage::new(54, 54));
        bytes[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
        assert!(decode(&bytes, Fits::Tile, TILE).is_err(), "its checksum is wrong");
        let mut cut = png(&RgbaImage::new(54, 54));
        cut.truncate(60);
        assert!(decode(&cut, Fits::Tile, TILE).is_err());
        assert!(decode(b"", Fits::Tile, TILE).is_err());
        assert!(decode(b"GIF89a", Fits::Tile, TILE).is_err());
    }
}
