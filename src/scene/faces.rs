//! The faces of raised cells: their sides to the west and to the south, level by level.

use super::layers::{Look, Scene};
use super::map_cells::TerrainCells;
use super::noise;
use super::terrain_images::{CourseImages, FaceImages};
use crate::grid::{Cell, Direction};
use crate::terrain::ImageId;

/// The salt of the noise that chooses between the images of a level.
const FACE: u32 = 1600;

/// One level of a side of a raised cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Face {
    /// The image that is drawn.
    pub image: ImageId,
    /// How many levels the image is below the tile image of the cell, at least 1.
    pub below: u8,
}

impl Scene {
    /// Returns the faces of `cell` in the order in which they are drawn: to the west, then to the south, each from the
    /// lowest level to the highest. There are as many on a side as the neighbour there is lower. Beyond the edge of the
    /// map is level 0.
    pub fn faces(&self, map: &impl TerrainCells, look: Look, cell: Cell) -> impl Iterator<Item = Face> {
        let level = map.level(cell);
        let ground = map.base_id(cell).filter(|_| level > 0);
        let sides = ground.map(|terrain| {
            let FaceImages { west, south } = &self.images(terrain).faces;
            let count = |side: Direction| level.saturating_sub(map.level(cell + side));
            [(west, count(Direction::W), 0), (south, count(Direction::S), 16)]
        });
        sides.into_iter().flatten().flat_map(move |(courses, count, salt)| {
            (1..=count).rev().filter_map(move |below| {
                let images = courses.of_level(look, below, count);
                let hash = noise::hash(cell.x, cell.y, FACE + salt + u32::from(below));
                let chosen = if look == Look::Plain { 0 } else { hash as usize % images.len().max(1) };
                Some(Face { image: *images.get(chosen)?, below })
            })
        })
    }
}

impl CourseImages {
    /// Returns the images for one level of a side that is `count` levels high.
    fn of_level(&self, look: Look, below: u8, count: u8) -> &[ImageId] {
        let course = match (below, count) {
            _ if look == Look::Plain => &self.plain,
            (_, 1) => &self.bank,
            (1, _) => &self.top,
            _ if below == count => &self.foot,
            _ => &self.middle,
        };
        [course, &self.middle, &self.plain].into_iter().find(|images| !images.is_empty()).map_or(&[], |images| images)
    }
}
