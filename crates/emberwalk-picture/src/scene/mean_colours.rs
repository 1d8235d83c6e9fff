//! The mean colours of images.

use std::sync::OnceLock;

use image::{Rgba, RgbaImage};

use super::linear_light::SrgbTables;
use crate::tiles::{ImageId, TileImages};
use emberwalk_map::terrain::TileMetrics;

/// By image: the mean colour of its pixels in linear light, weighted with their opacity, and the sum of the opacities;
/// found when it is first asked for. Of an image that is larger than a cell only the upper part counts, because nearer
/// cells hide the lower part where many such images stand together.
pub(super) struct MeanColours(Vec<OnceLock<([f32; 3], f32)>>);

impl MeanColours {
    pub(super) fn new(images: &TileImages) -> Self {
        Self(images.images().iter().map(|_| OnceLock::new()).collect())
    }

    pub(super) fn of(&self, images: &TileImages, image: ImageId) -> ([f32; 3], f32) {
        *self.0[image.index()].get_or_init(|| mean(images.image(image), images.tile()))
    }
}

fn mean(image: &RgbaImage, tile: TileMetrics) -> ([f32; 3], f32) {
    let tables = SrgbTables::get();
    let (across, down) = tile.step();
    let cell = (across * down) as f32 / 2.0;
    let (mut sum, mut weight) = ([0.0; 3], 0.0);
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
