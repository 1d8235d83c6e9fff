//! The travellers: figures, and dots where these are too small to be seen.

use bevy::prelude::*;

mod dots;
pub mod sprites;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((sprites::plugin, dots::plugin));
}
