//! The traveller: where it goes, which route it takes, and how it walks.

use bevy::prelude::*;

pub mod planning;
mod preparation;
pub mod traveller;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((traveller::plugin, planning::plugin, preparation::plugin));
}
