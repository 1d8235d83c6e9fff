//! Finds the standing images near a part of a map's picture.

use image::RgbaImage;

use super::layers::Scene;
use super::pixel_box::PixelBox;
use super::{projection, raised_corner};
use crate::tiles::ImageId;
use emberwalk_map::Layers;
use emberwalk_path::grid::Cell;

/// The first frame of a standing image, with the box of all its pixels in the map's picture.
pub(super) struct StandingImage {
    pub cell: Cell,
    pub image: ImageId,
    pub bounds: PixelBox,
}

impl Scene {
    /// The standing images whose boxes may overlap a box of the map's picture, the nearest first. The running time
    /// depends on the box and the largest image, not on the size of the map.
    pub(super) fn standing_near<'a>(
        &'a self,
        map: &'a Layers,
        near: PixelBox,
    ) -> impl Iterator<Item = StandingImage> + 'a {
        let projection = projection(map);
        let tile = projection.tile();
        let reach = self.standing_reach;
        // Both ranges exclude images that only touch the box.
        let columns = near.left - reach.right + 1..near.right - reach.left;
        let rows = near.top - reach.bottom + 1..near.bottom - reach.top + projection.headroom();
        let cells = projection.cells_with_corners(columns, rows).rev();
        cells.filter_map(move |cell| {
            let image = *self.standing(map, cell).first()?;
            let size = self.images.image(image).dimensions();
            let corner = tile.align_image(raised_corner(map, cell), size);
            Some(StandingImage { cell, image, bounds: PixelBox::of_size(corner, size) })
        })
    }
}

/// The alpha of an image with this box at a pixel of the map's picture; 0 outside the box.
pub(super) fn alpha_at(image: &RgbaImage, bounds: PixelBox, (x, y): (i32, i32)) -> u8 {
    let i = u32::try_from(x - bounds.left);
    let j = u32::try_from(y - bounds.top);
    let (Ok(i), Ok(j)) = (i, j) else { return 0 };
    image.get_pixel_checked(i, j).map_or(0, |pixel| pixel.0[3])
}
