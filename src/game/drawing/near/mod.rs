//! The terrain near the view: tiles and sprites, block by block.

use bevy::prelude::*;

pub mod cells;
pub(super) mod tilemaps;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((cells::plugin, tilemaps::plugin));
}
