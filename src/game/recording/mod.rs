//! The recorder, which always runs: at any time, what happened on the open map can be saved and played again.

use bevy::prelude::*;

mod crash;
mod crash_file;
mod orders;
mod record_file;
mod record_on;
mod recorder;
mod save;

pub use record_file::RecordFile;
pub(in crate::game) use record_on::RecordOn;
pub use recorder::Recorder;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((orders::plugin, recorder::plugin, record_file::plugin, save::plugin, crash::plugin));
}
