//! From the crowd to components and events.

use std::mem::take;

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use emberwalk_crowd::{CrowdEvent, WaitsFor};
use tracing::warn;

use crate::agent::Placement;
use crate::clock::RunTime;
use crate::events::Told;
use crate::number::MapNumber;
use crate::route_search::Walk;
use crate::walk::{self, is_walled_in};
use crate::{
    Arrived, EditApplied, EditWaits, Goal, GridPosition, NavAgent, NavClock, NavGrid, NavState, Reach, Solid, Stuck,
    Unreachable,
};

/// Lets the time of this run pass on all grids, up to the first change that is announced.
pub(crate) fn pass_time(time: RunTime, mut grids: Query<(&mut NavGrid, &mut NavClock)>) {
    for (mut grid, mut clock) in &mut grids {
        grid.bypass_change_detection().events.clear();
        let clock = clock.bypass_change_detection();
        clock.left = clock.passed(time.seconds());
        clock.set(clock.now, clock.now);
        pass(&mut grid, clock);
    }
}

/// Lets the time pass that is left of a run, up to the next change that is announced.
fn pass(grid: &mut Mut<NavGrid>, clock: &mut NavClock) {
    // Only edits change a grid for the game, not agents that walk.
    let own = grid.bypass_change_detection();
    let duration = own.time_to_change(clock.left);
    clock.left = clock.left - duration;
    let events = own.crowd.advance(duration);
    let is_edited = events.iter().any(is_edit);
    own.events.extend_from_slice(events);
    clock.go_on(own.crowd.now());
    if is_edited {
        grid.set_changed();
    }
}

/// What happens at a change that is announced, and until the next one.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct AtChange;

/// Adds what happens at a change that is announced.
pub(crate) fn add_changes(app: &mut App) {
    app.add_systems(
        AtChange,
        (make_changes, walk::revise_all_steps::<NavGrid>, pass_rest, walk::walk::<NavGrid>).chain(),
    );
}

/// Whether the time of a change has come.
pub(crate) fn are_changes_due(grids: Query<&NavGrid>) -> bool {
    grids.iter().any(NavGrid::is_change_due)
}

/// Makes the changes whose time has come in the middle of a run, and lets the rest of its time pass.
pub(crate) fn pass_changes(world: &mut World, grids: &mut QueryState<&NavGrid>) {
    while grids.iter(world).any(NavGrid::is_change_due) {
        world.run_schedule(AtChange);
    }
}

fn make_changes(mut grids: Query<&mut NavGrid>) {
    for mut grid in &mut grids {
        grid.bypass_change_detection().make_due_changes();
    }
}

fn pass_rest(mut grids: Query<(&mut NavGrid, &mut NavClock)>) {
    for (mut grid, mut clock) in &mut grids {
        pass(&mut grid, clock.bypass_change_detection());
    }
}

/// Whether an edit has taken effect, perhaps one that has waited, or a danger has faded.
fn is_edit(event: &CrowdEvent) -> bool {
    matches!(
        event,
        CrowdEvent::CostSet { .. }
            | CrowdEvent::ClassSet { .. }
            | CrowdEvent::LevelSet { .. }
            | CrowdEvent::DangerChanged { .. }
    )
}

/// What is looked at, and what is written.
type Agents = (
    &'static NavAgent,
    &'static Placement,
    &'static Goal,
    &'static Walk,
    &'static mut GridPosition,
    &'static mut NavState,
);

/// Writes where solid agents are and what they do, if that has changed. Those that rest and do not move are left alone.
pub(crate) fn write_states(mut agents: Query<Agents, With<Solid>>, grids: Query<&NavGrid>) {
    for grid in &grids {
        for event in &grid.events {
            if let CrowdEvent::Step { agent, step } | CrowdEvent::StepChanged { agent, step, .. } = *event
                && let Some(entity) = grid.entity(agent)
                && let Ok((.., mut position, mut state)) = agents.get_mut(entity)
            {
                position.step = Some(step);
                position.facing = Some(step.direction());
                // Also of those that rested, and have to make way.
                state.set_if_neq(NavState::Walking);
            }
            // It may stand in its place already, or whom it stands beside is gone, or it has to wait before it goes back.
            if let CrowdEvent::Reachable { agent, .. }
            | CrowdEvent::Unreachable { agent, .. }
            | CrowdEvent::SetOut { agent, .. } = *event
                && let Some(entity) = grid.entity(agent)
                && let Ok((.., mut state)) = agents.get_mut(entity)
            {
                state.set_if_neq(NavState::Walking);
            }
        }
    }
    for (agent, placement, goal, walk, mut position, mut state) in &mut agents {
        if state.rests() {
            continue;
        }
        let Some((grid, id)) = placement.agent() else { continue };
        let Ok(grid) = grids.get(grid) else { continue };
        let now = grid.crowd.now();
        if let Some(step) = position.step.filter(|step| now < step.end && !step.stands_still()) {
            position.cell = if now < step.middle() { step.from } else { step.to };
            position.progress = step.progress(now);
            continue;
        }
        let Some(now) = grid.crowd.state(id) else { continue };
        let progress = now.step.map_or(0.0, |step| step.progress(grid.crowd.now()));
        position.set_if_neq(GridPosition { cell: now.cell, step: now.step, progress, facing: now.facing });
        state.set_if_neq(match now {
            _ if now.step.is_some_and(|step| !step.stands_still()) => NavState::Walking,
            _ if *goal.current() == Goal::None || now.goal.is_none() => NavState::Idle,
            _ if now.has_arrived && (walk.is_lost || now.unreachable.is_some()) => NavState::Partial,
            _ if now.has_arrived => NavState::Arrived,
            _ => match grid.crowd.waiting(id) {
                Some(wait) if wait.on == Some(WaitsFor::Search) => NavState::Planning,
                Some(wait) if wait.on == Some(WaitsFor::Route) => {
                    let Some(costs) = grid.crowd.grids().nth(agent.settings.kind) else { continue };
                    let is_walled_in = is_walled_in(now.cell, costs, grid.crowd.rules());
                    if is_walled_in { NavState::WalledIn } else { NavState::Unreachable }
                }
                Some(wait) => NavState::Waiting { on: entity_of(grid, wait.on), since: wait.since },
                None => NavState::Walking,
            },
        });
    }
}

/// Takes note of what has happened to solid agents.
pub(crate) fn note_events(
    grids: Query<(&MapNumber, Entity, &NavGrid)>,
    mut walks: Query<&mut Walk>,
    mut told: ResMut<Told>,
) {
    let told = told.bypass_change_detection();
    let mut grids: Vec<_> = grids.iter().collect();
    grids.sort_unstable_by_key(|(number, ..)| **number);
    for (_, grid_entity, grid) in grids {
        for event in &grid.events {
            match *event {
                CrowdEvent::Arrived { agent, at, .. } => {
                    let Some(entity) = grid.entity(agent) else { continue };
                    if walks.get_mut(entity).is_ok_and(|mut walk| take(&mut walk.bypass_change_detection().has_arrived))
                    {
                        continue;
                    }
                    let is_near = grid.crowd.state(agent).is_some_and(|state| state.unreachable.is_some());
                    let is_lost = is_near || walks.get(entity).is_ok_and(|walk| walk.is_lost);
                    let reach = if is_lost { Reach::Nearest } else { Reach::Goal };
                    told.arrived.push(Arrived { entity, cell: at, reach });
                }
                CrowdEvent::Stuck { agent, on, .. } => {
                    let stuck = |entity| Stuck { entity, waits_for: entity_of(grid, on) };
                    told.stuck.extend(grid.entity(agent).map(stuck));
                }
                CrowdEvent::Unreachable { agent, .. } => {
                    told.unreachable.extend(grid.entity(agent).map(|entity| Unreachable { entity }));
                }
                CrowdEvent::EditWaits { cell, corner, size, agent, .. } => {
                    let agent = grid.entity(agent);
                    told.edits_wait.push(EditWaits { entity: grid_entity, corner, size, cell, agent });
                }
                CrowdEvent::EditApplied { corner, size, .. } => {
                    told.edits_applied.push(EditApplied { entity: grid_entity, corner, size });
                }
                _ => {}
            }
        }
    }
    if let Some(EditWaits { corner, cell, agent, .. }) = told.edits_wait.first() {
        let agent = agent.map_or("an agent that is gone".to_string(), |agent| format!("the agent {agent}"));
        let others = match told.edits_wait.len() - 1 {
            0 => String::new(),
            others => format!(", and {others} more wait"),
        };
        warn!("the edit at {corner} waits for {agent} in {cell}{others}");
    }
}

/// The entity of the agent that another one waits for.
fn entity_of(grid: &NavGrid, waits_for: Option<WaitsFor>) -> Option<Entity> {
    match waits_for {
        Some(WaitsFor::Agent(agent)) => grid.entity(agent),
        _ => None,
    }
}
