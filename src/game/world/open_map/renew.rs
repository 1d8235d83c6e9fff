//! The land after its files have changed: what is other than before.

use std::sync::Arc;

use crate::diagnostics::Diagnostics;
use crate::grid::Cell;
use crate::map::{Map, bundled_maps};
use crate::scene::Scene;

use super::{Ends, Land, TerrainChanged, tell};
use crate::game::world::loader::Version;

/// What is other than before.
pub enum Renewal {
    /// Nothing that is shown.
    None,
    /// The terrain of some cells.
    Terrain(TerrainChanged),
    /// The whole map.
    Map,
    /// The images, and so everything that is drawn.
    Tiles,
}

impl Land {
    /// Takes over a later version of what is open: of the page that is shown, and of the user's own map if that is another
    /// one. What the player has changed on the map gives way to what its file says, if that has changed; but whether the
    /// volcanoes erupt stays the player's choice.
    ///
    /// # Errors
    /// What is wrong with the bundled map that is shown, by a new tileset; the land is then as it was.
    pub(in crate::game) fn renew(&mut self, version: &Version) -> Result<Renewal, Diagnostics> {
        let Version { map, tiles } = version;
        let new_tileset = !Arc::ptr_eq(map.tileset(), self.map.tileset());
        let new_tiles = new_tileset || !Arc::ptr_eq(tiles, &self.tiles);
        let mut shown = match self.page.and_then(|page| bundled_maps().get(page).copied()) {
            // The bundled map that was asked for, with its volcanoes as they were asked for.
            Some(_) if new_tileset && self.own.is_none() && self.page == self.first_page => Some(Map::clone(map)),
            Some(page) if new_tileset => Some(Map::parse(page.name, page.source, map.tileset())?),
            Some(_) => None,
            None if self.own.as_ref().is_some_and(|own| Arc::ptr_eq(own, map)) => None,
            None => Some(Map::clone(map)),
        };
        match (&mut shown, self.erupting) {
            (Some(shown), Some(true)) => drop(shown.erupt_all()),
            (Some(shown), Some(false)) => drop(shown.calm_all()),
            _ => {}
        }
        if self.own.is_some() {
            self.own = Some(map.clone());
        }
        let changed = shown.as_ref().map(|shown| shown.differing_cells(&self.map).map(Iterator::collect::<Vec<Cell>>));
        if let Some(shown) = shown {
            self.map = shown;
        }
        // The user's own map may have been read unseen.
        tell(self.own.as_deref().unwrap_or(&self.map));
        if new_tiles {
            self.tiles = tiles.clone();
            self.scene = Scene::new(self.map.tileset(), &self.tiles);
            return Ok(Renewal::Tiles);
        }
        Ok(match changed {
            None => Renewal::None,
            Some(Some(cells)) => Renewal::Terrain(TerrainChanged { cells }),
            Some(None) => Renewal::Map,
        })
    }

    /// Opens the first good version of a map that was asked for: a bundled one of this name, or else a file of the user's.
    /// `ends` are the start and goal that were asked for with it.
    pub(in crate::game) fn open_version(&mut self, version: &Version, name: Option<&str>, ends: Ends) {
        *self = Self::of(version, self.look).named(name).with_ends(ends.0, ends.1);
    }
}
