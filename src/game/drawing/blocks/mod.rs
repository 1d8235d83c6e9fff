//! Blocks of cells: most things are drawn only in blocks near the view.

use bevy::prelude::*;

pub mod block_grid;
pub mod near_blocks;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(near_blocks::plugin);
}
