//! Eruptions: the player makes all volcanoes erupt, or calms them.

use bevy::prelude::*;
use tracing::info;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;

use super::open_map::OpenMap;
use super::terrain_changed::TerrainChanged;
use emberwalk_world::VolcanoChoice;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, erupt.in_set(AppSystems::Act));
}

/// Makes every dormant volcano erupt; if none is dormant, calms all.
fn erupt(mut actions: MessageReader<Action>, mut map: ResMut<OpenMap>, mut changes: MessageWriter<TerrainChanged>) {
    for _ in actions.read().filter(|action| **action == Action::Erupt) {
        if !map.has_volcano() {
            continue;
        }
        let choice = if map.any_dormant() { VolcanoChoice::Erupting } else { VolcanoChoice::Calm };
        info!("eruption {}", if choice == VolcanoChoice::Erupting { "on" } else { "off" });
        changes.write(map.choose(choice));
    }
}
