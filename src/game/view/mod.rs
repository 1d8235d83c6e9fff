//! Everything that the window draws except the HUD: the camera, tiles, sprites, the route and effects.

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

/// Adds what needs no images.
pub(super) fn rules(app: &mut App) {
    app.add_plugins(camera::plugin);
}

/// Adds the map.
pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        camera_control::plugin,
        screenshot::plugin,
        images::plugin,
        animation::frame_counter,
        tilemap::plugin,
        tall_sprites::plugin,
    ));
}

/// Adds the animation, the traveller, its route and the outlines of cells.
pub(super) fn effects(app: &mut App) {
    app.add_plugins((
        animation::plugin,
        route_marks::plugin,
        traveller_sprite::plugin,
        cell_outlines::plugin,
        eruption_effects::plugin,
    ));
}
