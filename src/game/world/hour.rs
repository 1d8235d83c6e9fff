//! The hour: the player chooses one, or lets the day pass.

use bevy::prelude::*;
use tracing::info;

use crate::game::action::Action;
use crate::game::action::hour::HourChoice;
use crate::game::app_systems::AppSystems;

use super::open_map::OpenMap;
use super::terrain_changed::TerrainChanged;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, choose.in_set(AppSystems::Act));
}

fn choose(mut actions: MessageReader<Action>, mut map: ResMut<OpenMap>, mut changes: MessageWriter<TerrainChanged>) {
    for action in actions.read() {
        let choice = match *action {
            Action::SetHour(choice) => choice,
            Action::NextHour => HourChoice::after(map.day()),
            _ => continue,
        };
        let day = choice.day(map.day(), map.day_time());
        match choice {
            HourChoice::At(hour) => info!("hour {hour}"),
            _ => info!("hour {}", choice.name().to_lowercase()),
        }
        changes.write_batch(map.set_day(day));
    }
}
