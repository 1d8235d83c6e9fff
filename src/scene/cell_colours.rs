//! The colour of a cell from afar.

use image::Rgba;

use super::layers::{Look, Scene};
use super::linear_light::SrgbTables;
use crate::grid::Cell;
use crate::map::Layers;
use crate::terrain::TileImages;

impl Scene {
    /// Returns about the mean colour of the picture of a cell: its ground, with what lies and stands on it.
    pub fn cell_colour(&self, images: &TileImages, map: &Layers, look: Look, cell: Cell) -> Rgba<u8> {
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
