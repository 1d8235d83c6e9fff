//! Replaces the open map by a later version of it, and finds what has changed.

use std::sync::Arc;

use bevy::prelude::*;

use emberwalk_map::Map;
use emberwalk_map::diagnostics::Diagnostics;

use super::loader::Version;
use super::open_map::{OpenMap, log_loaded};
use super::open_world::OpenWorld;
use super::pages::OwnMap;
use super::terrain_changed::{ChangeCause, MAX_REDRAWN, TerrainChanged};

/// What has changed on the screen.
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
    /// Replaces the map that is shown and the user's own map, which may be on another page, by a later version. If the
    /// file has changed, the player's edits are lost, but whether the volcanoes erupt remains the player's choice.
    ///
    /// # Errors
    /// Returns the diagnostics if the bundled map that is shown is not valid with a new tileset. Nothing is changed
    /// then.
    pub(super) fn renew(&mut self, version: Version) -> Result<Renewal, Diagnostics> {
        let Version { map, tiles, text, .. } = &version;
        let new_tileset = !Arc::ptr_eq(map.tileset(), self.map.tileset());
        let new_images = !self.images.are_of(map.tileset(), tiles);
        let own = self.pages.own();
        let history = self.map.history();
        let is_own_work = history.can_undo() || history.can_redo() || history.is_unsaved();
        if new_tileset && is_own_work && self.pages.open_own().is_none_or(|own| own.text == *text) {
            return self.show_changes_with_tileset(&version);
        }
        let (mut later_own, tiles) = (OwnMap::of_version(&version), tiles.clone());
        let shown = match self.pages.open_bundled() {
            // The loader has read this bundled map itself.
            Some(_) if new_tileset && own.is_none() && self.pages.is_first() => Some(version.map),
            Some(page) if new_tileset => Some(Map::parse(page.name, page.source, map.tileset())?),
            Some(_) => {
                later_own.park(version.map);
                None
            }
            // What the window itself has saved is no news.
            None if own.is_some_and(|own| !new_tileset && own.text == *text) => None,
            None => Some(version.map),
        };
        self.pages.replace_own(later_own);
        let shown = shown.map(|shown| OpenMap::new(shown, self.map.volcanoes(), false));
        let undo = shown.as_ref().map(|shown| {
            let are_few = shown.differing_cells(&self.map)?.nth(MAX_REDRAWN).is_none();
            are_few.then(|| shown.edits_towards(&self.map)).flatten()
        });
        let old_costs = shown.map(|shown| {
            let old = std::mem::replace(&mut *self.map, shown);
            old.into_map().shared_costs()
        });
        // The user's own map may be on a page that is not shown.
        log_loaded(self.pages.own().map_or(self.map.content(), |own| &own.content));
        if new_images {
            *self.images = self.images.renewed(self.map.tileset(), &tiles);
            return Ok(Renewal::Images);
        }
        Ok(match undo {
            None => Renewal::None,
            Some(Some(undo)) => Renewal::Terrain(TerrainChanged { undo, cause: ChangeCause::Reload, old_costs }),
            Some(None) => Renewal::Map,
        })
    }

    /// Shows the map with its strokes in another tileset. They can still be undone.
    fn show_changes_with_tileset(&mut self, version: &Version) -> Result<Renewal, Diagnostics> {
        let Version { map, tiles, .. } = version;
        self.map.finish_stroke();
        let content = self.map.history().content().with_tileset(map.tileset())?;
        let mut history = self.map.history().clone();
        history.replace_current(content.clone());
        self.pages.replace_own(OwnMap::of_version(version));
        *self.map = OpenMap::with_history(Map::of_content(content), self.map.volcanoes(), history);
        *self.images = self.images.renewed(self.map.tileset(), tiles);
        Ok(Renewal::Images)
    }
}
