//! The terrain zoomed out: pictures of parts of the map.

use bevy::prelude::*;

pub mod parts;
pub mod pictures;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(pictures::plugin);
}
