//! The map that is open.

use bevy::prelude::*;
use tracing::info;

use crate::grid::Cell;
use crate::iso::Projection;
use crate::map::{CellEdit, EditError, Map};
use crate::scene::projection;

use super::terrain_changed::{ChangeCause, TerrainChanged};

/// The map that is open. It changes only when its terrain changes or another map is opened. Then routes are planned
/// again.
#[derive(Resource, Deref)]
pub struct OpenMap(Map);

/// A map was opened: the journey and the view start again. Its observers run in no particular order.
#[derive(Event)]
pub struct MapOpened;

/// A map was opened, or its file has changed so much that everything is drawn again. Its observers run in no particular
/// order, after those of [`MapOpened`].
#[derive(Event)]
pub struct MapShown;

impl OpenMap {
    pub(super) fn new(map: Map) -> Self {
        Self(map)
    }

    /// Returns the map.
    pub fn map(&self) -> &Map {
        &self.0
    }

    /// Returns where cells are in the map's picture.
    pub fn projection(&self) -> Projection {
        projection(&self.0)
    }

    /// Applies a batch of edits. The caller must write the message that it returns, so that other plugins update.
    ///
    /// # Errors
    /// Returns an [`EditError`] if an edit is not possible. The map is not changed then.
    pub fn apply(&mut self, edits: &[CellEdit], cause: ChangeCause) -> Result<TerrainChanged, EditError> {
        Ok(TerrainChanged { undo: self.0.apply(edits)?, cause })
    }

    /// Returns the cells of the volcanoes that erupt now, row by row.
    pub fn erupting(&self) -> impl Iterator<Item = Cell> {
        let tileset = self.0.tileset();
        let erupts = |id: crate::terrain::TerrainId| tileset.calmed(id).is_some();
        self.0.overlay().iter().filter(move |(_, id)| id.is_some_and(erupts)).map(|(cell, _)| cell)
    }

    /// Whether there is a volcano, dormant or erupting.
    pub fn has_volcano(&self) -> bool {
        self.0.any_dormant() || self.erupting().next().is_some()
    }

    /// Returns the passable cell nearest to `cell` in a straight line. Ties go to the lowest row, then to the lowest column.
    pub fn nearest_passable(&self, cell: Cell) -> Option<Cell> {
        let passable = self.0.size().cells().filter(|near| self.0.costs().is_passable(*near));
        passable.min_by_key(|near| near.distance_squared(cell))
    }
}

/// Logs which map is loaded.
pub(super) fn log_loaded(map: &Map) {
    let size = map.size();
    info!(name = ?map.name(), width = size.width, height = size.height, "map loaded");
}

/// Logs that another map is open, and triggers the events for it.
pub(super) fn announce(map: &Map, commands: &mut Commands) {
    log_loaded(map);
    commands.trigger(MapOpened);
    commands.trigger(MapShown);
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, announce_first);
}

fn announce_first(map: Res<OpenMap>, mut commands: Commands) {
    announce(&map, &mut commands);
}
