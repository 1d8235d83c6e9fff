//! Scales the embedded images to tiles of another size.

use image::{Rgba, RgbaImage};

use super::image_names::Placement;
use emberwalk_map::terrain::TileMetrics;

/// Scales an embedded image as if it were made for `tile`, by nearest neighbour, so that edges stay sharp. Images are
/// scaled like a step and the centre of the ground stays in place, so that images that joined still join.
pub(super) fn scale_to_tile(image: RgbaImage, placement: Placement, tile: TileMetrics) -> RgbaImage {
    let classic = TileMetrics::CLASSIC;
    if tile == classic {
        return image;
    }
    if placement == Placement::Face {
        return scale_face(&image, tile);
    }
    let factor = f64::from(tile.step().0) / f64::from(classic.step().0);
    let scaled = |pixels: f64| (pixels * factor).ceil().max(1.0) as u32;
    let width = f64::from(image.width());
    let height = f64::from(image.height());
    // The new size, and the fixed point in the old image and in the new one.
    let (size, (from_x, from_y), (to_x, to_y)) = match placement {
        Placement::Tile | Placement::Face => {
            let points =
                [classic, tile].map(|tile| (f64::from(tile.ground_centre().0), f64::from(tile.ground_centre().1)));
            (tile.size(), points[0], points[1])
        }
        Placement::Air => {
            let size = (scaled(width), scaled(height));
            (size, (width / 2.0, height / 2.0), (f64::from(size.0) / 2.0, f64::from(size.1) / 2.0))
        }
        Placement::Standing | Placement::Free | Placement::Slab => {
            let drop = |tile: TileMetrics| if placement == Placement::Slab { tile.slab_offset() } else { 0 };
            let [before, below] = [classic, tile].map(|tile| tile.ground_to_bottom() + drop(tile));
            let above = scaled(height - f64::from(before));
            let half = if placement == Placement::Slab { tile.size().0 / 2 } else { scaled(width / 2.0) };
            let size = (2 * half, above + below as u32);
            (size, (width / 2.0, height - f64::from(before)), (f64::from(half), f64::from(above)))
        }
    };
    let nearest = |at: u32, to: f64, from: f64| (f64::from(at) + 0.5 - to) / factor + from;
    let pixel = |x: f64, y: f64| {
        let inside = x >= 0.0 && y >= 0.0;
        inside.then(|| image.get_pixel_checked(x as u32, y as u32)).flatten().copied().unwrap_or(Rgba([0; 4]))
    };
    RgbaImage::from_fn(size.0, size.1, |i, j| {
        let x = nearest(i, to_x, from_x);
        let y = nearest(j, to_y, from_y);
        match pixel(x, y) {
            // Ground without overlap does not reach the slab, so the slab begins a little higher.
            Rgba([.., 0]) if placement == Placement::Slab => pixel(x, y + 1.0),
            pixel => pixel,
        }
    })
}

/// Scales the side of a raised cell: the strip in each column becomes as high as a level of `tile`.
fn scale_face(image: &RgbaImage, tile: TileMetrics) -> RgbaImage {
    let (width, height) = tile.size();
    let mut face = RgbaImage::new(width, height);
    for (i, edge) in (0..width).zip(lower_edge(tile)) {
        let column = i * image.width() / width;
        let mut below = lower_edge(TileMetrics::CLASSIC).skip(column as usize);
        let from = below.next().unwrap_or_default() - TileMetrics::CLASSIC.level();
        for row in 0..tile.level() {
            let at = from + row * TileMetrics::CLASSIC.level() / tile.level();
            let pixel = u32::try_from(at).ok().and_then(|at| image.get_pixel_checked(column, at));
            if let (Some(pixel), Ok(j)) = (pixel, u32::try_from(edge - tile.level() + row)) {
                face.put_pixel(i, j, *pixel);
            }
        }
    }
    face
}

/// For each column of a tile, the first row below the ground.
pub(super) fn lower_edge(tile: TileMetrics) -> impl Iterator<Item = i32> {
    let (right, below) = tile.ground_centre();
    let radius = 2 * tile.half_step().0 + 3 * tile.overlap();
    (0..tile.size().0 as i32).map(move |i| {
        // In half pixels, the ground extends downwards by `radius` minus twice the distance from the middle.
        let across = (2 * (i - right) + 1).abs();
        below + ((radius - across) / 2 + 1).div_euclid(2).max(0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const INK: Rgba<u8> = Rgba([9, 90, 200, 255]);

    /// The ground of a classic tile, one pixel larger on every side than the diamond of the cell.
    fn ground() -> RgbaImage {
        RgbaImage::from_fn(54, 54, |i, j| {
            let across = f64::from(i) + 0.5 - 27.0;
            let down = f64::from(j) + 0.5 - 40.0;
            if across.abs() + 2.0 * down.abs() <= 27.5 { INK } else { Rgba([0; 4]) }
        })
    }

    #[test]
    fn scaled_ground_leaves_no_gap() {
        for width in (TileMetrics::MIN_WIDTH..=TileMetrics::MAX_WIDTH).step_by(2) {
            let tile = TileMetrics::new(width, width).unwrap();
            let scaled = scale_to_tile(ground(), Placement::Tile, tile);
            let (right, below) = tile.ground_centre();
            let half = f64::from(tile.half_step().0);
            for (i, j, pixel) in scaled.enumerate_pixels() {
                let across = f64::from(i) + 0.5 - f64::from(right);
                let down = f64::from(j) + 0.5 - f64::from(below);
                let is_own = across.abs() + 2.0 * down.abs() < half;
                assert!(!is_own || *pixel == INK, "{i},{j} of a tile of {width}");
            }
        }
    }

    #[test]
    fn standing_images_stay_in_place() {
        // A pole on the centre of the ground, in an image larger than a tile.
        let pole = RgbaImage::from_fn(108, 100, |i, j| {
            if (53..55).contains(&i) && (40..86).contains(&j) { INK } else { Rgba([0; 4]) }
        });
        for (width, height) in [(32, 32), (64, 48), (96, 96), (128, 64)] {
            let tile = TileMetrics::new(width, height).unwrap();
            let scaled = scale_to_tile(pole.clone(), Placement::Standing, tile);
            assert!(scaled.width().is_multiple_of(2));
            let (left, top) = tile.align_image((0, 0), scaled.dimensions());
            let inked = scaled.enumerate_pixels().filter(|(_, _, pixel)| **pixel == INK);
            let (x, y): (Vec<_>, Vec<_>) = inked.map(|(i, j, _)| (left + i as i32, top + j as i32)).unzip();
            let (right, below) = tile.ground_centre();
            assert_eq!(
                (x.iter().min().unwrap() + x.iter().max().unwrap() + 1, y.iter().max()),
                (2 * right, Some(&(below - 1)))
            );
        }
    }

    #[test]
    fn images_of_the_classic_size_stay_unchanged() {
        assert_eq!(scale_to_tile(ground(), Placement::Tile, TileMetrics::CLASSIC), ground());
    }
}
