//! The people of a map: how many walk there, how time passes for them, and who of them is selected.

use bevy::prelude::*;

pub mod clock;
mod conflicts;
pub(in crate::game) mod name;
pub mod route;
pub(in crate::game) mod scaffolds;
pub mod selected;
pub mod town;
pub mod widening;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        town::plugin,
        clock::plugin,
        conflicts::plugin,
        scaffolds::plugin,
        selected::plugin,
        route::plugin,
        widening::plugin,
    ));
}
