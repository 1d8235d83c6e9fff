//! Images laid over one another that a tilemap draws as one.

use std::hash::{Hash, Hasher};

use image::RgbaImage;

use super::Colour;
use crate::terrain::{ImageId, TileImages};

/// Shore and banks with their lone corners, or one image for each of eight neighbours, never are more.
const MOST: usize = 10;

/// The images of one cell in one layer, the lowest first; cheap to copy, and a key under which the window keeps what
/// [`compose`](Self::compose) makes of it.
#[derive(Clone, Copy)]
pub struct ImageStack {
    images: [ImageId; MOST],
    count: u8,
}

impl ImageStack {
    /// Nothing.
    pub const EMPTY: Self = Self { images: [ImageId(0); MOST], count: 0 };

    /// The images, the lowest first.
    pub fn images(&self) -> &[ImageId] {
        &self.images[..usize::from(self.count)]
    }

    /// Whether nothing is drawn.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn push(&mut self, image: ImageId) {
        self.images[usize::from(self.count)] = image;
        self.count += 1;
    }

    /// The images as one tile, straight alpha. Drawing it is the same as drawing one image after the other.
    pub fn compose(&self, assets: &TileImages) -> RgbaImage {
        let (width, height) = assets.tile().size();
        let mut tile = RgbaImage::new(width, height);
        for image in self.images().iter().map(|id| assets.image(*id)) {
            Colour::tables().lay(&mut tile, image, assets.tile().align_image((0, 0), image.dimensions()), None);
        }
        tile
    }
}

impl PartialEq for ImageStack {
    fn eq(&self, other: &Self) -> bool {
        self.images() == other.images()
    }
}

impl Eq for ImageStack {}

impl Hash for ImageStack {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.images().hash(state);
    }
}

impl std::fmt::Debug for ImageStack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.images()).finish()
    }
}

impl FromIterator<ImageId> for ImageStack {
    /// Panics when there are more than ten.
    fn from_iter<I: IntoIterator<Item = ImageId>>(images: I) -> Self {
        let mut stack = Self::EMPTY;
        images.into_iter().for_each(|image| stack.push(image));
        stack
    }
}
