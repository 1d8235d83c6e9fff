//! Everything that the window draws except the HUD: the camera, tiles, sprites, the route and effects.

use bevy::prelude::*;

pub mod animation;
mod atlas;
mod averaging;
mod blocks;
mod border_lines;
mod brush_outline;
pub mod camera;
pub(super) mod camera_control;
mod cameras;
mod cell_marks;
mod cell_outlines;
mod covered_images;
pub mod eruption_effects;
mod far_parts;
mod far_pictures;
pub(super) mod far_route;
mod fault_marks;
pub mod follow;
pub mod framing;
mod ghost_layer;
mod headroom;
mod images;
mod layers;
mod mark_area;
pub mod minimap;
mod near_blocks;
mod overlay_glyphs;
mod overlay_layer;
pub mod overview;
mod reach_ring;
mod route_marks;
pub mod screenshot;
mod shine_through;
mod tall_sprites;
mod texture_writes;
mod tilemap;
pub mod traveller_sprite;

pub(super) use atlas::texture;

/// Adds what needs no images.
pub(super) fn rules(app: &mut App) {
    app.add_plugins((framing::plugin, camera_control::plugin, minimap::plugin));
}

/// Adds the map.
pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        cameras::plugin,
        texture_writes::plugin,
        screenshot::plugin,
        headroom::plugin,
        images::plugin,
        animation::frame_counter,
        far_pictures::plugin,
        near_blocks::plugin,
        overview::plugin,
        tilemap::plugin,
        tall_sprites::plugin,
    ));
}

/// Adds the animation, the traveller, its route and the outlines of cells.
pub(super) fn effects(app: &mut App) {
    app.add_plugins((
        animation::plugin,
        (mark_area::plugin, route_marks::plugin, far_route::plugin),
        covered_images::plugin,
        shine_through::plugin,
        traveller_sprite::plugin,
        fault_marks::plugin,
        overlay_layer::plugin,
        cell_marks::plugin,
        cell_outlines::plugin,
        reach_ring::plugin,
        ghost_layer::plugin,
        brush_outline::plugin,
        follow::plugin,
        eruption_effects::plugin,
    ));
}
