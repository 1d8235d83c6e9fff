//! The shapes and the mean colours of images.

use std::ops::Range;
use std::sync::OnceLock;

use image::{Rgba, RgbaImage};

use super::linear_light::SrgbTables;
use super::pixel_box::PixelBox;
use crate::tiles::{ImageId, TileImages};
use emberwalk_map::terrain::TileMetrics;

/// Adjacent pixels in one row of an image that are not transparent: the row, and the columns.
pub(super) type Run = (i32, Range<i32>);

/// The shape and the mean colour of an image.
pub(super) struct Shape {
    /// The pixels that are not transparent.
    pub runs: Box<[Run]>,
    /// The smallest box that contains these pixels; `None` if there are none.
    pub bounds: Option<PixelBox>,
    /// The mean colour of its pixels in linear light, weighted by opacity, and the sum of the opacities. If the image
    /// is larger than a cell, only its upper part counts, because nearer cells hide the lower part where many such
    /// images stand together.
    pub mean: ([f32; 3], f32),
}

/// The shape of each image, computed when it is first needed.
pub(super) struct Shapes(Vec<OnceLock<Shape>>);

impl Shapes {
    pub(super) fn new(images: &TileImages) -> Self {
        Self(images.images().map(|_| OnceLock::new()).collect())
    }

    pub(super) fn of(&self, images: &TileImages, image: ImageId) -> &Shape {
        self.0[image.index()].get_or_init(|| {
            let image = images.image(image);
            let runs = runs(image);
            Shape { bounds: bounds(&runs), runs, mean: mean(image, images.tile()) }
        })
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

fn bounds(runs: &[Run]) -> Option<PixelBox> {
    let box_of = |(y, columns): &Run| PixelBox { left: columns.start, top: *y, right: columns.end, bottom: y + 1 };
    runs.iter().map(box_of).reduce(PixelBox::union)
}

fn mean(image: &RgbaImage, tile: TileMetrics) -> ([f32; 3], f32) {
    let tables = SrgbTables::get();
    let (across, down) = tile.step();
    let cell = (across * down) as f32 / 2.0;
    let mut sum = [0.0; 3];
    let mut weight = 0.0;
    for Rgba([red, green, blue, alpha]) in image.pixels() {
        if weight >= cell {
            break;
        }
        let opacity = f32::from(*alpha) / 255.0;
        weight += opacity;
        for (sum, code) in sum.iter_mut().zip([red, green, blue]) {
            *sum += tables.linear(*code) * opacity;
        }
    }
    (sum.map(|sum| sum / weight.max(f32::MIN_POSITIVE)), weight)
}
