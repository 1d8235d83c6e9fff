//! The state of the window apart from the map: the mode, the notices, the size of the text.

use bevy::prelude::*;

pub mod mode;
pub mod notice;
pub mod text_size;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((mode::plugin, notice::plugin, text_size::plugin));
}
