//! The metrics of a tile image.

use thiserror::Error;

/// The width and height of the tile images of a tileset, the position of the ground in them, and the height of a level,
/// in pixels.
///
/// The ground is a diamond at the bottom of the image, as wide as the image and half as high. The width of a
/// [step](Self::step) from cell to cell is the width of the image, rounded down to a multiple of four. So if the width
/// is two more than a multiple of four, like the classic 54, the ground overlaps each neighbour by a pixel.
///
/// ```
/// use emberwalk_map::terrain::TileMetrics;
///
/// assert_eq!((TileMetrics::CLASSIC.size(), TileMetrics::CLASSIC.step()), ((54, 54), (52, 26)));
/// let tile = TileMetrics::new(64, 96)?;
/// assert_eq!((tile.step(), tile.ground_centre()), ((64, 32), (32, 80)));
/// # Ok::<(), emberwalk_map::terrain::TileSizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileMetrics {
    width: u32,
    height: u32,
    level: u32,
}

/// Why tiles cannot have a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TileSizeError {
    /// The width is odd, too small or too large.
    #[error("the width of a tile must be an even number from {} to {}", TileMetrics::MIN_WIDTH, TileMetrics::MAX_WIDTH)]
    Width,
    /// The height is less than the height of the ground, or too large.
    #[error("a tile of this width must be {min} to {max} pixels high; its ground alone needs {min}")]
    Height {
        /// The height of the ground.
        min: u32,
        /// The maximum height.
        max: u32,
    },
    /// The height of a level is 0 or too large.
    #[error("the level of a tile of this size must be 1 to {max} pixels high")]
    Level {
        /// The maximum height.
        max: u32,
    },
}

impl TileMetrics {
    /// The size of the classic set.
    pub const CLASSIC: Self = Self { width: 54, height: 54, level: Self::CLASSIC_LEVEL };

    /// The height of a level of the classic set, in pixels.
    pub const CLASSIC_LEVEL: u32 = 12;

    /// The minimum width, in pixels.
    pub const MIN_WIDTH: u32 = 16;

    /// The maximum width, in pixels: standing images may be four times as wide, and many of them must fit into one
    /// texture.
    pub const MAX_WIDTH: u32 = 256;

    /// The maximum height, in pixels. The height is also at most four times the width.
    pub const MAX_HEIGHT: u32 = 512;

    /// The metrics of tiles with a width and height in pixels. A level is 12 pixels high, or as high as fits into the
    /// tile.
    ///
    /// # Errors
    /// The width is odd or out of bounds, or the ground does not fit into the height.
    pub const fn new(width: u32, height: u32) -> Result<Self, TileSizeError> {
        let mut tile = Self { width, height, level: 1 };
        if width < Self::MIN_WIDTH || width > Self::MAX_WIDTH || !width.is_multiple_of(2) {
            return Err(TileSizeError::Width);
        }
        let min = tile.ground_size().1 as u32;
        let max = if 4 * width < Self::MAX_HEIGHT { 4 * width } else { Self::MAX_HEIGHT };
        if height < min || height > max {
            return Err(TileSizeError::Height { min, max });
        }
        let max_level = tile.max_level();
        tile.level = if Self::CLASSIC_LEVEL < max_level { Self::CLASSIC_LEVEL } else { max_level };
        Ok(tile)
    }

    /// The metrics with levels of this height in pixels.
    ///
    /// # Errors
    /// The height is 0, or the side of a cell that is one level high does not fit into a tile image.
    pub const fn with_level(self, level: u32) -> Result<Self, TileSizeError> {
        let max = self.max_level();
        if level == 0 || level > max { Err(TileSizeError::Level { max }) } else { Ok(Self { level, ..self }) }
    }

    /// The height of a level, in pixels.
    pub const fn level(self) -> i32 {
        self.level as i32
    }

    const fn max_level(self) -> u32 {
        self.ground_centre().1 as u32
    }

    /// The width and height of a tile image.
    pub const fn size(self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// The width and height of the diamond of a cell, which is the distance between diagonal neighbours.
    pub const fn step(self) -> (i32, i32) {
        let (across, down) = self.half_step();
        (2 * across, 2 * down)
    }

    /// The distance to the right and down to the image of the southern neighbour.
    pub const fn half_step(self) -> (i32, i32) {
        let quarter = (self.width / 4) as i32;
        (2 * quarter, quarter)
    }

    /// The centre of the ground in the image, as a point.
    pub const fn ground_centre(self) -> (i32, i32) {
        (self.width as i32 / 2, self.height as i32 - self.ground_to_bottom())
    }

    /// The distance from the centre of the ground down to the bottom edge of the image.
    pub const fn ground_to_bottom(self) -> i32 {
        self.width.div_ceil(4) as i32
    }

    /// The distance from the tile image of a cell down to the slab image below it.
    pub const fn slab_offset(self) -> i32 {
        self.width as i32 / 2
    }

    /// The number of pixels by which the ground overlaps each neighbour.
    pub const fn overlap(self) -> i32 {
        (self.width as i32 - self.step().0) / 2
    }

    /// The top left corner of the bounding box of the ground in the image.
    pub const fn ground_corner(self) -> (i32, i32) {
        (0, self.height as i32 - self.ground_size().1)
    }

    /// The width and height of the bounding box of the ground, with the overlap.
    pub const fn ground_size(self) -> (i32, i32) {
        (self.width as i32, 2 * self.ground_to_bottom())
    }

    /// The top left corner of an image of any size, aligned with the tile image at a corner: both have the same bottom
    /// edge and the same vertical centre line.
    pub const fn align_image(self, (x, y): (i32, i32), (width, height): (u32, u32)) -> (i32, i32) {
        (x + (self.width as i32 - width as i32) / 2, y + self.height as i32 - height as i32)
    }
}

impl Default for TileMetrics {
    fn default() -> Self {
        Self::CLASSIC
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classic_metrics_follow_the_formula() {
        let tile = TileMetrics::CLASSIC;
        assert_eq!((tile.step(), tile.half_step(), tile.ground_centre()), ((52, 26), (26, 13), (27, 40)));
        assert_eq!((tile.ground_corner(), tile.ground_size(), tile.overlap()), ((0, 26), (54, 28), 1));
    }

    #[test]
    fn invalid_sizes_are_refused() {
        for width in [0, 2, 14, 55, 258, u32::MAX] {
            assert_eq!(TileMetrics::new(width, 54), Err(TileSizeError::Width), "{width}");
        }
        for (width, height, min, max) in
            [(54, 27, 28, 216), (64, 31, 32, 256), (256, 0, 128, 512), (200, 513, 100, 512), (64, u32::MAX, 32, 256)]
        {
            assert_eq!(TileMetrics::new(width, height), Err(TileSizeError::Height { min, max }), "{width} x {height}");
        }
        for (width, height) in [(16, 8), (54, 28), (64, 32), (256, 512)] {
            assert!(TileMetrics::new(width, height).is_ok(), "{width} x {height}");
        }
    }

    #[test]
    fn large_images_are_aligned_at_the_bottom_centre() {
        assert_eq!(TileMetrics::CLASSIC.align_image((100, 200), (54, 54)), (100, 200));
        assert_eq!(TileMetrics::CLASSIC.align_image((100, 200), (108, 120)), (73, 134));
        assert_eq!(TileMetrics::CLASSIC.align_image((100, 200), (20, 30)), (117, 224));
    }
}
