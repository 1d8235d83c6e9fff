//! When time passes for people: always, only as long as a lesson or the player's traveller lets them walk, or never.

use bevy::prelude::*;

use crate::game::app_systems::{AppSystems, PassTime};
use crate::game::frames::wake::Wake;
use crate::game::journey::traveller::{Player, TravellerPlace, TravellerState};
use crate::game::screen::mode::plays_search;
use crate::game::world::clock::{WorldClock, pass_time, wake_while_time_shows};
use crate::game::world::open_map::OpenMap;
use emberwalk_world::town::Town;

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

/// Whether a lesson lets people wait or walk, whatever the player has chosen.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) enum PeopleCue {
    /// No lesson is about people.
    #[default]
    None,
    /// They wait, unless the player's traveller is on the way.
    Wait,
    /// They walk until all are at their goals.
    Walk,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<PeopleMove>().init_resource::<PeopleCue>().add_systems(
        Update,
        (
            (stop_clock.before(pass_time), note_time.after(pass_time)).in_set(PassTime),
            wake_while_walking
                .run_if(not(plays_search))
                .after(PassTime)
                .before(wake_while_time_shows)
                .in_set(AppSystems::Walk),
        ),
    );
}

fn stop_clock(moves: Res<PeopleMove>, cue: Res<PeopleCue>, map: Res<OpenMap>, mut clock: ResMut<WorldClock>) {
    clock.stands = map.town().is_some_and(|town| !passes(town, *moves, *cue));
}

/// Whether time passes in a town.
fn passes(town: &Town, moves: PeopleMove, cue: PeopleCue) -> bool {
    let is_on_the_way = town.player_is_on_the_way();
    // Before the traveller joins the town, it ends its step.
    let ends_step = town.player_joins();
    match (moves, cue) {
        (PeopleMove::Never, _) => false,
        (_, PeopleCue::Wait) => is_on_the_way || ends_step,
        (_, PeopleCue::Walk) => !town.is_still() || ends_step,
        (PeopleMove::Always, PeopleCue::None) => true,
        (PeopleMove::WithPlayer, PeopleCue::None) => is_on_the_way || ends_step,
    }
}

/// Notes that time has passed for people.
fn note_time(map: Res<OpenMap>, clock: Res<WorldClock>, mut people: ResMut<People>) {
    if map.town().is_some() && clock.has_passed() {
        people.set_changed();
    }
}

/// Draws frames as long as anybody walks. In a recording, `replay.rs` asks for frames.
fn wake_while_walking(
    map: Res<OpenMap>,
    people: Res<People>,
    player: Single<(Ref<TravellerPlace>, &TravellerState), With<Player>>,
    mut clock: ResMut<WorldClock>,
    mut wakes: MessageWriter<Wake>,
) {
    let (place, state) = &*player;
    clock.anybody_walks =
        people.is_changed() && map.town().is_some() || place.is_changed() || **state == TravellerState::Walking;
    if clock.anybody_walks && !map.is_replay() {
        wakes.write(Wake::NextFrame);
    }
}
