//! The view of the map: how the cameras draw it, its first position, and how it moves by itself.

use bevy::prelude::*;

mod averaging;
mod cameras;
pub mod follow;
pub mod framing;
pub mod screenshot;
pub mod settle;
mod texture_limit;

/// Adds the parts that need no images.
pub(super) fn rules(app: &mut App) {
    app.add_plugins(framing::plugin);
}

/// Adds the cameras.
pub(super) fn plugin(app: &mut App) {
    app.add_plugins((cameras::plugin, screenshot::plugin, texture_limit::plugin));
}

/// Adds the systems that move the view by itself.
pub(super) fn effects(app: &mut App) {
    app.add_plugins((follow::plugin, settle::plugin));
}
