//! Recordings: saved by the player, written to a file line by line, and kept after a panic.

use bevy::prelude::*;

mod crash;
mod record_file;
mod save;

pub use record_file::RecordFile;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((record_file::plugin, save::plugin, crash::plugin));
}
