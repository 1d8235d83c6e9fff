//! The people of a map: how many walk there, when time passes for them, and the selection.

use bevy::prelude::*;

mod conflicts;
pub(in crate::game) mod name;
pub mod plan;
pub mod route;
pub(in crate::game) mod scaffolds;
pub mod selected;
pub mod time;
pub mod town;
pub mod widening;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        town::plugin,
        time::plugin,
        conflicts::plugin,
        scaffolds::plugin,
        selected::plugin,
        route::plugin,
        plan::plugin,
        widening::plugin,
    ));
}
