//! Eruptions: the player makes all volcanoes erupt, or calms them.

use bevy::prelude::*;
use tracing::info;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;
use crate::map::Map;

use super::open_map::OpenMap;
use super::terrain_changed::{ChangeCause, TerrainChanged};

/// What the player has chosen for the volcanoes of the open map.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VolcanoChoice {
    /// Nothing yet: they are as in the map's file.
    #[default]
    AsInFile,
    /// All erupt.
    Erupting,
    /// All are dormant.
    Calm,
}

impl VolcanoChoice {
    /// Applies the choice to all volcanoes of a map.
    pub(super) fn apply_to(self, map: &mut Map) {
        match self {
            Self::AsInFile => {}
            Self::Erupting => drop(map.erupt_all()),
            Self::Calm => drop(map.calm_all()),
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, erupt.in_set(AppSystems::Act));
}

/// Makes every dormant volcano erupt; if none is dormant, calms all.
fn erupt(
    mut actions: MessageReader<Action>,
    mut map: ResMut<OpenMap>,
    mut choice: ResMut<VolcanoChoice>,
    mut changes: MessageWriter<TerrainChanged>,
) {
    for _ in actions.read().filter(|action| **action == Action::Erupt) {
        if !map.has_volcano() {
            continue;
        }
        let edits = if map.any_dormant() {
            info!("eruption on");
            *choice = VolcanoChoice::Erupting;
            map.edits_to_erupt()
        } else {
            info!("eruption off");
            *choice = VolcanoChoice::Calm;
            map.edits_to_calm()
        };
        // These edits are always possible: a tileset in which a tent or a castle erupts is not valid.
        changes.write_batch(map.apply(&edits, ChangeCause::Eruption));
    }
}
