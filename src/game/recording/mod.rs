//! The recorder, which always runs: at any time, what happened on the open map can be saved and played again.

use bevy::prelude::*;

mod orders;
#[cfg(not(target_arch = "wasm32"))]
mod record_file;
mod recorder;
mod save;

#[cfg(not(target_arch = "wasm32"))]
pub use record_file::RecordFile;
pub use recorder::Recorder;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((orders::plugin, recorder::plugin, save::plugin));
    #[cfg(not(target_arch = "wasm32"))]
    app.add_plugins(record_file::plugin);
}
