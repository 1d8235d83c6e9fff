//! The light of terrain from afar, where single images cannot be told apart.

use super::layers::{Look, Scene};
use super::terrain_at::TerrainPart;
use crate::tiles::{ImageId, TileImages};
use emberwalk_map::Layers;
use emberwalk_path::grid::{Cell, Direction};

impl Scene {
    /// Returns about the mean light of a part of a cell, in linear red, green and blue, 0 to 1: of its ground with what
    /// lies and stands on it, or of a face.
    pub(crate) fn light_from_afar(
        &self,
        images: &TileImages,
        map: &Layers,
        look: Look,
        (cell, part): (Cell, TerrainPart),
    ) -> [f32; 3] {
        match part {
            TerrainPart::Ground => self.light_of_ground(images, map, look, cell),
            TerrainPart::Face(side) => self.light_of_face(images, map, look, cell, side),
        }
    }

    fn light_of_ground(&self, images: &TileImages, map: &Layers, look: Look, cell: Cell) -> [f32; 3] {
        let (across, down) = images.tile().step();
        let diamond = (across * down) as f32 / 2.0;
        let standing = self.standing(map, look, cell).first().copied();
        // What stands there darkens other cells, and others darken this one.
        let shadow = standing.and_then(|image| self.shadows[image.index()]).filter(|_| look == Look::Full);
        let flat = self.flat(map, look, cell);
        let ground = self.ground(map, look, cell).first().copied();
        let mut light = [0.0; 3];
        for image in ground.into_iter().chain(flat.images().iter().copied()).chain(shadow).chain(standing) {
            let (mean, weight) = self.mean_colours.of(images, image);
            let share = (weight / diamond).min(1.0);
            (0..3).for_each(|k| light[k] += (mean[k] - light[k]) * share);
        }
        light
    }

    fn light_of_face(&self, images: &TileImages, map: &Layers, look: Look, cell: Cell, side: Direction) -> [f32; 3] {
        let (mut light, mut count) = ([0.0; 3], 0.0);
        for image in self.images_of_side(map, look, cell, side) {
            let (mean, _) = self.mean_colours.of(images, image);
            (0..3).for_each(|k| light[k] += mean[k]);
            count += 1.0;
        }
        light.map(|light| light / f32::max(count, 1.0))
    }

    /// Returns an image of each level of a side.
    fn images_of_side(&self, map: &Layers, look: Look, cell: Cell, side: Direction) -> impl Iterator<Item = ImageId> {
        let count = map.level(cell).saturating_sub(map.level(cell + side));
        let faces = map.base().get(cell).map(|terrain| &self.images(*terrain).faces);
        let courses = faces.map(|faces| if side == Direction::S { &faces.south } else { &faces.west });
        courses
            .into_iter()
            .flat_map(move |courses| (1..=count).filter_map(move |below| courses.of_level(look, below, count).first()))
            .copied()
    }
}
