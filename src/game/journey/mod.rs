//! Travellers: where they go, which route they take, and how they walk.

use bevy::prelude::*;

pub mod description;
pub mod goal;
mod memory_limit;
mod old_terrain;
pub mod planned_route;
pub(super) mod planner_loan;
mod preparation;
pub mod preview;
pub mod route_change;
mod route_planning;
pub(in crate::game) mod search;
#[cfg_attr(target_arch = "wasm32", path = "search_thread_on_page.rs")]
mod search_thread;
pub mod shared_planner;
pub mod traveller;
pub mod walking;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        shared_planner::plugin,
        preparation::plugin,
        traveller::plugin,
        goal::plugin,
        planned_route::plugin,
        route_planning::plugin,
        route_change::plugin,
        walking::plugin,
        preview::plugin,
    ));
}
