//! Makes the player's traveller leave its trail: the cells that it has entered in each frame.

use bevy::prelude::*;

use crate::game::app_systems::{AppSystems, PassTime};
use crate::game::world::open_map::{MapRefreshed, OpenMap};
use emberwalk_path::RouteCost;

use super::goal::TravellerGoal;
use super::planning::PlanningOptions;
use super::shown_route::{ShownRoute, WalkedRoute};
use super::trail::Trail;
use super::traveller::{Player, Traveller};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Trail>()
        .add_observer(forget_moved)
        .add_systems(Update, follow.after(PassTime).in_set(AppSystems::Walk));
}

/// The trail is meaningless on a map of another size.
fn forget_moved(before: On<MapRefreshed>, map: Res<OpenMap>, mut trail: ResMut<Trail>) {
    if before.projection.size() != map.size() {
        trail.clear();
    }
}

type WalkingPlayer = (Traveller, Ref<'static, TravellerGoal>, &'static WalkedRoute, ShownRoute);

/// Adds the cells that the traveller has entered in this frame.
fn follow(
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    player: Single<WalkingPlayer, With<Player>>,
    mut trail: ResMut<Trail>,
) {
    let (traveller, goal, walked, planned) = &*player;
    let Some(at) = traveller.origin() else {
        trail.clear();
        return;
    };
    if goal.is_changed() || !goal.sent || trail.first().is_none() {
        let set_out = walked.set_out().filter(|_| goal.is_changed() && goal.sent);
        trail.begin(set_out.unwrap_or(at), planned.cells().len());
    }
    let last = trail.last();
    if last == Some(at) {
        return;
    }
    if trail.cells().rev().nth(1) == Some(at) {
        // It has turned back.
        trail.turn_back();
        return;
    }
    let passed = planned.cells().get(..=planned.index()).unwrap_or_default();
    let known = passed.iter().rposition(|cell| Some(*cell) == last);
    match known.filter(|_| passed.last() == Some(&at)) {
        Some(known) => {
            for step in passed[known..].windows(2) {
                let cost = options.0.rules.step_cost(map.costs(), step[0], step[1]);
                trail.enter(step[1], cost.unwrap_or_default());
            }
        }
        // The cell in which it stood was blocked, and it was moved.
        None => trail.enter(at, RouteCost::ZERO),
    }
}
