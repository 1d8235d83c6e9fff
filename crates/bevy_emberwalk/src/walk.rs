//! How agents walk along their routes that pass through each other.

use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{CostGrid, Options, RouteCost, StepRules};

use crate::agent::Placement;
use crate::clock::RunTime;
use crate::events::Told;
use crate::plan::Passing;
use crate::route_search::Walk;
use crate::unplaced::LeftOut;
use crate::{
    AgentNumber, Arrived, Goal, GridPosition, Hold, NavAgent, NavClock, NavMap, NavRoute, NavState, PlanningOptions,
    Reach, WhyUnplaced,
};

/// Lets the time of this run pass on maps without a crowd.
pub(crate) fn pass_time<M: NavMap>(time: RunTime, mut clocks: Query<&mut NavClock, With<M>>) {
    for mut clock in &mut clocks {
        let clock = clock.bypass_change_detection();
        let passed = clock.passed(time.seconds());
        clock.set(clock.now, clock.now + passed);
    }
}

/// An agent that is this much later than its route says plans again. It is later by up to 2/65536 s after each step, as
/// the times of steps are rounded.
const MAX_LATE: CrowdTime = CrowdTime::SECOND.divided_by(32);

/// After a change of the map, or of the kind or the pace of an agent: turns agents back that enter a cell that is blocked now,
/// or take a step over a new cliff. One that stands in a blocked cell, or that cannot turn back, is put in the nearest
/// passable cell. The others go on with their steps at the pace of the new terrain and rules, or at their own new pace.
pub(crate) fn revise_steps<M: NavMap>(
    options: Res<PlanningOptions>,
    maps: Query<(Ref<M>, &NavClock)>,
    mut agents: Query<Turned, Passing>,
) {
    let are_changed = options.is_changed() || maps.iter().any(|(map, _)| map.is_changed());
    let mut left_out = LeftOut::default();
    for mut agent in &mut agents {
        let is_changed = agent.agent.is_changed();
        // One that was solid may come from where it had no room.
        let is_lost = !agent.state.is_placed() && agent.walk.is_outdated;
        if !are_changed && !is_changed && !is_lost {
            continue;
        }
        let Some((map, clock)) = agent.placement.grid.and_then(|map| maps.get(map).ok()) else { continue };
        agent.revise(&*map, options.0, clock.now, &mut left_out);
        let walk = agent.walk.bypass_change_detection();
        // It may have stood still, and at another pace it does not keep to its times.
        walk.is_awake |= is_changed;
        walk.is_outdated |= is_changed && !agent.route.stops().is_empty();
    }
    left_out.warn();
}

/// The same at a change that is announced, in the middle of a run.
pub(crate) fn revise_all_steps<M: NavMap>(
    options: Res<PlanningOptions>,
    maps: Query<(&M, &NavClock)>,
    mut agents: Query<Turned, Passing>,
) {
    let mut left_out = LeftOut::default();
    for mut agent in &mut agents {
        let Some((map, clock)) = agent.placement.grid.and_then(|map| maps.get(map).ok()) else { continue };
        if agent.state.is_placed() {
            agent.revise(map, options.0, clock.now, &mut left_out);
        }
    }
    left_out.warn();
}

/// An agent whose step may have to change.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Turned {
    entity: Entity,
    agent: Ref<'static, NavAgent>,
    placement: &'static Placement,
    walk: &'static mut Walk,
    position: &'static mut GridPosition,
    route: &'static mut NavRoute,
    state: &'static mut NavState,
}

impl TurnedItem<'_, '_> {
    fn revise<M: NavMap>(&mut self, map: &M, options: Options, now: CrowdTime, left_out: &mut LeftOut) {
        let settings = self.agent.settings;
        let walk = self.walk.bypass_change_detection();
        let Some(costs) = map.costs_of(settings.kind) else {
            walk.forget();
            walk.is_outdated = false;
            NavRoute::clear(&mut self.route);
            return left_out.leave_out(self.entity, &mut self.state, WhyUnplaced::NoKind);
        };
        let rules = map.options(options).rules;
        let duration = |from, to| map.step_time(&settings, rules, from, to);
        let mut walker = self.position.walker(walk.goes_back);
        if self.state.is_placed() && walker.revise(costs, now, duration) {
            walk.goes_back = walker.goes_back();
            let revised = self.position.of_walker(&walker, now);
            walk.is_awake |= self.position.set_if_neq(revised);
            return;
        }
        let nearest = costs.nearest_passable(self.position.entered());
        if let Some(cell) = nearest {
            *self.position = GridPosition { facing: self.position.facing, ..GridPosition::standing(cell) };
        }
        walk.forget();
        match nearest {
            Some(_) => _ = self.state.set_if_neq(NavState::Planning),
            None => {
                walk.is_outdated = false;
                left_out.leave_out(self.entity, &mut self.state, WhyUnplaced::NoRoom);
            }
        }
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
    /// It waits until this time for what is announced.
    WaitUntil(CrowdTime),
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
        if !clock.stands_still() && walker.state.is_placed() {
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
        // At speed 0, or for what is announced.
        let waits = match *self.state {
            waits @ NavState::Waiting { .. } => waits,
            _ => NavState::Waiting { on: None, since: clock.now },
        };
        let mut begin = clock.walked;
        let is_waiting = loop {
            let mut until = None;
            // When it is in the middle of a cell again.
            let mut time = walker.step().map_or(begin, |step| step.end);
            walker.advance(begin, clock.now, |at| match self.next(at, time, costs, rules) {
                Next::Enter(to, cost) => {
                    let duration = map.step_time(&self.agent.settings, rules, at, to);
                    if duration == CrowdTime::NEVER {
                        state = waits;
                        return None;
                    }
                    self.route.bypass_change_detection().advance(cost);
                    time = time + duration;
                    state = NavState::Walking;
                    Some((to, duration))
                }
                Next::WaitUntil(departure) => {
                    until = Some(departure);
                    state = waits;
                    None
                }
                Next::Arrive => {
                    let walk = self.walk.bypass_change_detection();
                    let reach = self.route.reach();
                    if !std::mem::replace(&mut walk.has_arrived, true) {
                        told.arrived.push(Arrived { entity: self.entity, cell: at, reach });
                        // A patrol has another goal now.
                        walk.patrol += 1;
                        walk.is_outdated = matches!(self.goal.current(), Goal::Patrol(_));
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
            match until {
                Some(departure) if departure < clock.now => begin = departure,
                _ => break until.is_some(),
            }
        };
        if walker.step().is_some_and(|step| step.stands_still()) {
            state = waits;
        }
        let walk = self.walk.bypass_change_detection();
        walk.goes_back = walker.goes_back();
        walk.is_awake = is_waiting || matches!(state, NavState::Walking | NavState::Planning);
        let position = self.position.of_walker(&walker, clock.now);
        self.position.set_if_neq(position);
        self.state.set_if_neq(state);
    }

    /// What it does next in the cell in which it stands at a time. While another route is planned, it follows the old one,
    /// but it takes no step that has become impossible.
    fn next(&self, at: Cell, time: CrowdTime, costs: &CostGrid, rules: StepRules) -> Next {
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
            [_, next, ..] => match self.route.departure() {
                Some(departure) if time < departure => Next::WaitUntil(departure),
                Some(departure) if time > departure + MAX_LATE => Next::PlanAgain,
                _ => match rules.step_cost(costs, at, next) {
                    Some(cost) => Next::Enter(next, cost),
                    // The map has just changed.
                    None => Next::Stay(NavState::Planning),
                },
            },
        }
    }
}

/// Whether no step leads out of a cell.
pub(crate) fn is_walled_in(at: Cell, costs: &CostGrid, rules: StepRules) -> bool {
    let enters = |direction: &Direction| rules.step_cost(costs, at, at + direction.offset()).is_some();
    let is_linked = || costs.links().any(|link| link.from == at && rules.step_cost(costs, at, link.to).is_some());
    !rules.moves.directions().iter().any(enters) && !is_linked()
}
