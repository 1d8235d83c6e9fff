//! Puts agents into crowds, and takes them out.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::mem::take;

use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use emberwalk_crowd::{AgentId, AgentSettings, CrowdError};
use emberwalk_path::grid::Cell;
use tracing::warn;

use crate::component::{Given, Placement, Removed};
use crate::map::Replaced;
use crate::{AgentNumber, GridPosition, NavAgent, NavClock, NavGrid, NavState, OnGrid, Solid, WhyUnplaced};

/// The settings with which the crowd has to know an agent.
fn settings_of(agent: &NavAgent, is_solid: bool) -> AgentSettings {
    let mut settings = agent.settings;
    settings.passes = !is_solid;
    settings
}

type Changing = (Entity, &'static NavAgent, Has<Solid>, &'static mut Placement, &'static mut NavState);

/// Notes agents that have to be put into a crowd again: their grid is gone or was replaced, their kind has changed, or
/// they have become solid or ceased to be.
pub(super) fn find_changed(
    mut removed: ResMut<Removed>,
    mut replaced: ResMut<Replaced>,
    mut grids: Query<(Entity, Ref<NavGrid>, &mut NavClock)>,
    mut agents: Query<Changing>,
) {
    let are_changed = take(&mut replaced.0) || grids.iter().any(|(_, grid, _)| grid.is_changed());
    for (entity, agent, is_solid, mut placement, mut state) in &mut agents {
        let Some(map) = placement.grid else { continue };
        if are_changed {
            let knows = |id| grids.get(map).is_ok_and(|(_, grid, _)| grid.entity(id) == Some(entity));
            if !grids.contains(map) {
                *placement = Placement::default();
                state.set_if_neq(NavState::Unplaced(WhyUnplaced::New));
            } else if placement.id.is_some_and(|id| !knows(id)) {
                placement.id = None;
                state.set_if_neq(NavState::Unplaced(WhyUnplaced::New));
            }
        }
        if placement.settings.passes == is_solid || placement.settings.kind != agent.settings.kind {
            removed.0.extend(placement.id.take().map(|id| (map, id)));
        }
    }
    // A grid that was put back after another may have agents in its crowd that have gone elsewhere since.
    for (map, grid, mut clock) in grids.iter_mut().filter(|(_, grid, _)| are_changed && grid.is_changed()) {
        let placement = |id| agents.get(grid.entity(id)?).ok()?.3.agent();
        let ids = grid.crowd().positions().map(|(id, ..)| id);
        removed.0.extend(ids.filter(|&id| placement(id) != Some((map, id))).map(|id| (map, id)));
        if clock.now() != grid.now() {
            clock.bypass_change_detection().set(grid.now());
        }
    }
}

/// Takes agents off their grids if their entities or components are gone, or if they are put there again.
pub(super) fn remove_agents(mut removed: ResMut<Removed>, mut grids: Query<&mut NavGrid>) {
    let removed = &mut removed.bypass_change_detection().0;
    // They were noted in the order in which the engine or the game visited the entities.
    removed.sort_unstable();
    for (grid, agent) in removed.drain(..) {
        if let Ok(mut grid) = grids.get_mut(grid) {
            grid.bypass_change_detection().crowd_mut().remove(agent);
        }
    }
}

/// An agent that is put into a crowd.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct New {
    entity: Entity,
    number: &'static AgentNumber,
    agent: &'static NavAgent,
    on: Option<&'static OnGrid>,
    is_solid: Has<Solid>,
    placement: &'static mut Placement,
    position: &'static mut GridPosition,
    state: &'static mut NavState,
    given: &'static mut Given,
}

/// Which agents are put into crowds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// Agents that were on their map before, where they are.
    Stay,
    /// If they have no room there, because of a new wall or another agent: in the nearest cell with room for them.
    MoveOut,
    /// New agents, in their first cell.
    Enter,
}

/// Puts agents that are in no crowd into the crowds of their grids, in the order of their numbers. For the rest, writes
/// why they are on no grid, or that they wait for room.
pub(super) fn place_agents(
    mut agents: Query<New>,
    mut grids: Query<(Entity, &mut NavGrid)>,
    mut waiting: Local<Vec<(AgentNumber, Entity)>>,
) {
    waiting.clear();
    waiting.extend(agents.iter().filter(|new| new.placement.id.is_none()).map(|new| (*new.number, new.entity)));
    if waiting.is_empty() {
        return;
    }
    waiting.sort_unstable();
    let several = if grids.iter().count() > 1 { WhyUnplaced::SeveralMaps } else { WhyUnplaced::NoMap };
    let mut reasons: HashMap<Entity, WhyUnplaced> = HashMap::new();
    let mut full = HashSet::new();
    for turn in [Turn::Stay, Turn::MoveOut, Turn::Enter] {
        waiting.retain(|&(_, entity)| {
            let Ok(mut new) = agents.get_mut(entity) else { return false };
            if new.placement.grid.is_none() != (turn == Turn::Enter) {
                return true;
            }
            let named = new.placement.grid.or(new.on.map(|on| on.0));
            let grid = match named {
                Some(grid) => grids.get_mut(grid).ok(),
                None => grids.single_mut().ok(),
            };
            let added = match grid {
                None => Err(if named.is_some() { WhyUnplaced::NoMap } else { several }),
                Some((map, mut grid)) => new.add(map, grid.bypass_change_detection(), turn, &mut full),
            };
            if let Err(why) = added {
                // If several reasons apply, the last one says most.
                let noted = reasons.entry(entity).or_default();
                *noted = why.max(*noted);
            }
            added.is_err()
        });
    }
    let mut left_out = LeftOut::default();
    for &(_, entity) in &*waiting {
        let Ok(mut new) = agents.get_mut(entity) else { continue };
        let why = reasons.get(&entity).copied().unwrap_or_default();
        match new.placement.grid.and_then(|map| grids.get(map).ok()) {
            Some((_, grid)) if why == WhyUnplaced::Taken => new.wait(grid),
            _ => left_out.leave_out(entity, &mut new.state, why),
        }
    }
    left_out.warn();
}

/// Where no cell has room: a grid, and the component there of the cells that an agent of a kind can reach.
type Full = HashSet<(Entity, usize, Option<usize>)>;

impl NewItem<'_, '_> {
    /// Puts it into the crowd of a grid if it has room there.
    fn add(&mut self, map: Entity, grid: &mut NavGrid, turn: Turn, full: &mut Full) -> Result<(), WhyUnplaced> {
        let settings = settings_of(self.agent, self.is_solid);
        let at = if turn == Turn::Enter { self.agent.start } else { self.position.cell };
        let now = grid.now();
        // An agent that enters its first cell, because a game has saved it in the middle of a step, continues that
        // step.
        let goes_on = settings.passes && self.position.step.is_some_and(|step| turn != Turn::Enter || step.to == at);
        let added = match turn {
            Turn::MoveOut => move_out(map, grid, settings, at, full),
            _ if goes_on => grid.crowd_mut().add_walker(&self.position.walker(now), settings),
            _ => grid.crowd_mut().add_with(at, settings),
        };
        let id = added.map_err(|error| match error {
            CrowdError::Blocked(_) if turn == Turn::MoveOut => WhyUnplaced::NoRoom,
            CrowdError::Blocked(at) if !grid.size().contains(at) => WhyUnplaced::OffMap,
            error => error.into(),
        })?;
        grid.set_entity(id, self.entity);
        *self.placement = Placement { id: Some(id), grid: Some(map), settings };
        *self.given = Given::default();
        if let Some(state) = grid.crowd().state(id) {
            let facing = self.position.facing;
            self.position.take(state.cell, state.step, facing, now);
        }
        Ok(())
    }

    /// It waits where it is for the agent that has its cell.
    fn wait(&mut self, grid: &NavGrid) {
        let since = if let NavState::Waiting { since, .. } = *self.state { since } else { grid.now() };
        self.state.set_if_neq(NavState::Waiting { on: grid.agent_at(self.position.cell), since });
        if self.position.step.is_some() {
            let cell = self.position.cell;
            self.position.stand(cell);
        }
    }
}

/// Puts an agent in the nearest cell with room for it.
fn move_out(
    map: Entity,
    grid: &mut NavGrid,
    settings: AgentSettings,
    at: Cell,
    full: &mut Full,
) -> Result<AgentId, CrowdError> {
    let nearest = grid.costs_of(settings.kind).ok_or(CrowdError::NoKind(settings.kind))?.nearest_passable(at);
    let nearest = nearest.ok_or(CrowdError::Blocked(at))?;
    if settings.passes {
        return grid.crowd_mut().add_with(nearest, settings);
    }
    let rules = grid.crowd().rules();
    let component =
        grid.ask(settings.kind, |planner, costs| planner.components(costs, rules).component(costs, nearest));
    let area = (map, settings.kind, component.flatten());
    let free = if full.contains(&area) { None } else { grid.crowd().nearest_free(settings.kind, at) };
    if free.is_none() {
        full.insert(area);
    }
    grid.crowd_mut().add_with(free.unwrap_or(at), settings)
}

/// Passes on changes of paces and priorities, in the order of the agents' numbers: a new pace may have effects on the steps of
/// other agents.
pub(super) fn change_agents(
    mut agents: Query<(&AgentNumber, Ref<NavAgent>, &mut Placement)>,
    mut grids: Query<&mut NavGrid>,
    mut changed: Local<Vec<(AgentNumber, Entity, AgentId, AgentSettings)>>,
) {
    changed.clear();
    for (&number, agent, mut placement) in &mut agents {
        let Some((grid, id)) = placement.agent().filter(|_| agent.is_changed()) else { continue };
        let AgentSettings { pace, priority, .. } = agent.settings;
        if (placement.settings.pace, placement.settings.priority) != (pace, priority) {
            (placement.settings.pace, placement.settings.priority) = (pace, priority);
            changed.push((number, grid, id, agent.settings));
        }
    }
    changed.sort_unstable_by_key(|(number, ..)| *number);
    for (_, grid, id, settings) in changed.drain(..) {
        let Ok(mut grid) = grids.get_mut(grid) else { continue };
        let crowd = grid.bypass_change_detection().crowd_mut();
        crowd.set_priority(id, settings.priority);
        // An agent without its own pace may have had one.
        crowd.set_pace(id, settings.pace.unwrap_or(crowd.pace()));
    }
}

/// The agents that a run has left without a place, by the reason: how many, and the first one. One line each in the log.
#[derive(Default)]
struct LeftOut(BTreeMap<WhyUnplaced, (usize, Option<Entity>)>);

impl LeftOut {
    /// Writes that an agent is on no map, unless that is known.
    fn leave_out(&mut self, agent: Entity, state: &mut Mut<NavState>, why: WhyUnplaced) {
        if state.set_if_neq(NavState::Unplaced(why)) {
            let (count, first) = self.0.entry(why).or_default();
            *count += 1;
            first.get_or_insert(agent);
        }
    }

    fn warn(self) {
        for (why, (count, first)) in self.0 {
            let Some(first) = first.filter(|_| why != WhyUnplaced::New) else { continue };
            match count {
                1 => warn!("the agent {first} is on no map: {why}"),
                _ => warn!("{count} agents are on no map, first {first}: {why}"),
            }
        }
    }
}
