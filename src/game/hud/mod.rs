//! The panels of the window. Each is a function from what it shows to elements.

use bevy::prelude::*;

mod bar;
mod rail;
mod route_card;
mod toasts;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((rail::plugin, bar::plugin, route_card::plugin, toasts::plugin));
}
