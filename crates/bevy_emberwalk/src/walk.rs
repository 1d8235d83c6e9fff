//! How agents walk along their routes that pass through each other.

use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::{CostGrid, RouteCost, StepRules};

use crate::agent::Placement;
use crate::clock::RunTime;
use crate::events::Told;
use crate::plan::{Passing, Walk};
use crate::{
    AgentNumber, Arrived, Goal, GridPosition, Hold, NavAgent, NavClock, NavMap, NavRoute, NavState, PlanningOptions,
    Reach,
};

/// Lets the time of this run pass on maps without a crowd.
pub(crate) fn pass_time<M: NavMap>(time: RunTime, mut clocks: Query<&mut NavClock, With<M>>) {
    for mut clock in &mut clocks {
        let clock = clock.bypass_change_detection();
        let passed = clock.passed(time.seconds());
        clock.set(clock.now, clock.now + passed);
    }
}

type Turned =
    (&'static NavAgent, &'static Placement, &'static mut Walk, &'static mut GridPosition, &'static mut NavState);

/// Turns agents back that enter a cell that has become blocked, or take a step over a new cliff. One that stands in a
/// blocked cell, or that cannot turn back, is put in the nearest passable cell. The others go on with their steps at the
/// pace of the new terrain and rules.
pub(crate) fn revise_steps<M: NavMap>(
    options: Res<PlanningOptions>,
    maps: Query<(Ref<M>, &NavClock)>,
    mut agents: Query<Turned, Passing>,
) {
    if !options.is_changed() && !maps.iter().any(|(map, _)| map.is_changed()) {
        return;
    }
    for (agent, placement, mut walk, mut position, mut state) in &mut agents {
        let Some((map, clock)) = placement.grid.and_then(|map| maps.get(map).ok()) else { continue };
        let Some(costs) = map.costs_of(agent.settings.kind) else { continue };
        let walk = walk.bypass_change_detection();
        let rules = map.options(options.0).rules;
        let duration = |from, to| map.step_time(&agent.settings, rules, from, to);
        let mut walker = position.walker(walk.goes_back);
        if *state != NavState::Unplaced && walker.revise(costs, clock.now, duration) {
            walk.goes_back = walker.goes_back();
            let revised = position.of_walker(&walker, clock.now);
            walk.is_awake |= position.set_if_neq(revised);
            continue;
        }
        let nearest = costs.nearest_passable(position.entered());
        if let Some(cell) = nearest {
            *position = GridPosition { facing: position.facing, ..GridPosition::standing(cell) };
        }
        walk.forget();
        state.set_if_neq(if nearest.is_some() { NavState::Planning } else { NavState::Unplaced });
    }
}

/// An agent that walks.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Walker {
    entity: Entity,
    agent: &'static NavAgent,
    goal: &'static Goal,
    placement: &'static Placement,
    holds: Has<Hold>,
    position: &'static mut GridPosition,
    walk: &'static mut Walk,
    route: &'static mut NavRoute,
    state: &'static mut NavState,
}

/// The next action of a standing agent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Enter(Cell, RouteCost),
    Arrive,
    /// It is not on its route.
    PlanAgain,
    Stay(NavState),
}

/// Lets agents walk for the time of this run.
pub(crate) fn walk<M: NavMap>(
    options: Res<PlanningOptions>,
    maps: Query<(&M, &NavClock)>,
    mut walkers: Query<Walker, Passing>,
    numbers: Query<&AgentNumber>,
    mut told: ResMut<Told>,
) {
    let told_before = told.arrived.len();
    for mut walker in &mut walkers {
        if !walker.walk.is_awake {
            continue;
        }
        let Some((map, clock)) = walker.placement.grid.and_then(|map| maps.get(map).ok()) else { continue };
        if !clock.stands_still() && *walker.state != NavState::Unplaced {
            walker.walk(map, map.options(options.0).rules, clock, told.bypass_change_detection());
        }
    }
    // Observers are told in the order of numbers, not in the order in which the engine keeps agents.
    let told = &mut told.bypass_change_detection().arrived[told_before..];
    told.sort_by_key(|arrived| numbers.get(arrived.entity).ok());
}

impl WalkerItem<'_, '_> {
    fn walk<M: NavMap>(&mut self, map: &M, rules: StepRules, clock: &NavClock, told: &mut Told) {
        let Some(costs) = map.costs_of(self.agent.settings.kind) else { return };
        let mut walker = self.position.walker(self.walk.goes_back);
        let mut state = NavState::Walking;
        walker.advance(clock.before, clock.now, |at| match self.next(at, costs, rules) {
            Next::Enter(to, cost) => {
                self.route.bypass_change_detection().advance(cost);
                Some((to, map.step_time(&self.agent.settings, rules, at, to)))
            }
            Next::Arrive => {
                let walk = self.walk.bypass_change_detection();
                let reach = self.route.reach();
                if !std::mem::replace(&mut walk.has_arrived, true) {
                    told.arrived.push(Arrived { entity: self.entity, cell: at, reach });
                    // A patrol has another goal now.
                    walk.patrol += 1;
                    walk.is_outdated = matches!(*self.goal, Goal::Patrol(_));
                }
                state = if reach == Reach::Nearest { NavState::Partial } else { NavState::Arrived };
                None
            }
            Next::PlanAgain => {
                self.walk.bypass_change_detection().is_outdated = true;
                state = NavState::Planning;
                None
            }
            Next::Stay(stays) => {
                state = stays;
                None
            }
        });
        let walk = self.walk.bypass_change_detection();
        walk.goes_back = walker.goes_back();
        walk.is_awake = matches!(state, NavState::Walking | NavState::Planning);
        let position = self.position.of_walker(&walker, clock.now);
        self.position.set_if_neq(position);
        self.state.set_if_neq(state);
    }

    /// What it does next in the cell in which it stands. While another route is planned, it follows the old one, but it
    /// takes no step that has become impossible.
    fn next(&self, at: Cell, costs: &CostGrid, rules: StepRules) -> Next {
        let walk = &*self.walk;
        if walk.target.is_none() || self.holds {
            // One that has arrived and now holds is still there.
            let is_there = walk.is_known && matches!(*self.state, NavState::Arrived | NavState::Partial);
            return Next::Stay(if is_there { *self.state } else { NavState::Idle });
        }
        if !walk.is_known {
            return Next::Stay(NavState::Planning);
        }
        match *self.route.ahead() {
            [] if is_walled_in(at, costs, rules) => Next::Stay(NavState::WalledIn),
            [] => Next::Stay(NavState::Unreachable),
            // It was put elsewhere.
            [here, ..] if here != at => Next::PlanAgain,
            [_] => Next::Arrive,
            [_, next, ..] => match rules.step_cost(costs, at, next) {
                Some(cost) => Next::Enter(next, cost),
                // The map has just changed.
                None => Next::Stay(NavState::Planning),
            },
        }
    }
}

/// Whether no step leads out of a cell.
pub(crate) fn is_walled_in(at: Cell, costs: &CostGrid, rules: StepRules) -> bool {
    let enters = |direction: &Direction| rules.step_cost(costs, at, at + direction.offset()).is_some();
    !rules.moves.directions().iter().any(enters)
}
