//! The panels of the window. Each is a function from what it shows to elements.

use bevy::prelude::*;

mod bar;
mod dialog;
mod drop_frame;
mod faults_drawer;
mod help;
mod loading;
mod minimap;
mod paint_dock;
mod question;
mod rail;
mod route_card;
mod stroke_label;
mod toasts;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((rail::plugin, bar::plugin, route_card::plugin, toasts::plugin));
    app.add_plugins((paint_dock::plugin, stroke_label::plugin, minimap::plugin));
    app.add_plugins((help::plugin, faults_drawer::plugin, loading::plugin));
    app.add_plugins((dialog::plugin, question::plugin, drop_frame::plugin));
}

/// A node over the whole window, for what is in front of the panels. `order` says in front of what.
fn cover_layer(app: &mut App, order: i32) -> Entity {
    let node = Node { position_type: PositionType::Absolute, width: percent(100), height: percent(100), ..default() };
    app.world_mut().spawn((node, GlobalZIndex(order), Pickable::IGNORE)).id()
}
