//! How time passes for people: at the speed that the player has chosen, and not at all while a search is played.

use bevy::prelude::*;

use crate::game::action::{Action, WalkSpeed};
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::screen::mode::Screen;
use emberwalk_path::crowd::CrowdTime;

use super::town::People;

/// Whether people walk.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PeopleMove {
    /// They do.
    #[default]
    Always,
    /// Only while the player's traveller is on the way.
    WithPlayer,
    /// They stand, for a still picture.
    Never,
}

/// The longest time that the player's traveller skips, in seconds.
const MAX_SKIPPED: f64 = 120.0;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<PeopleMove>().add_systems(Update, pass_time.in_set(AppSystems::Walk).in_set(PassTime));
}

/// The time of people passes.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PassTime;

fn pass_time(
    time: Res<Time>,
    speed: Res<WalkSpeed>,
    screen: Res<Screen>,
    moves: Res<PeopleMove>,
    mut actions: MessageReader<Action>,
    mut people: ResMut<People>,
    mut wakes: MessageWriter<Wake>,
) {
    let skips = actions.read().any(|action| *action == Action::SkipWalk);
    let Some(town) = people.bypass_change_detection().town_mut() else { return };
    let player_is_on_the_way = town.player_is_on_the_way();
    let passes = match *moves {
        PeopleMove::Always => true,
        PeopleMove::WithPlayer => player_is_on_the_way,
        PeopleMove::Never => false,
    };
    if !passes || screen.plays_search() {
        return;
    }
    town.advance(CrowdTime::from_seconds(time.delta_secs_f64() * f64::from(speed.factor())));
    if skips && player_is_on_the_way {
        let end = town.now() + CrowdTime::from_seconds(MAX_SKIPPED);
        while town.now() < end && town.player_is_on_the_way() {
            town.advance(CrowdTime::SECOND.divided_by(4));
        }
    }
    people.set_changed();
    wakes.write(Wake::NextFrame);
}
