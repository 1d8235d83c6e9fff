//! Everything that the window draws except panels: the terrain near the view and zoomed out, figures, marks, and light.

use bevy::prelude::*;

pub mod animation;
mod background;
mod blocks;
pub mod camera;
pub mod eruption_effects;
mod eruption_moment;
mod far;
mod figures;
mod headroom;
mod layers;
mod light;
pub(super) mod marks;
pub mod minimap;
mod near;
pub(super) mod textures;

/// Adds the parts that need no images.
pub(super) fn rules(app: &mut App) {
    app.add_plugins((camera::rules, minimap::rules));
}

/// Adds the map.
pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        (camera::plugin, background::plugin),
        textures::plugin,
        headroom::plugin,
        animation::frame_counter,
        (far::plugin, blocks::plugin, near::plugin),
        (minimap::plugin, light::plugin),
    ));
}

/// Adds the travellers.
pub(super) fn figures(app: &mut App) {
    app.add_plugins(figures::plugin);
}

/// Adds the animation, the traveller, its route and the outlines of cells.
pub(super) fn effects(app: &mut App) {
    app.add_plugins((animation::plugin, marks::plugin, figures, camera::effects));
    app.add_plugins((eruption_effects::plugin, eruption_moment::plugin));
}
