//! The images of the open map's tileset, and how the map looks.

use std::sync::Arc;

use bevy::prelude::*;

use crate::scene::{Look, Scene};
use crate::terrain::{TileImages as Tiles, Tileset};

/// The images of the open map's tileset, and what is drawn where.
#[derive(Resource)]
pub struct MapImages {
    tiles: Arc<Tiles>,
    scene: Arc<Scene>,
    look: Look,
}

/// The images have changed. [`MapShown`](super::open_map::MapShown) follows.
#[derive(Event)]
pub struct ImagesChanged;

impl MapImages {
    pub(super) fn new(tileset: &Tileset, tiles: Arc<Tiles>, look: Look) -> Self {
        Self { scene: Arc::new(Scene::new(tileset, &tiles)), tiles, look }
    }

    /// Returns the images.
    pub fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// Whether `tiles` are the images, and not only equal to them.
    pub(super) fn use_tiles(&self, tiles: &Arc<Tiles>) -> bool {
        Arc::ptr_eq(&self.tiles, tiles)
    }

    /// Returns what is drawn where.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Returns the images and what is drawn where, for other threads.
    pub fn shared(&self) -> (Arc<Tiles>, Arc<Scene>) {
        (self.tiles.clone(), self.scene.clone())
    }

    /// Returns the look, plain or full.
    pub fn look(&self) -> Look {
        self.look
    }
}
