//! Agents that go to one goal after the other.

use bevy_ecs::prelude::*;

use super::tell::Told;
use crate::component::Given;
use crate::{Arrived, Goal, NavAgent, NavState, Unreachable};

type Ordered = (&'static mut Goal, &'static mut Given, &'static NavState);

/// Removes goals of new queues that are over already: the agent has arrived, or no route leads there.
pub(super) fn skip_goals(mut agents: Query<Ordered, (Changed<Goal>, With<NavAgent>)>) {
    for (mut goal, mut given, state) in &mut agents {
        let is_lost = matches!(state, NavState::Unreachable | NavState::WalledIn);
        let is_over = given.goes_on_with(&goal) && (given.has_arrived || is_lost);
        if is_over || *goal.current() == Goal::None {
            goal.bypass_change_detection().go_on();
            given.goal = None;
        }
    }
}

/// Moves on agents that have arrived, or to whose goals no route leads.
pub(super) fn go_on(told: Res<Told>, mut agents: Query<(&mut Goal, &mut Given), With<NavAgent>>) {
    let arrived = told.arrived.iter().map(|&Arrived { entity, .. }| (entity, true));
    let lost = told.unreachable.iter().map(|&Unreachable { entity }| (entity, false));
    for (entity, has_arrived) in arrived.chain(lost) {
        let Ok((mut goal, mut given)) = agents.get_mut(entity) else { continue };
        let is_over = match goal.current() {
            Goal::Patrol(_) => !has_arrived,
            // They go as near as they can.
            Goal::Near(_) | Goal::Group(_) => has_arrived,
            _ => true,
        };
        // A game may have given it another goal in this run.
        if is_over && given.goal.as_ref() == Some(goal.current()) && goal.bypass_change_detection().go_on() {
            goal.set_changed();
            given.goal = None;
        }
    }
}
