//! The measures of a tile image.

use thiserror::Error;

/// Width and height of the tile images of a tileset, and where the ground lies in them, in pixels.
///
/// The ground is a diamond at the bottom of the image, as wide as the image and half as high. Cells stand a
/// [step](Self::step) apart, the width rounded down to a multiple of four: so a ground that is two pixels wider than a
/// multiple of four, as the classic 54 is, laps over each neighbour by a pixel, and any other just meets them.
///
/// ```
/// use emberwalk::iso::TileMetrics;
///
/// assert_eq!((TileMetrics::CLASSIC.size(), TileMetrics::CLASSIC.step()), ((54, 54), (52, 26)));
/// let tile = TileMetrics::new(64, 96)?;
/// assert_eq!((tile.step(), tile.ground_centre()), ((64, 32), (32, 80)));
/// # Ok::<(), emberwalk::iso::TileSizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileMetrics {
    width: u32,
    height: u32,
}

/// Why tiles cannot have a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TileSizeError {
    /// The middle of the ground would lie between pixels, or the ground would be hardly a dot or a screen.
    #[error("a tile's width is an even number from {} to {}", TileMetrics::MIN_WIDTH, TileMetrics::MAX_WIDTH)]
    Width,
    /// The ground would not fit, or nothing would be left of the screen.
    #[error("a tile of this width is {least} to {most} high: its ground alone is {least}")]
    Height {
        /// The height of the ground.
        least: u32,
        /// The greatest height.
        most: u32,
    },
}

impl TileMetrics {
    /// The size of the classic set.
    pub const CLASSIC: Self = Self { width: 54, height: 54 };

    /// The least width, in pixels.
    pub const MIN_WIDTH: u32 = 16;

    /// The greatest width, in pixels: what stands may be four times as wide, and goes into one texture with its like.
    pub const MAX_WIDTH: u32 = 256;

    /// The greatest height, in pixels; it is at most four times the width, too.
    pub const MAX_HEIGHT: u32 = 512;

    /// Tiles of so many pixels.
    ///
    /// # Errors
    /// [`TileSizeError`] where the width is odd or out of bounds, or the ground does not fit into the height.
    pub const fn new(width: u32, height: u32) -> Result<Self, TileSizeError> {
        let tile = Self { width, height };
        if width < Self::MIN_WIDTH || width > Self::MAX_WIDTH || !width.is_multiple_of(2) {
            return Err(TileSizeError::Width);
        }
        let least = tile.ground_size().1 as u32;
        let most = if 4 * width < Self::MAX_HEIGHT { 4 * width } else { Self::MAX_HEIGHT };
        if height < least || height > most {
            return Err(TileSizeError::Height { least, most });
        }
        Ok(tile)
    }

    /// Width and height of an image.
    pub const fn size(self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// How far apart the images of neighbouring cells of a diagonal stand: the width and height of a cell's diamond.
    pub const fn step(self) -> (i32, i32) {
        let (across, down) = self.half_step();
        (2 * across, 2 * down)
    }

    /// How far right and down the image of the southern neighbour stands.
    pub const fn half_step(self) -> (i32, i32) {
        let quarter = (self.width / 4) as i32;
        (2 * quarter, quarter)
    }

    /// The centre of the ground in an image, as a point.
    pub const fn ground_centre(self) -> (i32, i32) {
        (self.width as i32 / 2, self.height as i32 - self.ground_to_bottom())
    }

    /// How far the bottom edge of an image lies below the centre of the ground.
    pub const fn ground_to_bottom(self) -> i32 {
        self.width.div_ceil(4) as i32
    }

    /// How far below the tile image of a cell the image of the cut earth below it is drawn.
    pub const fn slab_offset(self) -> i32 {
        self.width as i32 / 2
    }

    /// How far the ground laps over each neighbour.
    pub const fn overlap(self) -> i32 {
        (self.width as i32 - self.step().0) / 2
    }

    /// Where the box of the ground that is drawn begins in an image.
    pub const fn ground_corner(self) -> (i32, i32) {
        (0, self.height as i32 - self.ground_size().1)
    }

    /// Width and height of the ground that is drawn.
    pub const fn ground_size(self) -> (i32, i32) {
        (self.width as i32, 2 * self.ground_to_bottom())
    }

    /// The top left corner of an image of another size, whose bottom edge and upright middle line stand where those of the
    /// tile image at `corner` would.
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
    fn the_classic_measures_are_those_of_the_formula() {
        let tile = TileMetrics::CLASSIC;
        assert_eq!((tile.step(), tile.half_step(), tile.ground_centre()), ((52, 26), (26, 13), (27, 40)));
        assert_eq!((tile.ground_corner(), tile.ground_size(), tile.overlap()), ((0, 26), (54, 28), 1));
    }

    #[test]
    fn sizes_that_make_no_sense_are_refused() {
        for width in [0, 2, 14, 55, 258, u32::MAX] {
            assert_eq!(TileMetrics::new(width, 54), Err(TileSizeError::Width), "{width}");
        }
        for (width, height, least, most) in
            [(54, 27, 28, 216), (64, 31, 32, 256), (256, 0, 128, 512), (200, 513, 100, 512), (64, u32::MAX, 32, 256)]
        {
            assert_eq!(
                TileMetrics::new(width, height),
                Err(TileSizeError::Height { least, most }),
                "{width} x {height}"
            );
        }
        for (width, height) in [(16, 8), (54, 28), (64, 32), (256, 512)] {
            assert!(TileMetrics::new(width, height).is_ok(), "{width} x {height}");
        }
    }

    #[test]
    fn large_images_stand_on_the_same_bottom_and_middle() {
        assert_eq!(TileMetrics::CLASSIC.align_image((100, 200), (54, 54)), (100, 200));
        assert_eq!(TileMetrics::CLASSIC.align_image((100, 200), (108, 120)), (73, 134));
        assert_eq!(TileMetrics::CLASSIC.align_image((100, 200), (20, 30)), (117, 224));
    }
}
