//! The map that is open: its pages, its edits and eruptions, and its files, which may change.

use bevy::prelude::*;

pub mod live_reload;
pub mod loader;
pub mod open_map;
pub mod watcher;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((open_map::plugin, live_reload::plugin));
}
