//! What the window draws: the camera, tile layers, sprites, the route, and everything that moves.

use bevy::prelude::*;

pub mod animation;
mod atlas;
pub mod camera;
pub(super) mod camera_control;
mod cell_outlines;
pub mod eruption_effects;
mod images;
mod layers;
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
    app.add_plugins((camera_control::plugin, screenshot::plugin, images::plugin));
    app.init_resource::<animation::AnimationFrame>().add_plugins((tilemap::plugin, tall_sprites::plugin));
}

/// Everything that moves or belongs to the player.
pub(super) fn effects(app: &mut App) {
    app.add_plugins((
        animation::plugin,
        route_marks::plugin,
        traveller_sprite::plugin,
        cell_outlines::plugin,
        eruption_effects::plugin,
    ));
}
