//! Finds the standing images near a part of a map's picture.

use image::RgbaImage;

use super::layers::{Look, Scene};
use super::pixel_box::PixelBox;
use super::{TerrainCover, projection, raised_corner};
use crate::tiles::{ImageId, TileImages};
use emberwalk_map::Layers;
use emberwalk_path::grid::Cell;

/// The first frame of a standing image, with the box of all its pixels in the map's picture.
pub(super) struct StandingImage {
    pub cell: Cell,
    pub image: ImageId,
    pub bounds: PixelBox,
}

impl Scene {
    /// Returns the standing images whose boxes may overlap a box of the map's picture, the nearest first. The work
    /// depends on the box and on the largest image, not on the size of the map.
    pub(super) fn standing_near<'a>(
        &'a self,
        images: &'a TileImages,
        map: &'a Layers,
        look: Look,
        near: PixelBox,
    ) -> impl Iterator<Item = StandingImage> + 'a {
        let projection = projection(map);
        let tile = projection.tile();
        let ((across, down), reach) = (tile.half_step(), self.standing_reach);
        // The corner of the tile image of cell x,y is `across * (x + y)` pixels to the right and `down * (y - x)` below
        // that of cell 0,0. Both bounds exclude the ends.
        let origin = projection.corner(Cell::new(0, 0)).1;
        let steps = |low: i32, high: i32, step: i32| low.div_euclid(step) + 1..(high - 1).div_euclid(step) + 1;
        let sums = steps(near.left - reach.right, near.right - reach.left, across);
        let lowest = near.bottom - reach.top + projection.headroom();
        let nearnesses = steps(near.top - reach.bottom - origin, lowest - origin, down);
        let cells = nearnesses.rev().flat_map(move |nearness| {
            let of_a_cell = sums.clone().rev().filter(move |sum| (sum - nearness) % 2 == 0);
            of_a_cell.map(move |sum| Cell::new((sum - nearness) / 2, (sum + nearness) / 2))
        });
        cells.filter_map(move |cell| {
            let image = *self.standing(map, look, cell).first()?;
            let pixels = images.image(image);
            let corner = tile.align_image(raised_corner(map, cell), pixels.dimensions());
            Some(StandingImage { cell, image, bounds: PixelBox::of_image(pixels, corner) })
        })
    }

    /// Returns what terrain hides of a standing image.
    pub(super) fn cover_of_standing(
        &self,
        images: &TileImages,
        map: &Layers,
        look: Look,
        StandingImage { cell, image, bounds }: &StandingImage,
    ) -> Option<TerrainCover> {
        self.cover(images, map, look, *cell, (bounds.left, bounds.top), images.image(*image).dimensions())
    }

    /// Returns the alpha of a standing image at a pixel of the map's picture; 0 outside of it, and where terrain hides
    /// it.
    pub(super) fn alpha_of(
        &self,
        images: &TileImages,
        map: &Layers,
        look: Look,
        standing: &StandingImage,
        at: (i32, i32),
    ) -> u8 {
        let alpha = alpha_at(images.image(standing.image), standing.bounds, at);
        if alpha > 0 && self.is_covered(images, map, look, standing.cell, at) { 0 } else { alpha }
    }
}

/// Returns the alpha of an image with this box at a pixel of the map's picture; 0 outside the box.
pub(super) fn alpha_at(image: &RgbaImage, bounds: PixelBox, (x, y): (i32, i32)) -> u8 {
    let (i, j) = (u32::try_from(x - bounds.left), u32::try_from(y - bounds.top));
    let (Ok(i), Ok(j)) = (i, j) else { return 0 };
    image.get_pixel_checked(i, j).map_or(0, |pixel| pixel.0[3])
}
