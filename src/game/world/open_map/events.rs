//! Events about the open map, and how others are told of its changes.

use bevy::prelude::*;
use tracing::info;

use emberwalk_map::{Edges, Map, MapContent};
use emberwalk_path::grid::Cell;
use emberwalk_picture::iso::Projection;

use super::OpenMap;
use crate::game::world::terrain_changed::{MAX_REDRAWN, TerrainChanged};

/// A map was opened: the journey and the view start again. Its observers run in no particular order.
#[derive(Event)]
pub struct MapOpened;

/// A map was opened, or has changed so much that everything is drawn again. Its observers run in no particular order,
/// after the observers of [`MapOpened`].
#[derive(Event)]
pub(in crate::game) struct MapShown {
    /// Whether it is the same map, and its cells are where they were.
    pub keeps_cells: bool,
}

/// The open map was replaced by a later version of it, or has another size. The journey continues where that is
/// possible. The event describes the map before.
#[derive(Event)]
pub struct MapRefreshed {
    /// The cell in which the traveller started.
    pub start: Option<Cell>,
    /// The goal before the player set one.
    pub goal: Option<Cell>,
    /// Where cells were in the map's picture.
    pub projection: Projection,
    /// The rows and columns that the player has added at the edges, by which the cells have moved.
    pub added: Edges,
}

impl MapRefreshed {
    /// Where a cell of the map is now, unless it was cut off.
    pub fn cell(&self, before: Cell, map: &OpenMap) -> Option<Cell> {
        Some(self.added.moved(before)).filter(|cell| map.size().contains(*cell))
    }
}

/// Logs which map is loaded.
pub(in crate::game::world) fn log_loaded(map: &MapContent) {
    let size = map.size();
    info!(name = ?map.name(), width = size.width, height = size.height, "map loaded");
}

/// Tells other plugins what has changed, or to draw everything again where that is quicker. A change of size has no edits,
/// and its consequences follow by themselves.
pub(in crate::game) fn tell(
    changed: TerrainChanged,
    changes: &mut MessageWriter<TerrainChanged>,
    commands: &mut Commands,
) {
    if changed.undo.len() > MAX_REDRAWN {
        commands.trigger(MapShown { keeps_cells: true });
    } else if !changed.undo.is_empty() {
        changes.write(changed);
    }
}

/// Logs that another map is open, and triggers the events for it.
pub(in crate::game) fn announce(map: &Map, commands: &mut Commands) {
    log_loaded(map);
    commands.trigger(MapOpened);
    commands.trigger(MapShown { keeps_cells: false });
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, announce_first);
}

fn announce_first(map: Res<OpenMap>, mut commands: Commands) {
    announce(&map, &mut commands);
}
