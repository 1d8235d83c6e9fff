//! The images of the open map's tileset, and the look of the map.

use std::sync::Arc;

use bevy::prelude::*;

use super::open_map::MapShown;
use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use emberwalk_map::Hour;
use emberwalk_map::terrain::Tileset;
use emberwalk_picture::light::{TerrainLight, shown_hour};
use emberwalk_picture::scene::{Look, Scene};
use emberwalk_picture::tiles::TileImages as Tiles;

/// The images of the open map's tileset, and the scene.
#[derive(Resource, Clone)]
pub struct MapImages {
    tileset: Arc<Tileset>,
    scene: Arc<Scene>,
}

/// The images have changed. [`MapShown`](super::open_map::MapShown) follows.
#[derive(Event)]
pub(in crate::game) struct ImagesChanged;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, change_look.in_set(AppSystems::Act));
}

/// Shows the map in the other look.
fn change_look(mut actions: MessageReader<Action>, mut images: ResMut<MapImages>, mut commands: Commands) {
    for _ in actions.read().filter(|action| **action == Action::ToggleLook) {
        let other = if images.look() == Look::Full { Look::Plain } else { Look::Full };
        *images = MapImages::new(images.tileset.clone(), images.scene.images().clone(), other);
        commands.trigger(ImagesChanged);
        commands.trigger(MapShown { keeps_cells: true });
    }
}

impl MapImages {
    pub(super) fn new(tileset: Arc<Tileset>, tiles: Arc<Tiles>, look: Look) -> Self {
        Self { scene: Arc::new(Scene::new(&tileset, tiles, look)), tileset }
    }

    /// The images of a tileset in the same look: the current ones, if the tileset has not changed.
    pub(super) fn refreshed(&self, tileset: &Arc<Tileset>, tiles: &Arc<Tiles>) -> Self {
        if self.are_of(tileset, tiles) { self.clone() } else { Self::new(tileset.clone(), tiles.clone(), self.look()) }
    }

    /// Whether these are the images of that very tileset, and not only of an equal one.
    pub(super) fn are_of(&self, tileset: &Arc<Tileset>, tiles: &Arc<Tiles>) -> bool {
        Arc::ptr_eq(&self.tileset, tileset) && Arc::ptr_eq(self.scene.images(), tiles)
    }

    /// Whether both are the same images, and not only equal ones.
    pub(super) fn are_same(&self, other: &Self) -> bool {
        self.are_of(&other.tileset, other.scene.images())
    }

    /// The hour whose light is shown at an hour; `None` if the map is shown as at noon.
    pub(in crate::game) fn hour_of_light(&self, hour: Hour) -> Option<Hour> {
        let hour = shown_hour(hour);
        (self.look() == Look::Full && TerrainLight::is_seen(hour)).then_some(hour)
    }

    /// The images.
    pub fn tiles(&self) -> &Tiles {
        self.scene.images()
    }

    /// The scene: which images are on which cell.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// The look, classic or full.
    pub fn look(&self) -> Look {
        self.scene.look()
    }
}
