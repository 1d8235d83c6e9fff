//! The map that is open.

use bevy::prelude::*;
use tracing::info;

use crate::grid::Cell;
use crate::iso::Projection;
use crate::map::{CellEdit, EditError, Map};
use crate::scene::projection;

use super::terrain_changed::{ChangeCause, TerrainChanged};

/// The map that is open. It changes only when its terrain changes or another map is opened, so its change is a reason to
/// plan.
#[derive(Resource, Deref)]
pub struct OpenMap(Map);

/// A map was opened: the journey and the view start again. Its observers run in no particular order.
#[derive(Event)]
pub struct MapOpened;

/// Another map than before is shown, just opened or changed by its file: everything is drawn again. Its observers run in
/// no particular order, after those of [`MapOpened`].
#[derive(Event)]
pub struct MapShown;

impl OpenMap {
    pub(super) fn new(map: Map) -> Self {
        Self(map)
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.0
    }

    /// Where cells are in the map's image.
    pub fn projection(&self) -> Projection {
        projection(&self.0)
    }

    /// Applies a batch of edits. The message is to be written, so that others learn of it.
    ///
    /// # Errors
    /// [`EditError`] if an edit is not possible; the map is then as it was.
    pub fn apply(&mut self, edits: &[CellEdit], cause: ChangeCause) -> Result<TerrainChanged, EditError> {
        Ok(TerrainChanged { undo: self.0.apply(edits)?, cause })
    }

    /// The cells of the volcanoes that erupt now, row by row.
    pub fn erupting(&self) -> impl Iterator<Item = Cell> {
        let tileset = self.0.tileset();
        let erupts = |id: crate::terrain::TerrainId| tileset.calmed(id).is_some();
        self.0.overlay().iter().filter(move |(_, id)| id.is_some_and(erupts)).map(|(cell, _)| cell)
    }

    /// Whether there is a volcano, dormant or erupting.
    pub fn has_volcano(&self) -> bool {
        self.0.any_dormant() || self.erupting().next().is_some()
    }

    /// The passable cell nearest to another, by straight line, then row, then column.
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

/// Tells everyone that another map is open.
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
