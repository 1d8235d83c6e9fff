//! All resources that describe the open map, for systems that replace it.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use emberwalk_path::grid::Cell;

use super::map_images::MapImages;
use super::map_to_open::MapToOpen;
use super::open_map::OpenMap;
use super::pages::Pages;
use super::requested_endpoints::{self, RequestedEndpoints};

/// Everything that changes when another map is opened.
#[derive(SystemParam)]
pub struct OpenWorld<'w> {
    /// The map itself.
    pub map: ResMut<'w, OpenMap>,
    /// Its images.
    pub images: ResMut<'w, MapImages>,
    /// Its position among the maps that the player can turn to.
    pub pages: ResMut<'w, Pages>,
    /// The requested start and goal.
    pub requested: ResMut<'w, RequestedEndpoints>,
}

impl OpenWorld<'_> {
    /// Replaces everything; returns whether the images are other ones.
    pub(super) fn open(&mut self, new: MapToOpen) -> bool {
        let MapToOpen { map, images, pages, requested } = new;
        let are_new = !images.are_same(&self.images);
        (*self.map, *self.images, *self.pages, *self.requested) = (map, images, pages, requested);
        are_new
    }

    /// The cell in which the traveller starts; `None` if no cell is passable.
    pub(super) fn start(&self) -> Option<Cell> {
        requested_endpoints::start(&self.map, &self.pages, &self.requested)
    }

    /// The goal before the player sets one.
    pub(super) fn goal(&self) -> Option<Cell> {
        requested_endpoints::goal(&self.map, &self.pages, &self.requested)
    }
}
