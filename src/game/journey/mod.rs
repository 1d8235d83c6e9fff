//! The player's traveller: where it is, where it goes, and which route it takes.

use bevy::prelude::*;

pub mod ahead;
pub mod description;
mod edits;
pub mod goal;
mod leading;
mod leave_trail;
pub mod lowest_cost;
mod old_terrain;
pub(in crate::game) mod placing;
pub mod planned_route;
pub mod planning;
pub mod preview;
pub mod route_change;
pub(in crate::game) mod sending;
pub mod shown_route;
mod skipping;
pub(in crate::game) mod step_rules;
mod trail;
pub mod traveller;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        planning::plugin,
        traveller::plugin,
        goal::plugin,
        step_rules::plugin,
        (planned_route::plugin, placing::plugin, leading::plugin, sending::plugin),
        shown_route::plugin,
        skipping::plugin,
        lowest_cost::plugin,
        leave_trail::plugin,
        route_change::plugin,
        preview::plugin,
    ));
}
