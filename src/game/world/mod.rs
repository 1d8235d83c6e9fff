//! The open map: pages, edits, eruptions, and its files, which may change. [`follow`] tells how a map is opened.

use bevy::prelude::*;

pub(in crate::game) mod announced;
pub mod cells_with_errors;
pub(in crate::game) mod clock;
mod crash_file;
pub mod dropped;
pub mod dropped_picture;
pub mod eruption;
pub mod file_errors;
pub mod follow;
pub mod freed_memory;
pub mod hour;
pub(in crate::game) mod live;
pub mod loader;
pub mod map_images;
pub mod open_map;
pub(super) mod opener;
pub mod pages;
mod picture_hint;
pub mod pointed_cells;
pub mod question;
pub mod reader;
pub mod request;
pub(super) mod solve_picture;
pub mod terrain_changed;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        open_map::plugin,
        map_images::plugin,
        terrain_changed::plugin,
        clock::plugin,
        (eruption::plugin, announced::plugin, hour::plugin),
        file_errors::plugin,
        follow::plugin,
        dropped::plugin,
        pointed_cells::plugin,
        question::plugin,
        picture_hint::plugin,
        solve_picture::plugin,
    ));
}
