//! The colour of a cell from afar.

use std::sync::OnceLock;

use image::{Rgba, RgbaImage};

use super::layers::{Look, Scene};
use super::linear_light::SrgbTables;
use crate::grid::Cell;
use crate::map::Map;
use crate::terrain::{ImageId, TileImages};

/// By image: the mean colour of its pixels in linear light, weighted with their opacity, and the sum of the opacities; found
/// when it is first asked for.
pub(super) struct MeanColours(Vec<OnceLock<([f32; 3], f32)>>);

impl MeanColours {
    pub(super) fn new(images: &TileImages) -> Self {
        Self(images.images().iter().map(|_| OnceLock::new()).collect())
    }

    fn of(&self, images: &TileImages, image: ImageId) -> ([f32; 3], f32) {
        *self.0[image.index()].get_or_init(|| mean(images.image(image)))
    }
}

fn mean(image: &RgbaImage) -> ([f32; 3], f32) {
    let tables = SrgbTables::get();
    let (mut sum, mut weight) = ([0.0; 3], 0.0);
    for Rgba([red, green, blue, alpha]) in image.pixels() {
        let opacity = f32::from(*alpha) / 255.0;
        weight += opacity;
        for (sum, code) in sum.iter_mut().zip([red, green, blue]) {
            *sum += tables.linear(*code) * opacity;
        }
    }
    (sum.map(|sum| sum / weight.max(f32::MIN_POSITIVE)), weight)
}

impl Scene {
    /// Returns about the mean colour of the picture of a cell: its ground, with what lies and stands on it.
    pub fn cell_colour(&self, images: &TileImages, map: &Map, look: Look, cell: Cell) -> Rgba<u8> {
        let (across, down) = images.tile().step();
        let diamond = (across * down) as f32 / 2.0;
        let over =
            [self.flat(map, look, cell).images().last().copied(), self.standing(map, look, cell).first().copied()];
        let ground = self.ground(map, look, cell).first().copied();
        let mut colour = [0.0; 3];
        for image in ground.into_iter().chain(over.into_iter().flatten()) {
            let (mean, weight) = self.mean_colours.of(images, image);
            let share = (weight / diamond).min(1.0);
            (0..3).for_each(|k| colour[k] += (mean[k] - colour[k]) * share);
        }
        let [red, green, blue] = colour.map(|light| SrgbTables::get().encode(light));
        Rgba([red, green, blue, 255])
    }
}
