//! Keys and the mouse, and the actions that they ask for.

use bevy::prelude::*;

pub mod action;
#[cfg(all(unix, not(target_os = "macos")))]
mod focus;
pub mod keyboard;
pub(super) mod mouse;
pub mod tile_cursor;
#[cfg(all(unix, not(target_os = "macos")))]
mod wheel;

/// What needs no window.
pub(super) fn rules(app: &mut App) {
    app.add_plugins((action::plugin, tile_cursor::rules));
}

/// Listens to the window.
pub(super) fn plugin(app: &mut App) {
    app.add_plugins(keyboard::plugin);
    #[cfg(all(unix, not(target_os = "macos")))]
    app.add_plugins((focus::plugin, wheel::plugin));
}

/// The outlines of the cells that the player looks at.
pub(super) fn outlines(app: &mut App) {
    app.add_plugins(tile_cursor::plugin);
}
