//! How time passes for people: at the speed that the player has chosen, and not at all while a search is played.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::journey::traveller::Player;
use crate::game::journey::walking::{self, SkipsWalk};
use crate::game::world::open_map::OpenMap;
use crate::game::world_orders::IsReplay;
use bevy_emberwalk::{EmberwalkSystems, GridPosition, NavClock, NavRoute};
use emberwalk_path::crowd::CrowdTime;

use super::player::InCrowd;
use super::town::{PassTime, People};

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
    /// They walk, until all are where they want to be.
    Walk,
}

/// How much time is skipped in a frame, in seconds, until the player's traveller has arrived.
const SKIPPED: f64 = 4.0;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<PeopleMove>()
        .init_resource::<PeopleCue>()
        .add_systems(
            Update,
            (
                set_clock.in_set(AppSystems::Walk).after(walking::set_clock).before(EmberwalkSystems::Step),
                pass_time.in_set(AppSystems::Walk).in_set(PassTime),
            )
                .distributive_run_if(not(resource_exists::<IsReplay>)),
        )
        .configure_sets(Update, PassTime.after(EmberwalkSystems::Writeback));
}

type InTown = (&'static InCrowd, &'static NavRoute, &'static GridPosition);

/// Sets how much time passes for a town in this frame. It passes for the traveller, too.
fn set_clock(
    people: Res<People>,
    moves: Res<PeopleMove>,
    cue: Res<PeopleCue>,
    player: Option<Single<InTown, With<Player>>>,
    mut skips: ResMut<SkipsWalk>,
    mut clock: Single<&mut NavClock, With<OpenMap>>,
) {
    let Some(town) = people.town() else { return };
    let Some((in_crowd, route, position)) = player.map(|player| *player) else { return };
    let is_on_the_way = town.player_is_on_the_way();
    let ends_step = !in_crowd.is_led && position.step.is_some();
    let passes = match (*moves, *cue) {
        (PeopleMove::Never, _) => false,
        (_, PeopleCue::Wait) => is_on_the_way || ends_step,
        (_, PeopleCue::Walk) => !town.is_still() || ends_step,
        (PeopleMove::Always, PeopleCue::None) => true,
        (PeopleMove::WithPlayer, PeopleCue::None) => is_on_the_way || !in_crowd.is_led,
    };
    if !passes {
        clock.speed = 0.0;
    }
    skips.0 &= is_on_the_way || route.is_planning();
    if skips.0 && is_on_the_way {
        clock.skip(CrowdTime::from_seconds(SKIPPED));
    }
}

fn pass_time(clock: Single<&NavClock, With<OpenMap>>, mut people: ResMut<People>, mut wakes: MessageWriter<Wake>) {
    let passed = clock.last_run();
    let Some(town) = people.bypass_change_detection().town_mut().filter(|_| passed > CrowdTime::ZERO) else { return };
    town.advance(passed);
    people.set_changed();
    wakes.write(Wake::NextFrame);
}
