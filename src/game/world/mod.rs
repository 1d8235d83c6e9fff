//! The open map: pages, edits, eruptions, and its files, which may change.

use bevy::prelude::*;

pub mod cells_with_errors;
pub mod dropped;
pub mod eruption;
pub mod file_errors;
pub mod freed_memory;
pub mod live_reload;
pub mod loader;
pub mod map_images;
pub mod map_source;
pub mod map_to_open;
pub mod open_map;
mod open_world;
pub mod pages;
pub mod pointed_cells;
pub mod question;
pub mod reader;
mod renew;
pub mod requested_endpoints;
pub(super) mod solve_picture;
pub mod terrain_changed;
pub mod volcanoes;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        open_map::plugin,
        map_images::plugin,
        terrain_changed::plugin,
        eruption::plugin,
        pages::plugin,
        file_errors::plugin,
        live_reload::plugin,
        dropped::plugin,
        pointed_cells::plugin,
        question::plugin,
        solve_picture::plugin,
    ));
}
