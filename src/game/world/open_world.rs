//! All resources that describe the open map, for systems that replace it.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use super::loader::Version;
use super::map_images::{ImagesChanged, MapImages};
use super::map_to_open::MapToOpen;
use super::open_map::{OpenMap, announce};
use super::pages::Pages;
use super::terrain_changed::TerrainChanged;

/// All resources that change when another map is opened.
#[derive(SystemParam)]
pub struct OpenWorld<'w, 's> {
    /// The map itself.
    pub map: ResMut<'w, OpenMap>,
    /// Its images.
    pub images: ResMut<'w, MapImages>,
    /// Its position among the maps that the player can turn to.
    pub pages: ResMut<'w, Pages>,
    /// Tells other plugins.
    pub(super) changes: MessageWriter<'w, TerrainChanged>,
    pub(super) commands: Commands<'w, 's>,
}

impl OpenWorld<'_, '_> {
    /// Replaces everything with a version that the player has requested.
    pub(super) fn open(&mut self, version: Version) {
        let MapToOpen { map, images, pages } = MapToOpen::in_place_of(&self.images, version);
        if !images.are_same(&self.images) {
            self.commands.trigger(ImagesChanged);
        }
        (*self.map, *self.images, *self.pages) = (map, images, pages);
        announce(&self.map, &mut self.commands);
    }
}
