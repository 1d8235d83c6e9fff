//! Gives the step rules that the player has chosen to the world.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::world::open_map::OpenMap;
use emberwalk_path::StepRules;
use emberwalk_world::Order;

use super::planned_route::PlanRoute;
use super::planning::PlanningOptions;

/// The rules that the player has chosen become the rules of the world.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::game) struct FollowRules;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, follow.in_set(FollowRules).in_set(AppSystems::Plan).before(PlanRoute));
}

/// The rules that a recording has replaced.
struct Replaced {
    chosen: StepRules,
    recorded: StepRules,
}

/// Orders the chosen rules, and in a recording takes its rules, until another map is opened. Each map begins with this
/// order, because the previous map in a recording may have other rules.
fn follow(
    mut options: ResMut<PlanningOptions>,
    mut map: ResMut<OpenMap>,
    mut opened: Local<u64>,
    mut replaced: Local<Option<Replaced>>,
) {
    let map = map.bypass_change_detection();
    let is_other_map = std::mem::replace(&mut *opened, map.frame().opened) != map.frame().opened;
    let (chosen, rules) = (options.0.rules, map.world().rules());
    // The rules of the player, who may have chosen others meanwhile, such as by closing a lesson.
    let own = replaced.take().filter(|replaced| replaced.recorded == chosen).map_or(chosen, |replaced| replaced.chosen);
    if map.is_replay() {
        *replaced = Some(Replaced { chosen: own, recorded: rules });
        if chosen != rules {
            options.0.rules = rules;
        }
    } else if is_other_map {
        if chosen != own {
            options.0.rules = own;
        }
        map.order(Order::rules(own));
    } else if chosen != rules {
        map.order(Order::rules(chosen));
    }
}
