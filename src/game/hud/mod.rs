//! The panels of the window. Each is a function from what it shows to elements.

use bevy::prelude::*;

mod bar;
mod compare_sheet;
mod lesson_dock;
mod race_headers;
mod rail;
mod route_card;
mod search_dock;
mod search_options;
mod search_step;
mod time_line;
mod toasts;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((rail::plugin, bar::plugin, route_card::plugin, toasts::plugin));
    app.add_plugins((search_dock::plugin, time_line::plugin, race_headers::plugin));
    app.add_plugins((compare_sheet::plugin, lesson_dock::plugin));
}
