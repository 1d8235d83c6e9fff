//! The mean light of terrain, for pictures in which single images cannot be told apart.

use super::layers::Scene;
use super::terrain_at::TerrainPart;
use crate::tiles::ImageId;
use emberwalk_map::Layers;
use emberwalk_path::grid::Cell;

impl Scene {
    /// The approximate mean light of a cell's ground with everything on it, or of a face, in linear red, green and
    /// blue, 0 to 1.
    pub(crate) fn mean_light(&self, map: &Layers, cell: Cell, part: TerrainPart) -> [f32; 3] {
        let mean = |image| self.shapes.of(&self.images, image).mean.0;
        let mut light = [0.0; 3];
        if let TerrainPart::Face(side) = part {
            let faces = || self.faces(map, cell).filter(|face| face.side == side);
            faces().for_each(|face| (0..3).for_each(|k| light[k] += mean(face.image)[k]));
            return light.map(|light| light / faces().count().max(1) as f32);
        }
        let standing = self.standing(map, cell).first().copied();
        // Its shadow falls on other cells, but counts here in place of the shadows that other cells cast on this one.
        let shadow = standing.and_then(|image| self.shadow(image));
        let flat = self.flat(map, cell);
        let ground = self.ground(map, cell).first().copied();
        let depth = self.mean_depth(map, cell);
        for image in ground.into_iter().chain(depth).chain(flat.images().iter().copied()).chain(shadow).chain(standing)
        {
            let (mean, share) = (mean(image), self.mean_coverage(image));
            (0..3).for_each(|k| light[k] += (mean[k] - light[k]) * share);
        }
        light
    }

    /// The approximate share of a cell's area that an image on it covers, 0 to 1.
    pub(crate) fn mean_coverage(&self, image: ImageId) -> f32 {
        let (across, down) = self.images.tile().step();
        let diamond = (across * down) as f32 / 2.0;
        let (_, weight) = self.shapes.of(&self.images, image).mean;
        (weight / diamond).min(1.0)
    }
}
