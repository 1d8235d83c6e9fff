//! Pictures of large parts of a map that are painted square by square.

use image::RgbaImage;

use super::{PicturePart, paint_reduced};
use crate::scene::{Look, Scene};
use crate::tiles::TileImages;
use emberwalk_map::Layers;

/// The minimum side of a square in pixels of the picture.
const MIN_SIDE: u32 = 16;

/// A part of the picture of a map while it is painted.
#[derive(Clone, Debug)]
pub struct GradualPicture {
    part: PicturePart,
    picture: RgbaImage,
    /// The side of a square in pixels of the picture.
    side: u32,
    /// The number of squares that are painted.
    painted: u32,
}

impl GradualPicture {
    /// Begins with a part. Its squares are about as wide as said, in pixels at zoom 1. What stands on cells beside a
    /// square is painted too, so small squares take longer in all.
    pub fn new(part: PicturePart, square: u32) -> Self {
        let picture = RgbaImage::new(part.size.0, part.size.1);
        Self { part, picture, side: (square / part.parts).max(MIN_SIDE), painted: 0 }
    }

    /// Paints the next square as [`paint_reduced`] does, and returns the picture once it is complete. After that, there
    /// is nothing left to paint.
    ///
    /// # Panics
    /// `parts` of the part is not a power of two.
    pub fn paint_next(&mut self, map: &Layers, scene: &Scene, images: &TileImages, look: Look) -> Option<RgbaImage> {
        let Self { part: PicturePart { corner, size, parts }, side, .. } = *self;
        let columns = size.0.div_ceil(side);
        let squares = columns * size.1.div_ceil(side);
        if self.painted < squares {
            let (x, y) = (self.painted % columns * side, self.painted / columns * side);
            let corner = (corner.0 + (x * parts) as i32, corner.1 + (y * parts) as i32);
            let square = PicturePart { corner, size: (side.min(size.0 - x), side.min(size.1 - y)), parts };
            let painted = paint_reduced(map, scene, images, look, square);
            image::imageops::replace(&mut self.picture, &painted, x.into(), y.into());
            self.painted += 1;
        }
        (self.painted == squares).then(|| std::mem::take(&mut self.picture))
    }
}
