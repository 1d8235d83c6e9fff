//! Finds the landmark at a point of a map's picture.

use super::layers::Scene;
use super::pixel_box::PixelBox;
use super::standing_near::{StandingImage, alpha_at};
use super::terrain_at::FAR;
use emberwalk_map::Layers;
use emberwalk_map::terrain::PickedBy;
use emberwalk_path::grid::Cell;

impl Scene {
    /// The cell of the landmark at a point of the map's picture, even beyond the edge of the map: of a terrain that is
    /// [picked by its picture](PickedBy::Picture). `None` where the [terrain](super::terrain_at()) is picked. Only
    /// opaque pixels of the first animation frame count, and only where no standing image covers them.
    pub fn landmark_at(&self, map: &Layers, (x, y): (f64, f64)) -> Option<Cell> {
        if !(x.abs() < FAR && y.abs() < FAR) {
            return None;
        }
        let pixel = (x.floor() as i32, y.floor() as i32);
        let is_seen = |StandingImage { cell, image, bounds }: &StandingImage| {
            alpha_at(self.images.image(*image), *bounds, pixel) == u8::MAX
                && self.cover(map, *cell, pixel, (1, 1)).is_none()
        };
        let nearest = self.standing_near(map, PixelBox::of_size(pixel, (1, 1))).find(is_seen)?.cell;
        (map.overlay_at(nearest)?.picked_by == PickedBy::Picture).then_some(nearest)
    }
}
