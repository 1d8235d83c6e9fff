//! Finds the standing images near a part of a map's picture.

use image::RgbaImage;

use super::layers::{Look, Scene};
use super::projection;
use super::terrain_images::TerrainImages;
use crate::grid::Cell;
use crate::map::Map;
use crate::terrain::{ImageId, TileImages};

/// A box of pixels, without its right and its bottom edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PixelBox {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

/// The first frame of a standing image, with the box of all its pixels in the map's picture.
pub(super) struct StandingImage {
    pub cell: Cell,
    pub image: ImageId,
    pub bounds: PixelBox,
}

impl PixelBox {
    /// Returns the box of an image with its top left corner at `corner`.
    pub(super) fn of_image(image: &RgbaImage, (left, top): (i32, i32)) -> Self {
        Self { left, top, right: left + image.width() as i32, bottom: top + image.height() as i32 }
    }

    /// Returns the smallest box of all pixels of an image that are not transparent, measured from its corner; an empty
    /// box if there are none.
    pub(super) fn of_visible_pixels(image: &RgbaImage) -> Self {
        let visible = image.enumerate_pixels().filter(|(_, _, pixel)| pixel.0[3] > 0);
        let boxes =
            visible.map(|(x, y, _)| Self { left: x as i32, top: y as i32, right: x as i32 + 1, bottom: y as i32 + 1 });
        boxes.reduce(Self::union).unwrap_or(Self { left: 0, top: 0, right: 0, bottom: 0 })
    }

    pub(super) fn moved(self, (x, y): (i32, i32)) -> Self {
        Self { left: self.left + x, top: self.top + y, right: self.right + x, bottom: self.bottom + y }
    }

    /// Returns the smallest box that contains both.
    fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Returns all pixels that are in both boxes.
    pub(super) fn common_pixels(self, other: Self) -> impl Iterator<Item = (i32, i32)> {
        let (left, right) = (self.left.max(other.left), self.right.min(other.right));
        let (top, bottom) = (self.top.max(other.top), self.bottom.min(other.bottom));
        (top..bottom).flat_map(move |y| (left..right).map(move |x| (x, y)))
    }
}

/// Returns how far the standing images of all terrains reach: a box around them, measured from the corner of the tile
/// image of their cell.
pub(super) fn reach_of_standing_images<'a>(
    standing: impl Iterator<Item = &'a TerrainImages>,
    images: &TileImages,
) -> PixelBox {
    let (width, height) = images.tile().size();
    let tile = PixelBox { left: 0, top: 0, right: width as i32, bottom: height as i32 };
    let first_frames = standing.flat_map(|terrain| terrain.first_frames().chain(terrain.plain.first_frames()));
    let boxes = first_frames.map(|id| {
        let image = images.image(id);
        PixelBox::of_image(image, images.tile().align_image((0, 0), image.dimensions()))
    });
    boxes.fold(tile, PixelBox::union)
}

impl Scene {
    /// Returns the standing images whose boxes may overlap a box of the map's picture, the nearest first. The work
    /// depends on the box and on the largest image, not on the size of the map.
    pub(super) fn standing_near<'a>(
        &'a self,
        images: &'a TileImages,
        map: &'a Map,
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
        let nearnesses = steps(near.top - reach.bottom - origin, near.bottom - reach.top - origin, down);
        let cells = nearnesses.rev().flat_map(move |nearness| {
            let of_a_cell = sums.clone().rev().filter(move |sum| (sum - nearness) % 2 == 0);
            of_a_cell.map(move |sum| Cell::new((sum - nearness) / 2, (sum + nearness) / 2))
        });
        cells.filter_map(move |cell| {
            let image = *self.standing(map, look, cell).first()?;
            let pixels = images.image(image);
            let corner = tile.align_image(projection.corner(cell), pixels.dimensions());
            Some(StandingImage { cell, image, bounds: PixelBox::of_image(pixels, corner) })
        })
    }
}

/// Returns the alpha of an image with this box at a pixel of the map's picture; 0 outside the box.
pub(super) fn alpha_at(image: &RgbaImage, bounds: PixelBox, (x, y): (i32, i32)) -> u8 {
    let (i, j) = (u32::try_from(x - bounds.left), u32::try_from(y - bounds.top));
    let (Ok(i), Ok(j)) = (i, j) else { return 0 };
    image.get_pixel_checked(i, j).map_or(0, |pixel| pixel.0[3])
}
