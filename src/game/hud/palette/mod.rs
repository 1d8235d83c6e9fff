//! The palette: everything that can be painted, the tools, and what the brush would do.

use bevy::prelude::*;

mod fold;
mod held;
mod panel;
mod parts;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((panel::plugin, fold::plugin, held::plugin));
}
