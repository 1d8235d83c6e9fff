//! From crowds to components and events.

use std::mem::take;

use bevy_ecs::prelude::*;
use bevy_time::Time;
use emberwalk_crowd::{AgentId, CrowdEvent, WaitsFor};
use emberwalk_path::grid::{Cell, Direction};
use tracing::warn;

use super::tell::Told;
use crate::component::{Given, Placement};
use crate::map::MapNumber;
use crate::{Arrived, EditApplied, EditWaits, GridPosition, NavClock, NavGrid, NavState, Reach, Stuck, Unreachable};

/// Lets the time of this run pass on all grids.
pub(super) fn pass_time(time: Res<Time>, mut grids: Query<(&mut NavGrid, &mut NavClock)>) {
    for (mut grid, mut clock) in &mut grids {
        // Only edits change a grid for the game, not agents that walk.
        let own = grid.bypass_change_detection();
        let clock = clock.bypass_change_detection();
        own.pass(clock.passed(time.delta_secs_f64()));
        clock.end_run(own.now());
        if own.events().iter().any(is_edit) {
            grid.set_changed();
        }
    }
}

/// Whether an edit has taken effect, perhaps after it has waited or was announced, or a danger has faded.
fn is_edit(event: &CrowdEvent) -> bool {
    matches!(
        event,
        CrowdEvent::CostSet { .. }
            | CrowdEvent::ClassSet { .. }
            | CrowdEvent::LevelSet { .. }
            | CrowdEvent::DangerChanged { .. }
    )
}

/// Notes the events, grid by grid in the order of their numbers.
pub(super) fn note_events(
    grids: Query<(&MapNumber, Entity, &NavGrid)>,
    mut agents: Query<(&mut Given, &mut GridPosition, &mut NavState)>,
    mut told: ResMut<Told>,
    mut order: Local<Vec<(MapNumber, Entity)>>,
) {
    let told = told.bypass_change_detection();
    order.clear();
    order.extend(grids.iter().map(|(number, map, _)| (*number, map)));
    order.sort_unstable();
    for (_, map, grid) in order.iter().filter_map(|&(_, map)| grids.get(map).ok()) {
        for event in grid.events() {
            note_event(event, map, grid, &mut agents, told);
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

fn note_event(
    event: &CrowdEvent,
    map: Entity,
    grid: &NavGrid,
    agents: &mut Query<(&mut Given, &mut GridPosition, &mut NavState)>,
    told: &mut Told,
) {
    let entity = |agent: AgentId| grid.entity(agent);
    match *event {
        CrowdEvent::Step { agent, step } | CrowdEvent::StepChanged { agent, step, .. } => {
            let Some((_, mut position, mut state)) = entity(agent).and_then(|agent| agents.get_mut(agent).ok()) else {
                return;
            };
            let (cell, now) = (position.cell, grid.now());
            position.take(cell, Some(step), Some(step.direction()), now);
            // Also for agents that rested, and have to make way.
            state.set_if_neq(NavState::Walking);
        }
        // The crowd may have put it beside a wall.
        CrowdEvent::Added { agent, at, .. } => {
            if let Some((_, mut position, mut state)) = entity(agent).and_then(|agent| agents.get_mut(agent).ok()) {
                position.stand(at);
                state.set_if_neq(NavState::Walking);
            }
        }
        // It may stand in its place already, or the agent beside which it stands is gone, or it has to wait before it
        // goes back.
        CrowdEvent::Reachable { agent, .. } | CrowdEvent::SetOut { agent, .. } => {
            if let Some((.., mut state)) = entity(agent).and_then(|agent| agents.get_mut(agent).ok()) {
                state.set_if_neq(NavState::Walking);
            }
        }
        CrowdEvent::Unreachable { agent, .. } => {
            let Some(entity) = entity(agent) else { return };
            told.unreachable.push(Unreachable { entity });
            if let Ok((.., mut state)) = agents.get_mut(entity) {
                state.set_if_neq(NavState::Walking);
            }
        }
        CrowdEvent::Arrived { agent, at, .. } => {
            let Some(entity) = entity(agent) else { return };
            let Ok((mut given, ..)) = agents.get_mut(entity) else { return };
            given.has_arrived = true;
            if !take(&mut given.arrives_again) {
                let is_near = grid.crowd().state(agent).is_some_and(|state| state.unreachable.is_some());
                let reach = if is_near { Reach::Nearest } else { Reach::Goal };
                told.arrived.push(Arrived { entity, cell: at, reach });
            }
        }
        CrowdEvent::Stuck { agent, on, .. } => {
            told.stuck.extend(entity(agent).map(|entity| Stuck { entity, waits_for: entity_of(grid, on) }));
        }
        CrowdEvent::EditWaits { cell, corner, size, agent, .. } => {
            told.edits_wait.push(EditWaits { entity: map, corner, size, cell, agent: entity(agent) });
        }
        CrowdEvent::EditApplied { corner, size, .. } => {
            told.edits_applied.push(EditApplied { entity: map, corner, size });
        }
        _ => {}
    }
}

/// The components that are read and written.
type Agents = (&'static Placement, &'static Given, &'static mut GridPosition, &'static mut NavState);

/// Writes positions and states of agents, if they have changed. Agents that rest and do not move are left alone.
pub(super) fn write_states(mut agents: Query<Agents>, grids: Query<&NavGrid>) {
    for (placement, given, mut position, mut state) in &mut agents {
        let Some((grid, id)) = placement.agent().filter(|_| !state.rests()) else { continue };
        let Ok(grid) = grids.get(grid) else { continue };
        let now = grid.now();
        if let Some(step) = position.step.filter(|step| now < step.end && !position.is_stopped) {
            position.cell = if now < step.middle() { step.from } else { step.to };
            position.progress = step.progress(now);
            continue;
        }
        let Some(agent) = grid.crowd().state(id) else { continue };
        let mut at = *position;
        at.take(agent.cell, agent.step, agent.facing, now);
        position.set_if_neq(at);
        let wait = grid.crowd().waiting(id);
        state.set_if_neq(match wait.map(|wait| (wait.on, wait.since)) {
            _ if agent.step.is_some_and(|step| !step.stands_still()) => NavState::Walking,
            Some((Some(WaitsFor::Search), _)) => NavState::Planning,
            Some((Some(WaitsFor::Route), _)) if is_walled_in(grid, placement.settings.kind, agent.cell) => {
                NavState::WalledIn
            }
            Some((Some(WaitsFor::Route), _)) => NavState::Unreachable,
            Some((on, since)) => NavState::Waiting { on: entity_of(grid, on), since },
            None if agent.goal.is_none() => NavState::Idle,
            // Not before it is reported.
            None if !agent.has_arrived || !given.has_arrived => NavState::Walking,
            None if agent.unreachable.is_some() => NavState::Partial,
            None => NavState::Arrived,
        });
    }
}

/// Whether no step leads out of a cell for agents of a kind.
fn is_walled_in(grid: &NavGrid, kind: usize, at: Cell) -> bool {
    let Some(costs) = grid.costs_of(kind) else { return false };
    let rules = grid.crowd().rules();
    let enters = |direction: &Direction| rules.step_cost(costs, at, at + direction.offset()).is_some();
    let is_linked = || costs.links().any(|link| link.from == at && rules.step_cost(costs, at, link.to).is_some());
    !rules.moves.directions().iter().any(enters) && !is_linked()
}

/// The entity of the agent that another agent waits for.
fn entity_of(grid: &NavGrid, waits_for: Option<WaitsFor>) -> Option<Entity> {
    match waits_for {
        Some(WaitsFor::Agent(agent)) => grid.entity(agent),
        _ => None,
    }
}
