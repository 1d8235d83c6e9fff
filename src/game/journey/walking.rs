//! How fast time passes for travellers: at the speed that the player has chosen, not at all while a search is played, and
//! all of it in one frame when a walk is skipped.

use bevy::prelude::*;
use tracing::info;

use crate::game::action::{Action, WalkSpeed};
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::screen::mode::{Screen, plays_search};
use crate::game::world::open_map::OpenMap;
use bevy_emberwalk::{Arrived, EmberwalkSystems, GridPosition, Hold, NavClock, NavState};
use emberwalk_path::crowd::CrowdTime;

use super::planning::PlanningOptions;
use super::shown_route::ShownRoute;
use super::traveller::{IsLed, Player};

/// Whether the player wants the traveller to arrive immediately. If its route is still being planned, it arrives as
/// soon as the route is known.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) struct SkipsWalk(pub bool);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<WalkSpeed>().init_resource::<SkipsWalk>().add_observer(log_arrival).add_systems(
        Update,
        (
            choose_speed.run_if(not(plays_search)).in_set(AppSystems::Act),
            set_clock.in_set(AppSystems::Walk).before(EmberwalkSystems::Step),
            wake_while_walking.run_if(not(plays_search)).in_set(AppSystems::Walk).after(EmberwalkSystems::Writeback),
        ),
    );
}

/// Takes the speed that the player has chosen. Only the current walk is skipped.
fn choose_speed(mut actions: MessageReader<Action>, mut speed: ResMut<WalkSpeed>, mut skips: ResMut<SkipsWalk>) {
    for action in actions.read() {
        match *action {
            Action::SetWalkSpeed(chosen) => *speed = chosen,
            Action::SkipWalk => skips.0 = true,
            action if action.begins_journey() => skips.0 = false,
            _ => {}
        }
    }
}

/// Sets how much time passes in this frame.
pub(in crate::game) fn set_clock(
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    screen: Res<Screen>,
    speed: Res<WalkSpeed>,
    mut skips: ResMut<SkipsWalk>,
    route: Single<(ShownRoute, Has<Hold>, Has<IsLed>), With<Player>>,
    mut clock: Single<&mut NavClock, With<OpenMap>>,
) {
    if screen.plays_search() {
        clock.speed = 0.0;
        return;
    }
    clock.speed = speed.factor() as f32;
    let (route, holds, is_led) = &*route;
    if skips.0 && !route.is_planning() && !is_led {
        skips.0 = false;
        if !holds {
            // A little more, because the sum is rounded.
            let seconds = route.seconds_to_go(&map, options.0.rules) + 0.01;
            clock.skip(CrowdTime::from_seconds(seconds));
        }
    }
}

/// Draws frames as long as anybody walks.
fn wake_while_walking(walkers: Query<(Ref<GridPosition>, &NavState)>, mut wakes: MessageWriter<Wake>) {
    if walkers.iter().any(|(position, state)| position.is_changed() || *state == NavState::Walking) {
        wakes.write(Wake::NextFrame);
    }
}

fn log_arrival(arrived: On<Arrived>) {
    info!(cell = %arrived.cell, "arrived");
}
