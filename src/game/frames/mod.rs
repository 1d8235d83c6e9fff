//! When a frame is drawn: after input, and when something asks for one. The rest of the time the window sleeps.

use bevy::prelude::*;

mod event_loop;
mod first_frame;
pub mod hidden;
#[cfg(not(target_arch = "wasm32"))]
pub(super) mod interrupt;
pub mod reduced_motion;
pub mod sleep;
pub(super) mod time_limits;
pub mod wake;

/// Adds the plugins that need no window.
pub(super) fn rules(app: &mut App) {
    app.add_plugins(wake::plugin);
}

/// Makes the window sleep.
pub(super) fn plugin(app: &mut App) {
    app.add_plugins((sleep::plugin, event_loop::plugin, hidden::plugin, first_frame::plugin, reduced_motion::plugin));
}
