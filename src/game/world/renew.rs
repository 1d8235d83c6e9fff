//! Replaces the open map with a later version of it, and finds the changes.

use std::sync::Arc;

use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_map::{Edges, Map};
use emberwalk_picture::tiles::TileImages;

use super::live_reload::MapRenewed;
use super::loader::Version;
use super::map_images::ImagesChanged;
use super::open_map::{MapShown, OpenMap, log_loaded};
use super::open_world::OpenWorld;
use super::pages::OwnMap;
use super::terrain_changed::{ChangeCause, MAX_REDRAWN, TerrainChanged};

impl OpenWorld<'_, '_> {
    /// Replaces the current map and the user's own map, which may be on another page, with a later version. If the file
    /// has changed, the player's edits are lost, but whether the volcanoes erupt remains the player's choice. The
    /// journey continues where that is possible.
    ///
    /// # Errors
    /// The diagnostics if the current bundled map is not valid with a new tileset. Then nothing is changed.
    pub(super) fn renew(&mut self, version: Version) -> Result<(), Diagnostics> {
        let (start, goal) = (self.pages.start(&self.map), self.pages.goal(&self.map));
        let before = MapRenewed { start, goal, projection: self.map.projection(), added: Edges::default() };
        self.replace(version)?;
        self.commands.trigger(before);
        Ok(())
    }

    fn replace(&mut self, version: Version) -> Result<(), Diagnostics> {
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
            // Ignore changes that this window wrote.
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
        // The user's own map may be on a page other than the current one.
        log_loaded(self.pages.own().map_or(self.map.content(), |own| &own.content));
        match undo {
            _ if new_images => self.show_images(&tiles),
            None => {}
            Some(Some(undo)) => {
                self.changes.write(TerrainChanged { undo, cause: ChangeCause::Reload, old_costs });
            }
            Some(None) => self.commands.trigger(MapShown { keeps_cells: false }),
        }
        Ok(())
    }

    fn show_images(&mut self, tiles: &Arc<TileImages>) {
        *self.images = self.images.renewed(self.map.tileset(), tiles);
        self.commands.trigger(ImagesChanged);
        self.commands.trigger(MapShown { keeps_cells: false });
    }

    /// Shows the map with its strokes in another tileset. They can still be undone.
    fn show_changes_with_tileset(&mut self, version: &Version) -> Result<(), Diagnostics> {
        let Version { map, tiles, .. } = version;
        self.map.finish_stroke();
        let content = self.map.history().content().with_tileset(map.tileset())?;
        let mut history = self.map.history().clone();
        history.replace_current(content.clone());
        self.pages.replace_own(OwnMap::of_version(version));
        *self.map = OpenMap::with_history(Map::of_content(content), self.map.volcanoes(), history);
        self.show_images(tiles);
        Ok(())
    }
}
