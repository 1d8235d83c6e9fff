//! Everything that the window draws except panels: the camera, tiles, sprites, the route and effects.

use bevy::prelude::*;

pub mod animation;
pub(super) mod atlas;
mod averaging;
mod background;
mod blocks;
mod border_lines;
mod borders;
mod cameras;
mod dots;
mod drawn_images;
pub mod eruption_effects;
mod far_lamps;
mod far_parts;
mod far_pictures;
pub(super) mod far_route;
pub mod figures;
pub mod follow;
pub mod framing;
mod ghost_layer;
mod headroom;
mod images;
mod lamps;
mod layers;
mod light_layer;
mod light_material;
mod marks;
pub mod minimap;
mod near_blocks;
mod near_cells;
mod overlay_glyphs;
pub(super) mod overlay_layer;
pub mod overview;
mod player_figure;
pub mod screenshot;
pub mod settle;
mod shine_through;
mod texture_limit;
mod texture_writes;
mod tilemaps;

/// Adds the parts that need no images.
pub(super) fn rules(app: &mut App) {
    app.add_plugins((framing::plugin, minimap::plugin));
}

/// Adds the map.
pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        (cameras::plugin, background::plugin),
        (texture_writes::plugin, drawn_images::plugin),
        screenshot::plugin,
        headroom::plugin,
        images::plugin,
        animation::frame_counter,
        (far_pictures::plugin, far_lamps::plugin),
        (near_blocks::plugin, near_cells::plugin, tilemaps::plugin),
        (overview::plugin, light_material::plugin, light_layer::plugin, lamps::plugin),
        texture_limit::plugin,
    ));
}

/// Adds the travellers.
pub(super) fn figures(app: &mut App) {
    app.add_plugins((figures::plugin, dots::plugin));
}

/// Adds the animation, the traveller, its route and the outlines of cells.
pub(super) fn effects(app: &mut App) {
    app.add_plugins((
        animation::plugin,
        (marks::plugin, far_route::plugin),
        shine_through::plugin,
        figures,
        overlay_layer::plugin,
        ghost_layer::plugin,
        borders::plugin,
        (follow::plugin, settle::plugin),
        eruption_effects::plugin,
    ));
}
