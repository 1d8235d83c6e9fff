//! The faces of raised cells: their sides to the west and to the south, level by level.

use super::image_stack::ImageStack;
use super::layers::Scene;
use super::noise;
use super::terrain_images::CourseImages;
use crate::tiles::ImageId;
use emberwalk_map::Layers;
use emberwalk_path::grid::{Cell, Direction};

/// The salt of the noise that chooses between the images of a level.
const FACE: u32 = 1600;

/// One level of a side of a raised cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Face {
    /// The image that is drawn.
    pub image: ImageId,
    /// How many levels the image is below the tile image of the cell, at least 1.
    pub below: u8,
    /// The side, to the west or to the south.
    pub side: Direction,
}

impl Scene {
    /// The faces of `cell` in the order in which they are drawn: west, then south, each from the lowest level to the
    /// highest. A side has one face for each level by which the neighbour is lower. Beyond the edge of the map the
    /// level is 0. In the full look, the ramp of a road is drawn over its faces.
    pub fn faces(&self, map: &Layers, cell: Cell) -> impl Iterator<Item = Face> {
        let level = map.level(cell);
        let ground = map.base_id(cell).filter(|_| level > 0);
        let sides = ground.map(|terrain| {
            let [west, south] = &self.terrain(terrain).faces;
            [(Direction::W, west, 0), (Direction::S, south, 16)]
        });
        sides.into_iter().flatten().flat_map(move |(side, courses, salt)| {
            let count = level.saturating_sub(map.level(cell + side));
            let ramps = if count == 0 { &[] } else { self.ramps(map, cell, side) };
            (1..=count).rev().flat_map(move |below| {
                let hash = noise::hash(cell.x, cell.y, FACE + salt + u32::from(below));
                let choose = |images: &[ImageId]| {
                    images.get(hash as usize % images.len().max(1)).map(|image| Face { image: *image, below, side })
                };
                [choose(courses.of_level(below, count)), choose(ramps)].into_iter().flatten()
            })
        })
    }

    /// The faces of `cell` by level: the level, and the images of its faces in each animation frame.
    pub fn faces_by_level(&self, map: &Layers, cell: Cell) -> impl Iterator<Item = (u8, Vec<ImageStack>)> {
        let level = map.level(cell);
        let lowest = self.faces(map, cell).map(|face| face.below).max().unwrap_or(0);
        (1..=lowest).rev().map(move |below| {
            let faces = || self.faces(map, cell).filter(|face| face.below == below);
            let count = faces().map(|face| self.face_frames(&face.image).len()).max().unwrap_or(1);
            let image = |face: Face, frame: usize| {
                let frames = self.face_frames(&face.image);
                frames[frame % frames.len()]
            };
            (level - below, (0..count).map(|frame| faces().map(|face| image(face, frame)).collect()).collect())
        })
    }

    /// The animation frames of a face, given its first image; just that image if the face is not animated.
    pub fn face_frames<'a>(&'a self, image: &'a ImageId) -> &'a [ImageId] {
        self.face_frames.get(image).map_or(std::slice::from_ref(image), |frames| frames)
    }

    /// The images of the ramp on a side of a cell; empty where its overlay does not join the neighbour.
    fn ramps(&self, map: &Layers, cell: Cell, side: Direction) -> &[ImageId] {
        let joined = map.overlay_id(cell).zip(map.overlay_id(cell + side)).filter(|(overlay, neighbour)| {
            let joins = &self.terrain(*overlay).joins;
            joins.get(neighbour.index()) == Some(&true) && self.joins(map, cell, side)
        });
        match joined {
            Some((overlay, _)) => &self.terrain(overlay).ramps[usize::from(side == Direction::S)],
            _ => &[],
        }
    }
}

impl CourseImages {
    /// The images for one level of a side that is `count` levels high.
    fn of_level(&self, below: u8, count: u8) -> &[ImageId] {
        let course = match (below, count) {
            (_, 1) => &self.bank,
            (1, _) => &self.top,
            _ if below == count => &self.foot,
            _ => &self.middle,
        };
        [course, &self.middle, &self.plain].into_iter().find(|images| !images.is_empty()).map_or(&[], |images| images)
    }
}
