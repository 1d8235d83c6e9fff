//! The shapes of images: which of their pixels are not transparent.

use std::ops::Range;
use std::sync::OnceLock;

use image::RgbaImage;

use crate::tiles::{ImageId, TileImages};

/// Pixels of an image in one row that are not transparent: the row, and the columns.
pub(super) type Run = (i32, Range<i32>);

/// By image: the pixels that are not transparent, found when they are first asked for.
pub(super) struct Shapes(Vec<OnceLock<Box<[Run]>>>);

impl Shapes {
    pub(super) fn new(images: &TileImages) -> Self {
        Self(images.images().iter().map(|_| OnceLock::new()).collect())
    }

    pub(super) fn of(&self, images: &TileImages, image: ImageId) -> &[Run] {
        self.0[image.index()].get_or_init(|| runs(images.image(image)))
    }
}

fn runs(image: &RgbaImage) -> Box<[Run]> {
    let mut runs = Vec::new();
    for (row, y) in image.rows().zip(0..) {
        let mut open: Option<Run> = None;
        for (pixel, x) in row.zip(0..) {
            match &mut open {
                _ if pixel.0[3] == 0 => runs.extend(open.take()),
                Some((_, columns)) => columns.end = x + 1,
                None => open = Some((y, x..x + 1)),
            }
        }
        runs.extend(open);
    }
    runs.into()
}
