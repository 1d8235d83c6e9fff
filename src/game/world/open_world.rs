//! All resources that describe the open map, for those who replace it.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::grid::Cell;

use super::asked_endpoints::{self, AskedEndpoints};
use super::eruption::VolcanoChoice;
use super::first_map::FirstMap;
use super::map_images::MapImages;
use super::open_map::OpenMap;
use super::pages::Pages;

/// All that changes when another map is opened.
#[derive(SystemParam)]
pub struct OpenWorld<'w> {
    /// The map itself.
    pub map: ResMut<'w, OpenMap>,
    /// Its images.
    pub images: ResMut<'w, MapImages>,
    /// Its place among the maps that the player can turn to.
    pub pages: ResMut<'w, Pages>,
    /// What the player has made of its volcanoes.
    pub volcanoes: ResMut<'w, VolcanoChoice>,
    /// The start and the goal that were asked for.
    pub asked: ResMut<'w, AskedEndpoints>,
}

impl OpenWorld<'_> {
    /// Replaces everything.
    pub(super) fn open(&mut self, first: FirstMap) {
        let FirstMap { map, images, pages, asked } = first;
        (*self.map, *self.images, *self.pages, *self.asked) = (map, images, pages, asked);
        *self.volcanoes = VolcanoChoice::default();
    }

    /// Where the traveller starts; `None` if no cell is passable.
    pub(super) fn start(&self) -> Option<Cell> {
        asked_endpoints::start(&self.map, &self.pages, &self.asked)
    }

    /// The goal before the player sets one.
    pub(super) fn goal(&self) -> Option<Cell> {
        asked_endpoints::goal(&self.map, &self.pages, &self.asked)
    }
}
