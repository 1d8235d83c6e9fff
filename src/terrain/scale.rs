//! The embedded images, for tiles of another size than theirs.

use image::{Rgba, RgbaImage};

use super::image_names::Fits;
use crate::iso::TileMetrics;

/// An embedded image as large as if it were made for `tile`: each pixel is the nearest of the image's own, so that its
/// edges stay hard. The middle of the ground stays where it is, and grows as the step does: what joined goes on to.
pub(super) fn to_tile(image: RgbaImage, fits: Fits, tile: TileMetrics) -> RgbaImage {
    let classic = TileMetrics::CLASSIC;
    if tile == classic {
        return image;
    }
    let factor = f64::from(tile.step().0) / f64::from(classic.step().0);
    let grown = |pixels: f64| (pixels * factor).ceil().max(1.0) as u32;
    let (width, height) = (f64::from(image.width()), f64::from(image.height()));
    // The size, and the point that stays, in the old image and in the new.
    let (size, (from_x, from_y), (to_x, to_y)) = match fits {
        Fits::Tile => {
            let points =
                [classic, tile].map(|tile| (f64::from(tile.ground_centre().0), f64::from(tile.ground_centre().1)));
            (tile.size(), points[0], points[1])
        }
        Fits::Air => {
            let size = (grown(width), grown(height));
            (size, (width / 2.0, height / 2.0), (f64::from(size.0) / 2.0, f64::from(size.1) / 2.0))
        }
        Fits::Standing | Fits::Free | Fits::SlabImageNames => {
            let drop = |tile: TileMetrics| if fits == Fits::SlabImageNames { tile.slab_offset() } else { 0 };
            let [before, below] = [classic, tile].map(|tile| tile.ground_to_bottom() + drop(tile));
            let above = grown(height - f64::from(before));
            let half = if fits == Fits::SlabImageNames { tile.size().0 / 2 } else { grown(width / 2.0) };
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
        let (x, y) = (nearest(i, to_x, from_x), nearest(j, to_y, from_y));
        match pixel(x, y) {
            // GroundStyle that does not lap over its neighbours does not reach the slab either, which so begins a little higher.
            Rgba([.., 0]) if fits == Fits::SlabImageNames => pixel(x, y + 1.0),
            pixel => pixel,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const INK: Rgba<u8> = Rgba([9, 90, 200, 255]);

    /// The ground of a classic tile, a pixel larger on every side than the cell's diamond.
    fn ground() -> RgbaImage {
        RgbaImage::from_fn(54, 54, |i, j| {
            let (across, down) = (f64::from(i) + 0.5 - 27.0, f64::from(j) + 0.5 - 40.0);
            if across.abs() + 2.0 * down.abs() <= 27.5 { INK } else { Rgba([0; 4]) }
        })
    }

    #[test]
    fn scaled_ground_leaves_no_gap() {
        for width in (TileMetrics::MIN_WIDTH..=TileMetrics::MAX_WIDTH).step_by(2) {
            let tile = TileMetrics::new(width, width).unwrap();
            let scaled = to_tile(ground(), Fits::Tile, tile);
            let ((right, below), half) = (tile.ground_centre(), f64::from(tile.half_step().0));
            for (i, j, pixel) in scaled.enumerate_pixels() {
                let (across, down) = (f64::from(i) + 0.5 - f64::from(right), f64::from(j) + 0.5 - f64::from(below));
                let own = across.abs() + 2.0 * down.abs() < half;
                assert!(!own || *pixel == INK, "{i},{j} of a tile of {width}");
            }
        }
    }

    #[test]
    fn what_stands_stands_on_the_same_spot() {
        // A pole on the middle of the ground, in an image larger than a tile.
        let pole = RgbaImage::from_fn(108, 100, |i, j| {
            if (53..55).contains(&i) && (40..86).contains(&j) { INK } else { Rgba([0; 4]) }
        });
        for (width, height) in [(32, 32), (64, 48), (96, 96), (128, 64)] {
            let tile = TileMetrics::new(width, height).unwrap();
            let scaled = to_tile(pole.clone(), Fits::Standing, tile);
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
    fn the_classic_size_is_left_as_it_is() {
        assert_eq!(to_tile(ground(), Fits::Tile, TileMetrics::CLASSIC), ground());
    }
}
