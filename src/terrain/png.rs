//! From the bytes of a PNG to an image that can be drawn.

use std::io::Cursor;

use image::codecs::png::PngDecoder;
use image::{DynamicImage, ImageDecoder, Limits, Rgba, RgbaImage};

use super::names::Fits;
use super::notation::TileSize;

/// Pixels of exactly this colour are transparent.
const KEY: [u8; 3] = [255, 0, 255];

/// How many rings of transparent pixels round the drawn ones take their colour.
const RINGS: usize = 2;

/// Decodes `bytes` if the size is right for a tileset whose tiles are `tile`; says what is wrong if not.
pub(super) fn decode(bytes: &[u8], fits: Fits, tile: TileSize) -> Result<RgbaImage, String> {
    let mut limits = Limits::default();
    // The pixels of the largest image in 16 bits a channel, and as much again for what else a PNG holds.
    limits.max_alloc = Some(u64::from(tile.width) * u64::from(tile.height) * 16 * 8 * 2 + (1 << 16));
    let broken = |error| format!("is no PNG that can be read: {error}");
    let decoder = PngDecoder::with_limits(Cursor::new(bytes), limits).map_err(broken)?;
    let (width, height) = decoder.dimensions();
    let (most_wide, most_high) = (tile.width * 4, tile.height * 4);
    if fits == Fits::Tile && (width, height) != (tile.width, tile.height) {
        return Err(format!("is {width} x {height} pixels, a tile is {} x {}", tile.width, tile.height));
    }
    if width > most_wide || height > most_high {
        return Err(format!("is {width} x {height} pixels, the most is {most_wide} x {most_high}"));
    }
    if fits == Fits::Standing && width % 2 == 1 {
        return Err(format!("is {width} pixels wide, which must be an even number"));
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

    const TILE: TileSize = TileSize { width: 54, height: 54 };

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
        let sized = |width, height, fits| decode(&png(&RgbaImage::new(width, height)), fits, TILE).map(|_| ());
        assert_eq!(sized(54, 54, Fits::Tile), Ok(()));
        assert_eq!(sized(53, 54, Fits::Tile), Err("is 53 x 54 pixels, a tile is 54 x 54".into()));
        assert_eq!(sized(216, 216, Fits::Standing), Ok(()));
        assert_eq!(sized(218, 216, Fits::Standing), Err("is 218 x 216 pixels, the most is 216 x 216".into()));
        assert_eq!(sized(55, 54, Fits::Standing), Err("is 55 pixels wide, which must be an even number".into()));
        assert_eq!(sized(3, 3, Fits::Free), Ok(()));
        assert!(sized(3, 217, Fits::Free).is_err());
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
