//! Replaces the open map: with another one, or with a later version of it.

use std::sync::Arc;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_map::{Edges, Map, bundled_maps};
use emberwalk_picture::scene::Look;
use emberwalk_picture::tiles::TileImages;
use emberwalk_world::{Recording, VolcanoChoice};

use super::loader::MapVersion;
use super::map_images::{ImagesChanged, MapImages};
use super::open_map::{MapRefreshed, MapShown, OpenMap, announce, log_loaded};
use super::pages::{Bookmark, OwnMap, Pages};
use super::terrain_changed::{ChangeCause, MAX_REDRAWN, TerrainChanged};

/// The resources that describe the open map, for systems that replace it.
#[derive(SystemParam)]
pub(in crate::game) struct MapOpener<'w, 's> {
    /// The map itself.
    pub map: ResMut<'w, OpenMap>,
    /// Its images.
    images: ResMut<'w, MapImages>,
    /// Its position among the maps that the player can turn to.
    pub pages: ResMut<'w, Pages>,
    /// Tells other plugins.
    changes: MessageWriter<'w, TerrainChanged>,
    commands: Commands<'w, 's>,
}

/// Another map replaces the open one; a recording that should be played begins with it.
#[derive(Event)]
pub(in crate::game) struct MapReplaced {
    pub recording: Option<Arc<Recording>>,
}

impl MapVersion {
    /// Opens it in an app that has no map yet.
    pub fn insert(self, app: &mut App, look: Look) {
        app.insert_resource(MapImages::new(self.map.tileset().clone(), self.tiles.clone(), look));
        app.insert_resource(Pages::of_version(&self));
        app.insert_resource(self.into_open_map());
    }

    fn into_open_map(self) -> OpenMap {
        let is_made = self.is_made();
        let day = self.request.day.of(self.map.day_time());
        let mut open = OpenMap::new(self.map, self.request.volcanoes, is_made);
        open.set_day(day);
        open
    }
}

impl MapOpener<'_, '_> {
    /// Replaces everything with a version of another map.
    pub(super) fn open(&mut self, version: MapVersion) {
        let images = self.images.refreshed(version.map.tileset(), &version.tiles);
        if !images.are_same(&self.images) {
            self.commands.trigger(ImagesChanged);
        }
        *self.images = images;
        *self.pages = Pages::of_version(&version);
        self.commands.trigger(MapReplaced { recording: version.recording.clone() });
        self.map.replace(version.into_open_map());
        announce(&self.map, &mut self.commands);
    }

    /// Opens the next or the previous page.
    pub(super) fn turn(&mut self, forward: bool) {
        if let Some((page, map)) = self.pages.neighbour(forward, self.map.tileset()) {
            self.turn_to(page, map, VolcanoChoice::default());
        }
    }

    /// Opens the page of the bundled map with this name, and returns its unique number; `None` if the map has errors.
    pub(in crate::game) fn open_bundled(&mut self, name: &str, volcanoes: VolcanoChoice) -> Option<u64> {
        let page = bundled_maps().iter().position(|map| map.name == name);
        let map = self.pages.map(Some(page?), self.map.tileset())?;
        self.turn_to(page, map, volcanoes);
        Some(self.map.frame().opened)
    }

    /// Opens a page again, as it was last read or saved; returns whether that was possible.
    pub(in crate::game) fn reopen(&mut self, bookmark: &Bookmark) -> bool {
        self.pages.requested = bookmark.requested;
        let Some(map) = self.pages.map(bookmark.page, self.map.tileset()) else { return false };
        self.turn_to(bookmark.page, map, bookmark.volcanoes);
        true
    }

    fn turn_to(&mut self, page: Option<usize>, map: Map, volcanoes: VolcanoChoice) {
        let opened = OpenMap::new(map, volcanoes, self.pages.is_made(page));
        let before = self.map.replace(opened);
        self.pages.turn_to(page, before);
        self.commands.trigger(MapReplaced { recording: None });
        announce(&self.map, &mut self.commands);
    }

    /// Replaces the current map and the user's own map, which may be on another page, with a later version. If the file
    /// has changed, the player's edits are lost, but whether the volcanoes erupt remains the player's choice. The
    /// journey continues where that is possible. A played recording stays as it is.
    ///
    /// # Errors
    /// The diagnostics if the current bundled map is not valid with a new tileset. Then nothing is changed.
    pub(super) fn refresh(&mut self, version: MapVersion) -> Result<(), Diagnostics> {
        if self.map.is_replay() {
            return Ok(());
        }
        let start = self.pages.start(&self.map);
        let goal = self.pages.goal(&self.map);
        let before = MapRefreshed { start, goal, projection: self.map.projection(), added: Edges::default() };
        self.replace(version)?;
        self.commands.trigger(before);
        Ok(())
    }

    fn replace(&mut self, version: MapVersion) -> Result<(), Diagnostics> {
        let MapVersion { map, tiles, text, .. } = &version;
        let new_tileset = !Arc::ptr_eq(map.tileset(), self.map.tileset());
        let new_images = !self.images.are_of(map.tileset(), tiles);
        let own = self.pages.own();
        let history = self.map.history();
        let is_own_work = history.can_undo() || history.can_redo() || history.is_unsaved();
        if new_tileset && is_own_work && self.pages.open_own().is_none_or(|own| own.text == *text) {
            return self.show_changes_with_tileset(&version);
        }
        let mut later_own = OwnMap::of_version(&version);
        let tiles = tiles.clone();
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
        let change = shown.map(|shown| self.show_version(shown, new_tileset));
        // The user's own map may be on a page other than the current one.
        log_loaded(self.pages.own().map_or(self.map.content(), |own| &own.content));
        match change {
            _ if new_images => self.show_images(&tiles),
            None => {}
            Some(Some(change)) => drop(self.changes.write(change)),
            Some(None) => self.commands.trigger(MapShown { keeps_cells: false }),
        }
        Ok(())
    }

    /// Shows a later version of the open map. Returns the changes, unless there are too many.
    fn show_version(&mut self, shown: Map, new_tileset: bool) -> Option<TerrainChanged> {
        let differing = self.map.drawn().differing_cells(&shown).map(|mut cells| cells.nth(MAX_REDRAWN).is_none());
        let are_few = differing.unwrap_or(false);
        if are_few && !new_tileset && shown.day_time() == self.map.day_time() {
            return self.map.reload(shown.content());
        }
        let opened = OpenMap::new(shown, self.map.volcanoes(), false);
        let undo = if are_few { opened.edits_towards(&self.map) } else { None };
        let before = self.map.refresh(opened);
        let mut undo = undo?;
        undo.extend(self.map.opened_or_closed(&before));
        Some(TerrainChanged { undo, cause: ChangeCause::Reload, old_costs: Some(before.shared_costs()) })
    }

    fn show_images(&mut self, tiles: &Arc<TileImages>) {
        *self.images = self.images.refreshed(self.map.tileset(), tiles);
        self.commands.trigger(ImagesChanged);
        self.commands.trigger(MapShown { keeps_cells: false });
    }

    /// Shows the map with its strokes in another tileset. They can still be undone.
    fn show_changes_with_tileset(&mut self, version: &MapVersion) -> Result<(), Diagnostics> {
        let MapVersion { map, tiles, .. } = version;
        self.map.finish_stroke();
        let content = self.map.history().content().with_tileset(map.tileset())?;
        let mut history = self.map.history().clone();
        history.replace_current(content.clone());
        self.pages.replace_own(OwnMap::of_version(version));
        let opened = OpenMap::with_history(Map::of_content(content), self.map.volcanoes(), history);
        self.map.refresh(opened);
        self.show_images(tiles);
        Ok(())
    }
}
