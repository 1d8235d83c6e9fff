//! The map with which the game starts, or that a dropped file opens.

use bevy::prelude::*;

use crate::diagnostics::Diagnostics;
use crate::map::Map;
use crate::scene::Look;
use crate::terrain::TileImages as Tiles;

use super::asked_endpoints::AskedEndpoints;
use super::eruption::VolcanoChoice;
use super::loader::{LoadResult, Loader, Source, Version};
use super::map_images::MapImages;
use super::open_map::OpenMap;
use super::pages::Pages;

/// A map that is going to be opened.
pub struct FirstMap {
    pub(super) map: OpenMap,
    pub(super) images: MapImages,
    pub(super) pages: Pages,
    pub(super) asked: AskedEndpoints,
}

impl FirstMap {
    /// A map of the user's, with the images of its tileset.
    pub fn new(map: Map, tiles: Tiles, look: Look) -> Self {
        Self::of(&Version { map: map.into(), tiles: tiles.into() }, look)
    }

    /// The map and the images of a version.
    pub fn of(Version { map, tiles }: &Version, look: Look) -> Self {
        Self {
            images: MapImages::new(map.tileset(), tiles.clone(), look),
            pages: Pages::of_user_map(map.clone()),
            asked: AskedEndpoints::default(),
            map: OpenMap::new(Map::clone(map)),
        }
    }

    /// The same as one of the bundled maps, if there is one of this name.
    pub fn bundled(self, name: &str) -> Self {
        Self { pages: self.pages.bundled(name), ..self }
    }

    /// The same with a start and a goal in place of tent and castle.
    pub fn with_endpoints(self, asked: AskedEndpoints) -> Self {
        Self { asked, ..self }
    }

    /// What was asked for, or where that has no good version the valley, with the program's own tileset.
    ///
    /// # Errors
    /// None that a user can correct.
    pub fn choose(
        loaded: &LoadResult,
        source: &Source,
        look: Look,
        asked: AskedEndpoints,
    ) -> Result<Self, Diagnostics> {
        const SHOWCASE: &str = "valley";
        match loaded {
            Ok(version) => Ok(Self::asked_for(version, source.bundled_name(), look, asked)),
            Err(_) => {
                let version = Loader::new(Source { map: SHOWCASE.into(), ..Source::default() }).load()?;
                Ok(Self::of(&version, look).bundled(SHOWCASE))
            }
        }
    }

    /// A version of a map that was asked for: a bundled one of this name, or a file of the user's.
    pub(super) fn asked_for(version: &Version, name: Option<&str>, look: Look, asked: AskedEndpoints) -> Self {
        let first = Self::of(version, look).with_endpoints(asked);
        match name {
            Some(name) => first.bundled(name),
            None => first,
        }
    }

    /// The map.
    pub fn map(&self) -> &OpenMap {
        &self.map
    }

    /// Opens it in a game that has no map yet.
    pub fn insert(self, app: &mut App) {
        let Self { map, images, pages, asked } = self;
        app.insert_resource(map).insert_resource(images).insert_resource(pages).insert_resource(asked);
        app.init_resource::<VolcanoChoice>();
    }
}
