//! Eruptions: the player makes all volcanoes erupt or become dormant, or announces an eruption.

use bevy::prelude::*;
use tracing::info;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::screen::notice::Hint;

use super::open_map::OpenMap;
use super::terrain_changed::TerrainChanged;
use emberwalk_path::time::CrowdTime;
use emberwalk_world::{Order, VolcanoChoice};

/// The seconds that an eruption can be announced ahead.
pub(in crate::game) const ANNOUNCED: [u8; 3] = [5, 10, 20];

/// How far ahead the key announces an eruption.
pub(in crate::game) const BY_KEY: u8 = ANNOUNCED[1];

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, (erupt, announce).chain().in_set(AppSystems::Act));
}

/// Makes every dormant volcano erupt; if none is dormant, makes all dormant.
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

/// Announces an eruption, or calls off the announced one.
fn announce(mut actions: MessageReader<Action>, mut map: ResMut<OpenMap>, mut hints: MessageWriter<Hint>) {
    for action in actions.read() {
        let seconds = match *action {
            Action::Announce(seconds) => Some(seconds),
            Action::ToggleAnnounced => Some(BY_KEY).filter(|_| map.world().announced().is_none()),
            _ => continue,
        };
        match seconds {
            _ if !map.has_volcano() => {}
            Some(_) if !map.any_dormant() => {
                hints.write(Hint {
                    text: "All volcanoes erupt already: calm them with V first.".into(),
                    holds: |world| !world.resource::<OpenMap>().any_dormant(),
                });
            }
            Some(seconds) => {
                info!(seconds, "eruption announced");
                map.order(Order::announce(CrowdTime::from_whole_seconds(seconds.into())));
            }
            None if map.world().announced().is_some() => {
                info!("eruption called off");
                // The choice for them stays.
                let choice = map.volcanoes();
                map.choose(choice);
            }
            None => {}
        }
    }
}
