//! Agents that go to one goal after the other.

use bevy_ecs::prelude::*;

use crate::events::Told;
use crate::route_search::Walk;
use crate::{Arrived, Goal, NavAgent, NavState, Unreachable};

type Ordered = (&'static mut Goal, &'static mut Walk, &'static NavState);

/// Takes goals out of new queues that are over already: those of agents that have arrived, or that know that no route leads
/// there.
pub(crate) fn skip_goals(mut agents: Query<Ordered, (Changed<Goal>, With<NavAgent>)>) {
    for (mut goal, mut walk, state) in &mut agents {
        let is_lost = matches!(state, NavState::Unreachable | NavState::WalledIn);
        let is_over = walk.goes_on_with(&goal) && (walk.is_over || is_lost);
        if is_over || *goal.current() == Goal::None {
            goal.bypass_change_detection().go_on();
            walk.bypass_change_detection().begun = None;
        }
    }
}

/// Lets agents go on that have arrived, or to whose goals no route leads.
pub(crate) fn go_on(told: Res<Told>, mut agents: Query<(&mut Goal, &mut Walk), With<NavAgent>>) {
    let arrived = told.arrived.iter().map(|&Arrived { entity, .. }| (entity, true));
    let lost = told.unreachable.iter().map(|&Unreachable { entity }| (entity, false));
    for (entity, has_arrived) in arrived.chain(lost) {
        let Ok((mut goal, mut walk)) = agents.get_mut(entity) else { continue };
        let walk = walk.bypass_change_detection();
        let is_over = match goal.current() {
            Goal::Patrol(_) => !has_arrived,
            // They go as near as they can.
            Goal::Near(_) | Goal::Group(_) => has_arrived,
            _ => true,
        };
        // A game may have given it another goal in this run.
        if !is_over || walk.begun.as_ref() != Some(goal.current()) {
            continue;
        }
        walk.is_over |= has_arrived;
        if goal.bypass_change_detection().go_on() {
            goal.set_changed();
            (walk.begun, walk.went_on) = (None, Some(goal.last_changed()));
        }
    }
}
