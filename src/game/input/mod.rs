//! Keyboard, mouse and touch input, which becomes actions.

use bevy::prelude::*;

pub mod bindings;
mod camera_control;
pub mod inspected_cell;
pub(super) mod keyboard;
pub(super) mod layout;
pub mod modifiers;
pub mod mouse;
pub(super) mod pan_keys;
mod people_picker;
pub(super) mod picker;
mod pointer;
pub mod tile_cursor;
pub mod touch;

/// Adds the plugins that need no window.
pub(super) fn rules(app: &mut App) {
    app.add_plugins((keyboard::rules, tile_cursor::plugin, inspected_cell::plugin, camera_control::plugin));
}

/// Adds the input of the window.
pub(super) fn plugin(app: &mut App) {
    app.add_plugins((keyboard::plugin, mouse::plugin, pointer::plugin, touch::plugin));
}
