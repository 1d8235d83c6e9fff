//! The player's choice that nothing glides or flies to its place.

use bevy::prelude::*;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;

/// Whether the player wants everything to be in its place immediately.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) struct ReducedMotion(pub bool);

pub(in crate::game) fn plugin(app: &mut App) {
    app.init_resource::<ReducedMotion>().add_systems(Update, toggle.in_set(AppSystems::Act));
}

fn toggle(mut actions: MessageReader<Action>, mut reduced: ResMut<ReducedMotion>) {
    for _ in actions.read().filter(|action| **action == Action::ToggleReducedMotion) {
        reduced.0 = !reduced.0;
    }
}
