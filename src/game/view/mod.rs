//! What the window draws: the camera, tile layers, sprites, the route, and everything that moves.

use bevy::prelude::*;

pub mod animation;
mod atlas;
pub mod camera;
pub mod eruption_effects;
pub(super) mod images;
pub(super) mod layers;
mod route_marks;
pub mod screenshot;
mod tall_sprites;
mod tilemap;
pub mod traveller_sprite;

/// What needs no image.
pub(super) fn rules(app: &mut App) {
    app.add_plugins(camera::plugin);
}

/// The map.
pub(super) fn plugin(app: &mut App) {
    app.add_plugins((screenshot::plugin, images::plugin));
    app.init_resource::<animation::Frame>().add_plugins((tilemap::plugin, tall_sprites::plugin));
}

/// Everything that moves or belongs to the player.
pub(super) fn effects(app: &mut App) {
    app.add_plugins((animation::plugin, route_marks::plugin, traveller_sprite::plugin, eruption_effects::plugin));
}
