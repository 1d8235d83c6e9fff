//! A map that is about to be opened: the first one, or one from a dropped file.

use bevy::prelude::*;

use emberwalk_map::Map;
use emberwalk_map::diagnostics::Diagnostics;
#[cfg(test)]
use emberwalk_map::terrain::Tileset;
use emberwalk_picture::scene::Look;
use emberwalk_picture::tiles::TileImages as Tiles;

use super::loader::{Loader, Source, Version};
use super::map_images::MapImages;
use super::open_map::OpenMap;
use super::pages::{OwnMap, Pages};
use super::reader::MapReader;
use super::requested_endpoints::RequestedEndpoints;
use super::volcanoes::VolcanoChoice;

/// A map that is about to be opened, with everything that belongs to it.
pub struct MapToOpen {
    pub(super) map: OpenMap,
    pub(super) images: MapImages,
    pub(super) pages: Pages,
    pub(super) requested: RequestedEndpoints,
}

impl MapToOpen {
    /// Creates one for the user's own map, with the images of its tileset.
    pub fn new(map: Map, tiles: Tiles, look: Look) -> Self {
        let (text, tiles) = (map.to_ron().into(), tiles.into());
        let volcanoes = VolcanoChoice::default();
        let version = Version { map, file: None, text, is_made: false, tiles, volcanoes };
        Self::from_version(version, look)
    }

    /// Creates one for the map and the images of a version.
    pub fn from_version(version: Version, look: Look) -> Self {
        let images = MapImages::new(version.map.tileset().clone(), version.tiles.clone(), look);
        Self::with_images(version, images)
    }

    fn with_images(version: Version, images: MapImages) -> Self {
        let own = OwnMap::of_version(&version);
        let map = OpenMap::new(version.map, version.volcanoes, version.is_made);
        Self { images, pages: Pages::of_user_map(own), requested: RequestedEndpoints::default(), map }
    }

    /// Marks it as the bundled map of this name, if there is one.
    pub fn bundled(self, name: &str) -> Self {
        Self { pages: self.pages.bundled(name), ..self }
    }

    /// Replaces the tent and the castle by the requested start and goal.
    pub fn with_endpoints(self, requested: RequestedEndpoints) -> Self {
        Self { requested, ..self }
    }

    /// The first map. If it has faults, or is still being read, returns the valley with the embedded tileset.
    ///
    /// # Errors
    /// Fails only if the embedded files have faults, which a user cannot correct.
    pub fn choose(first: &mut MapReader, look: Look, requested: RequestedEndpoints) -> Result<Self, Diagnostics> {
        const SHOWCASE: &str = "valley";
        if let Some(Ok(version)) = first.take_waited() {
            return Ok(Self::from_version(version, look).requested(first.source().bundled_name(), requested));
        }
        let version = Loader::new(Source { map: SHOWCASE.into(), ..Source::default() }).load(&|_| {})?;
        Ok(Self::from_version(version, look).bundled(SHOWCASE))
    }

    /// Creates one for a requested map, the bundled one of this name or the user's own, with the images that are shown
    /// if they are those of its tileset.
    pub(super) fn requested_with(
        version: Version,
        name: Option<&str>,
        shown: &MapImages,
        endpoints: RequestedEndpoints,
    ) -> Self {
        let images = shown.renewed(version.map.tileset(), &version.tiles);
        Self::with_images(version, images).requested(name, endpoints)
    }

    /// Marks it as what the user has asked for: the bundled map of this name, or the user's own.
    fn requested(self, name: Option<&str>, endpoints: RequestedEndpoints) -> Self {
        let own = self.with_endpoints(endpoints);
        match name {
            Some(name) => own.bundled(name),
            None => own,
        }
    }

    /// The map.
    pub fn map(&self) -> &OpenMap {
        &self.map
    }

    /// Opens it in an app that has no map yet.
    pub fn insert(self, app: &mut App) {
        let Self { map, images, pages, requested } = self;
        app.insert_resource(map).insert_resource(images).insert_resource(pages).insert_resource(requested);
    }
}

#[cfg(test)]
impl MapToOpen {
    /// Creates one in the plain look for a map that has this ground everywhere.
    pub(in crate::game) fn with_ground(ground: char, (width, height): (usize, usize)) -> Self {
        let tileset = std::sync::Arc::new(Tileset::load(None).unwrap());
        let tiles = Tiles::load(&tileset, None).unwrap();
        let rows = |letter: char| vec![letter.to_string().repeat(width); height];
        let text = format!("(name: \"Plain\", base: {:?}, overlay: {:?})", rows(ground), rows('.'));
        Self::new(Map::parse("plain.ron", &text, &tileset).unwrap(), tiles, Look::Plain)
    }
}
