//! The light of the hour, and the lamps that shine in it.

use bevy::prelude::*;

mod far_lamps;
mod lamps;
mod light_layer;
mod light_material;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((light_material::plugin, light_layer::plugin, lamps::plugin, far_lamps::plugin));
}
