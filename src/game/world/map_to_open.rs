//! A map that is about to be opened: the first one, or one from a dropped file.

use bevy::prelude::*;

use emberwalk_map::Map;
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_picture::scene::Look;
use emberwalk_picture::tiles::TileImages as Tiles;

use super::loader::{Loader, Source, Version};
use super::map_images::MapImages;
use super::open_map::OpenMap;
use super::pages::Pages;
use super::reader::MapReader;

/// A map that is about to be opened, with everything that belongs to it.
pub struct MapToOpen {
    pub(super) map: OpenMap,
    pub(super) images: MapImages,
    pub(super) pages: Pages,
}

impl MapToOpen {
    /// Creates a map to open from the user's own map, with the images of its tileset.
    pub fn new(map: Map, tiles: Tiles, look: Look) -> Self {
        Self::from_version(Version::of_map(map, tiles.into()), look)
    }

    /// Creates a map to open from the map and the images of a version.
    pub fn from_version(version: Version, look: Look) -> Self {
        let images = MapImages::new(version.map.tileset().clone(), version.tiles.clone(), look);
        Self::with_images(version, images)
    }

    /// The same with the current images if they belong to its tileset.
    pub(super) fn in_place_of(shown: &MapImages, version: Version) -> Self {
        let images = shown.renewed(version.map.tileset(), &version.tiles);
        Self::with_images(version, images)
    }

    fn with_images(version: Version, images: MapImages) -> Self {
        let pages = Pages::of_version(&version);
        Self { images, pages, map: OpenMap::new(version.map, version.volcanoes, version.is_made) }
    }

    /// The first map. If it has errors, or is still being read, returns the valley with the embedded tileset.
    ///
    /// # Errors
    /// Fails only if the embedded files have errors, which a user cannot correct.
    pub fn choose(first: &mut MapReader, look: Look) -> Result<Self, Diagnostics> {
        let version = match first.take_waited() {
            Some(Ok(version)) => version,
            _ => Loader::new(Source { map: "valley".into(), ..Source::default() }).load(&|_| {})?,
        };
        Ok(Self::from_version(version, look))
    }

    /// The map.
    pub fn map(&self) -> &OpenMap {
        &self.map
    }

    /// Opens it in an app that has no map yet.
    pub fn insert(self, app: &mut App) {
        let Self { map, images, pages } = self;
        app.insert_resource(map).insert_resource(images).insert_resource(pages);
    }
}

#[cfg(test)]
impl MapToOpen {
    /// Creates a map to open in the classic look, with this ground everywhere.
    pub(in crate::game) fn with_ground(ground: char, (width, height): (usize, usize)) -> Self {
        let tileset = std::sync::Arc::new(emberwalk_map::terrain::Tileset::load(None).unwrap());
        let tiles = Tiles::load(&tileset, None).unwrap();
        let rows = |letter: char| vec![letter.to_string().repeat(width); height];
        let text = format!("(name: \"Plain\", base: {:?}, overlay: {:?})", rows(ground), rows('.'));
        Self::new(Map::parse("plain.ron", &text, &tileset).unwrap(), tiles, Look::Plain)
    }
}
