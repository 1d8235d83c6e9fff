//! Takes over a later version of the open map, and says what has changed.

use std::sync::Arc;

use bevy::prelude::*;

use crate::diagnostics::Diagnostics;
use crate::map::Map;

use super::loader::Version;
use super::map_images::MapImages;
use super::open_map::{OpenMap, log_loaded};
use super::open_world::OpenWorld;
use super::terrain_changed::{ChangeCause, TerrainChanged};

/// What has changed.
pub enum Renewal {
    /// Nothing that is shown.
    None,
    /// The terrain of some cells.
    Terrain(TerrainChanged),
    /// The whole map.
    Map,
    /// The images, and so everything that is drawn.
    Images,
}

impl OpenWorld<'_> {
    /// Takes over a later version of what is open: of the page that is shown, and of the user's own map if that is another
    /// one. What the player has changed on the map gives way to what its file says, if that has changed; but whether the
    /// volcanoes erupt stays the player's choice.
    ///
    /// # Errors
    /// What is wrong with the bundled map that is shown, with a new tileset; everything is then as it was.
    pub(super) fn renew(&mut self, version: &Version) -> Result<Renewal, Diagnostics> {
        let Version { map, tiles } = version;
        let new_tileset = !Arc::ptr_eq(map.tileset(), self.map.tileset());
        let new_images = new_tileset || !self.images.are(tiles);
        let mut shown = match self.pages.open_bundled() {
            // The bundled map that was asked for, with its volcanoes as they were asked for.
            Some(_) if new_tileset && self.pages.own().is_none() && self.pages.is_first() => Some(Map::clone(map)),
            Some(page) if new_tileset => Some(Map::parse(page.name, page.source, map.tileset())?),
            Some(_) => None,
            None if self.pages.own().is_some_and(|own| Arc::ptr_eq(own, map)) => None,
            None => Some(Map::clone(map)),
        };
        if let Some(shown) = &mut shown {
            self.volcanoes.impose(shown);
        }
        self.pages.bypass_change_detection().replace_own(map);
        let undo = shown.as_ref().map(|shown| shown.edits_towards(&self.map));
        if let Some(shown) = shown {
            *self.map = OpenMap::new(shown);
        }
        // The user's own map may have been read without being shown.
        log_loaded(self.pages.own().map_or(&self.map, |own| own));
        if new_images {
            *self.images = MapImages::new(self.map.tileset(), tiles.clone(), self.images.look());
            return Ok(Renewal::Images);
        }
        Ok(match undo {
            None => Renewal::None,
            Some(Some(undo)) => Renewal::Terrain(TerrainChanged { undo, cause: ChangeCause::Reload }),
            Some(None) => Renewal::Map,
        })
    }
}
