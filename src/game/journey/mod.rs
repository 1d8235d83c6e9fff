//! Travellers: where they go, which route they take, and how they walk.

use bevy::prelude::*;

pub mod description;
mod edits;
pub mod goal;
pub mod lowest_cost;
mod old_terrain;
pub mod planned_route;
pub mod planning;
pub mod preview;
pub mod route_change;
pub(in crate::game) mod route_planning;
mod trail;
pub mod traveller;
mod walked_route;
pub mod walking;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        planning::plugin,
        traveller::plugin,
        goal::plugin,
        planned_route::plugin,
        route_planning::plugin,
        walked_route::plugin,
        lowest_cost::plugin,
        trail::plugin,
        route_change::plugin,
        walking::plugin,
        preview::plugin,
    ));
}
