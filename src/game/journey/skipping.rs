//! The player skips a walk: the traveller arrives immediately.

use bevy::prelude::*;

use crate::game::action::Action;
use crate::game::app_systems::{AppSystems, PassTime};
use crate::game::screen::mode::{Screen, plays_search};
use crate::game::world::clock::{WorldClock, pass_time};
use crate::game::world::open_map::OpenMap;

use super::goal::TravellerGoal;
use super::planning::PlanningOptions;
use super::shown_route::ShownRoute;
use super::traveller::Player;

/// How much time is skipped in a frame in a town, in seconds, until the player's traveller has arrived.
const SKIPPED: f64 = 4.0;

/// Whether the player wants the traveller to arrive immediately. If its route is still being planned, it arrives as
/// soon as the route is known.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
struct WantsToArrive(bool);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<WantsToArrive>().add_systems(
        Update,
        (choose.run_if(not(plays_search)).in_set(AppSystems::Act), skip.in_set(PassTime).before(pass_time)),
    );
}

/// Only the current walk is skipped.
fn choose(mut actions: MessageReader<Action>, mut skips: ResMut<WantsToArrive>) {
    for action in actions.read() {
        match *action {
            Action::SkipWalk => skips.0 = true,
            action if action.begins_journey() => skips.0 = false,
            _ => {}
        }
    }
}

/// Skips time: all of a walk in one frame, or a few seconds in a town, where others walk meanwhile.
fn skip(
    options: Res<PlanningOptions>,
    screen: Res<Screen>,
    map: Res<OpenMap>,
    player: Single<(&TravellerGoal, ShownRoute), With<Player>>,
    mut skips: ResMut<WantsToArrive>,
    mut clock: ResMut<WorldClock>,
) {
    clock.skipped = 0.0;
    skips.0 &= !map.is_replay();
    if map.is_replay() || screen.plays_search() {
        return;
    }
    let (goal, route) = &*player;
    match map.town() {
        Some(town) => {
            let is_on_the_way = town.player_is_on_the_way();
            skips.0 &= is_on_the_way || route.is_planning();
            if skips.0 && is_on_the_way {
                clock.skipped = SKIPPED;
            }
        }
        None if skips.0 && !route.is_planning() => {
            skips.0 = false;
            if goal.sent {
                // A little more, because the sum is rounded.
                clock.skipped = route.seconds_to_go(&map, options.0.rules) + 0.01;
            }
        }
        None => {}
    }
}
