//! The reflections in water of images that stand in it or beside it.

use image::{Rgba, RgbaImage};

use emberwalk_map::terrain::TileMetrics;

/// Where the water is, in columns and rows from the reflected image: under it, and where the picture of a reflection
/// falls.
pub(crate) const REFLECTION_OFFSETS: [(i32, i32); 4] = [(0, 0), (0, 1), (-1, 0), (-1, 1)];

/// How much of the light is reflected, and the share of the colour of water in it.
const STRENGTH: f64 = 0.62;
const BLUE: f64 = 0.26;
const WATER: [f64; 3] = [30.0, 74.0, 108.0];

/// How far down images are reflected, in heights of a tile: flat images, and standing images.
const FLAT: f64 = 0.34;
const STANDING: f64 = 0.95;

/// The reflection of an image in a cell of water at an offset: a tile, cut at the diamond of the cell. `None` if it has no
/// pixels there.
///
/// Each column is mirrored at its lowest opaque pixel. For a vertical wall that meets the ground along a straight line,
/// this is the correct reflection.
pub(super) fn reflection(
    image: &RgbaImage,
    tile: TileMetrics,
    (dx, dy): (i32, i32),
    is_flat: bool,
) -> Option<RgbaImage> {
    let (right, down) = tile.half_step();
    let (left, top) = tile.align_image((0, 0), image.dimensions());
    // The corner of the tile of the water, measured from the corner of the image.
    let (x, y) = (right * (dx + dy) - left, down * (dy - dx) - top);
    let (width, height) = tile.size();
    let (middle, row) = tile.ground_centre();
    let reach = f64::from(height) * if is_flat { FLAT } else { STANDING };
    let mut reflected = RgbaImage::new(width, height);
    for i in 0..width as i32 {
        let foot = |column: i32| {
            let column = u32::try_from(column).ok().filter(|column| *column < image.width())?;
            let lowest = (0..image.height()).rev().find(|row| image.get_pixel(column, *row).0[3] == u8::MAX)?;
            Some((column, lowest as i32))
        };
        for j in 0..height as i32 {
            let from_middle = ((2 * (i - middle) + 1).abs() * down, (2 * (j - row) + 1).abs() * right);
            if from_middle.0 + from_middle.1 > 2 * right * down {
                continue;
            }
            // Waves shift some rows.
            let wave = [0, 0, 1, 1, 0, -1, -1, 0][(y + j).rem_euclid(8) as usize];
            let Some((column, lowest)) = foot(x + i + wave) else { continue };
            let below = y + j - lowest;
            let fade = 1.0 - f64::from(below) / reach;
            let source = u32::try_from(lowest + 1 - below).ok().filter(|source| below > 0 && *source < image.height());
            let Some(source) = source.filter(|_| fade > 0.0) else { continue };
            let pixel = image.get_pixel(column, source).0;
            // Few steps of alpha make few colours.
            let alpha = STRENGTH * fade.min(1.0) * f64::from(pixel[3]);
            let colour = [0, 1, 2].map(|k| (f64::from(pixel[k]) * 0.8 * (1.0 - BLUE) + WATER[k] * BLUE) as u8);
            reflected.put_pixel(i as u32, j as u32, Rgba([colour[0], colour[1], colour[2], alpha as u8]));
        }
    }
    reflected.pixels().any(|pixel| pixel.0[3] > 0).then_some(reflected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_is_mirrored_at_its_foot_and_fades() {
        let tile = TileMetrics::CLASSIC;
        let colour = |height: u32| Rgba([200, 40 + height as u8, 20, 255]);
        // A post of two columns, from its foot in the middle of the ground upwards.
        let foot = tile.ground_centre().1 as u32;
        let mut post = RgbaImage::new(tile.size().0, tile.size().1);
        for (i, up) in [26, 27].into_iter().flat_map(|i| (0..30).map(move |up| (i, up))) {
            post.put_pixel(i, foot - up, colour(up));
        }
        let below = reflection(&post, tile, (-1, 1), false).expect("it falls into the cell in front");
        let column: Vec<_> =
            (0..tile.size().1).map(|j| below.get_pixel(27, j).0).filter(|pixel| pixel[3] > 0).collect();
        assert!(column.len() > 10, "{}", column.len());
        assert!(column.windows(2).all(|pair| pair[0][1] <= pair[1][1] && pair[0][3] >= pair[1][3]), "{column:?}");
        assert_eq!(reflection(&post, tile, (2, 2), false), None, "far away there is nothing");
    }
}
