//! Marks on the map, which explain it and show the effect of a click: routes, marks of cells, borders, overlays.

use bevy::prelude::*;

mod border_lines;
mod borders;
pub mod cell_marks;
mod far_route;
mod ghost_layer;
mod overlay_glyphs;
pub(in crate::game) mod overlay_layer;
mod shine_through;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        (cell_marks::plugin, far_route::plugin),
        shine_through::plugin,
        overlay_layer::plugin,
        ghost_layer::plugin,
        borders::plugin,
    ));
}
