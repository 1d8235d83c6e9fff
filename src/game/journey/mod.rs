//! Travellers: where they go, which route they take, and how they walk.

use bevy::prelude::*;

pub mod description;
mod edits;
pub mod goal;
pub mod lowest_cost;
mod old_terrain;
pub mod planning;
pub mod preview;
pub mod route_change;
pub mod shown_route;
mod trail;
pub mod traveller;
pub mod walking;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        planning::plugin,
        traveller::plugin,
        goal::plugin,
        shown_route::plugin,
        lowest_cost::plugin,
        trail::plugin,
        route_change::plugin,
        walking::plugin,
        preview::plugin,
    ));
}
