//! Several images on top of each other that a tilemap draws as one tile.

use image::RgbaImage;

use super::linear_light::SrgbTables;
use crate::tiles::{ImageId, TileImages};

/// The maximum number of images: enough for the depth of water, a shore, reflections, banks and foam with their corners,
/// and for one image for each of the eight neighbours.
const CAPACITY: usize = 20;

/// The images of one cell in one layer, the lowest first. It is cheap to copy, and the key under which the window
/// caches the tile made by [`compose`](Self::compose).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageStack {
    /// Entries beyond the count are the same in every stack, so that derived equality and hashes are right.
    images: [ImageId; CAPACITY],
    count: u8,
}

impl ImageStack {
    /// A stack of no images.
    pub const EMPTY: Self = Self { images: [ImageId(0); CAPACITY], count: 0 };

    /// The images, the lowest first.
    pub fn images(&self) -> &[ImageId] {
        &self.images[..usize::from(self.count)]
    }

    /// Whether there are no images.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds an image on top. Panics if there are twenty already.
    pub(super) fn push(&mut self, image: ImageId) {
        self.images[usize::from(self.count)] = image;
        self.count += 1;
    }

    /// Blends the images into one tile with straight alpha. Drawing the tile gives the same result as drawing the
    /// images one after another.
    pub fn compose(&self, images: &TileImages) -> RgbaImage {
        let (width, height) = images.tile().size();
        let mut tile = RgbaImage::new(width, height);
        for image in self.images().iter().map(|id| images.image(*id)) {
            let corner = images.tile().align_image((0, 0), image.dimensions());
            SrgbTables::get().draw(&mut tile, image, corner, None);
        }
        tile
    }
}

/// # Panics
/// There are more than twenty images.
impl FromIterator<ImageId> for ImageStack {
    fn from_iter<I: IntoIterator<Item = ImageId>>(images: I) -> Self {
        let mut stack = Self::EMPTY;
        images.into_iter().for_each(|image| stack.push(image));
        stack
    }
}
