//! Finds the cell that the player means by a point of the window.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::game::view::camera::View;
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::OpenMap;
use crate::grid::Cell;

/// What counts when the player points at the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) enum Picking {
    /// The pictures of landmarks, and the ground elsewhere.
    #[default]
    Pictures,
    /// The ground alone.
    Ground,
}

/// The map in which a cell is picked, and its pictures.
#[derive(SystemParam)]
pub(in crate::game) struct Picker<'w> {
    pub map: Res<'w, OpenMap>,
    images: Res<'w, MapImages>,
}

impl Picker<'_> {
    /// Returns the cell that the player means by a window point; `None` off the map.
    pub fn cell_at(&self, window_point: Vec2, view: &View, picking: Picking) -> Option<Cell> {
        let landmark = match picking {
            Picking::Pictures => {
                let (scene, point) = (self.images.scene(), view.exact_map_point(window_point));
                scene.landmark_at(self.images.tiles(), &self.map, self.images.look(), point)
            }
            Picking::Ground => None,
        };
        landmark.or_else(|| view.cell_at(window_point, self.map.projection()))
    }

    /// Returns the cell whose ground is at a window point, or would be there if the map were larger. `None` only very far
    /// from the map.
    pub fn ground_at(&self, window_point: Vec2, view: &View) -> Option<Cell> {
        view.unbounded_cell_at(window_point, self.map.projection())
    }
}
