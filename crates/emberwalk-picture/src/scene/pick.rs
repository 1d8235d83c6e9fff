//! Finds the cell at a point of a map's picture.

use super::layers::{Look, Scene};
use super::map_cells::TerrainCells;
use super::pixel_box::PixelBox;
use super::terrain_at::terrain_at;
use crate::tiles::TileImages;
use emberwalk_map::Layers;
use emberwalk_map::terrain::PickedBy;
use emberwalk_path::grid::Cell;

/// Points that are farther from the corner of a picture, in pixels, are on no picture.
const FAR: f64 = (1 << 24) as f64;

impl Scene {
    /// Returns the cell that a player means by a point of the map's picture; `None` off the map.
    ///
    /// It is the cell whose [terrain](super::terrain_at()) is there, but on the picture of a terrain that is
    /// [picked by it](PickedBy::Picture) it is the cell of this terrain, even beyond the edge of the map. Only the
    /// opaque pixels of the first animation frame count, and only where no standing image covers them.
    pub fn pick(&self, images: &TileImages, map: &Layers, look: Look, point: (f64, f64)) -> Option<Cell> {
        self.landmark_at(images, map, look, point).or_else(|| terrain_at(map, point).map(|(cell, _)| cell))
    }

    /// Returns the cell whose terrain is picked by its picture at a point, as [`pick`](Self::pick) does; `None` where
    /// the ground counts.
    pub fn landmark_at(&self, images: &TileImages, map: &Layers, look: Look, point: (f64, f64)) -> Option<Cell> {
        self.nearest_standing(images, map, look, point).filter(|cell| {
            let terrain = map.overlay_id(*cell).map(|terrain| &map.tileset()[terrain]);
            terrain.is_some_and(|terrain| terrain.picked_by == PickedBy::Picture)
        })
    }

    /// Returns the cell of the nearest standing image with an opaque pixel at a point.
    fn nearest_standing(&self, images: &TileImages, map: &Layers, look: Look, (x, y): (f64, f64)) -> Option<Cell> {
        if !(x.abs() < FAR && y.abs() < FAR) {
            return None;
        }
        let pixel = (x.floor() as i32, y.floor() as i32);
        let near = PixelBox { left: pixel.0, top: pixel.1, right: pixel.0 + 1, bottom: pixel.1 + 1 };
        let mut standing = self.standing_near(images, map, look, near);
        standing.find(|standing| self.alpha_of(images, map, look, standing, pixel) == u8::MAX).map(|found| found.cell)
    }
}
