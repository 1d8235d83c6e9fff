//! From components to the crowd: new agents, goals, and those that are gone.

use std::collections::{BTreeMap, HashSet};

use bevy_ecs::prelude::*;
use emberwalk_path::crowd::{self, AgentId, CrowdTime, OnArrival, Step};
use emberwalk_path::grid::Cell;

use crate::agent::Placement;
use crate::plan::{Passing, Planners, Walk};
use crate::{
    AgentNumber, Goal, GridPosition, Hold, NavAgent, NavClock, NavGrid, NavMap, NavRoute, NavState, OnGrid, Solid,
};

/// What hooks of components have noted since the last run, which may be several frames ago.
#[derive(Resource, Clone, Default)]
pub(crate) struct Noted {
    /// The highest number of a map.
    #[cfg(feature = "replay")]
    pub(crate) last_map: u32,
    /// The agents that are not on their grids yet.
    pub(crate) unplaced: Vec<Entity>,
    /// The agents that were put into a crowd in this run.
    pub(crate) placed: Vec<Entity>,
    /// The agents that are gone, with their grids.
    pub(crate) removed: Vec<(Entity, AgentId)>,
    /// The agents that do not hold any more.
    pub(crate) released: Vec<Entity>,
    /// The solid agents that got the goal to go near a cell in this run.
    pub(crate) near: Vec<Entity>,
    /// The maps that are gone.
    pub(crate) lost_maps: Vec<Entity>,
}

/// Gives maps of a game's own what they need beside them. They may be older than the plugin.
pub(crate) fn complete_maps<M: NavMap>(
    maps: Query<Entity, (With<M>, Without<Planners>)>,
    clocks: Query<&NavClock>,
    mut commands: Commands,
) {
    for map in &maps {
        let clock = clocks.get(map).copied().unwrap_or(NavClock::LATER);
        commands.entity(map).insert((clock, Planners::default()));
    }
}

/// Takes note that a map is gone.
pub(crate) fn note_lost_map<M: NavMap>(lost: On<Remove, M>, mut noted: ResMut<Noted>) {
    noted.bypass_change_detection().lost_maps.push(lost.entity);
}

/// Takes note of agents whose map is gone, or was replaced by another one: they are put on a map again.
pub(crate) fn find_lost_agents(
    mut noted: ResMut<Noted>,
    grids: Query<Ref<NavGrid>>,
    mut agents: Query<(Entity, &mut Placement, &mut NavState, &mut Walk, &mut NavRoute)>,
) {
    let Noted { lost_maps, unplaced, .. } = noted.bypass_change_detection();
    if lost_maps.is_empty() && !grids.iter().any(|grid| grid.is_changed()) {
        return;
    }
    for (entity, mut placement, mut state, mut walk, mut route) in &mut agents {
        let Some(map) = placement.grid else { continue };
        let is_gone = lost_maps.contains(&map);
        // Only the crowds of grids know their agents.
        let knows = |id| grids.get(map).is_ok_and(|grid| grid.entity(id) == Some(entity));
        if is_gone || placement.id.is_some_and(|id| !knows(id)) {
            placement.id = None;
            placement.grid = Some(map).filter(|_| !is_gone);
            state.set_if_neq(NavState::Unplaced);
            if is_gone {
                walk.bypass_change_detection().forget();
                NavRoute::clear(&mut route);
            }
            unplaced.push(entity);
        }
    }
    lost_maps.clear();
}

/// Takes note of agents whose kind has changed: they go on from where they are, and begin with their goals again.
pub(crate) fn change_kinds(
    mut noted: ResMut<Noted>,
    mut agents: Query<(Entity, &AgentNumber, &NavAgent, &mut Placement, &mut Goal), Changed<NavAgent>>,
) {
    let Noted { removed, unplaced, .. } = noted.bypass_change_detection();
    let mut changed: Vec<_> = Vec::new();
    for (entity, number, agent, mut placement, mut goal) in &mut agents {
        let Some(map) = placement.grid.filter(|_| placement.kind != agent.settings.kind) else { continue };
        placement.kind = agent.settings.kind;
        goal.set_changed();
        if let Some(id) = placement.id.take() {
            changed.push((*number, entity, (map, id)));
        }
    }
    changed.sort_unstable_by_key(|(number, ..)| *number);
    for (_, entity, agent) in changed {
        removed.push(agent);
        unplaced.push(entity);
    }
}

/// Takes agents off their grids whose entities or components are gone.
pub(crate) fn remove_agents(mut noted: ResMut<Noted>, mut grids: Query<&mut NavGrid>) {
    for (grid, agent) in noted.bypass_change_detection().removed.drain(..) {
        if let Ok(mut grid) = grids.get_mut(grid) {
            grid.bypass_change_detection().crowd.remove(agent);
        }
    }
}

/// What is looked at when an agent is put on its grid.
type New = (
    &'static NavAgent,
    Option<&'static OnGrid>,
    &'static mut Placement,
    &'static mut Goal,
    &'static mut GridPosition,
    &'static mut NavState,
);

/// Puts solid agents into the crowds of their grids that are not there yet, in the order in which they were added: first
/// those whose cells are free. Those that were on the map before and have no room there are put beside it.
pub(crate) fn add_solid(
    mut noted: ResMut<Noted>,
    mut agents: Query<New, With<Solid>>,
    mut grids: Query<(Entity, &mut NavGrid)>,
) {
    let Noted { unplaced, placed, .. } = noted.bypass_change_detection();
    for goes_beside in [false, true] {
        unplaced.retain(|&entity| {
            let Ok((agent, on_grid, mut placement, mut goal, mut position, _)) = agents.get_mut(entity) else {
                return true;
            };
            if placement.agent().is_some() {
                return false;
            }
            let was_there = placement.grid.is_some();
            if goes_beside && !was_there {
                return true;
            }
            let grid = match placement.grid.or(on_grid.map(|on| on.0)) {
                Some(grid) => grids.get_mut(grid).ok(),
                None => grids.single_mut().ok(),
            };
            let Some((grid_entity, mut grid)) = grid else { return true };
            let grid = grid.bypass_change_detection();
            // One that becomes solid stays where it is.
            let at = if was_there { position.cell } else { agent.start };
            let at = if goes_beside { grid.crowd.nearest_free(agent.settings.kind, at) } else { Some(at) };
            let Some(at) = at else { return true };
            let Ok(id) = grid.crowd.add_with(at, agent.settings) else { return true };
            grid.set_entity(id, entity);
            *placement = Placement { id: Some(id), grid: Some(grid_entity), kind: agent.settings.kind };
            position.set_if_neq(GridPosition { facing: position.facing, ..GridPosition::standing(at) });
            // It has not been given as an order yet.
            goal.set_changed();
            placed.push(entity);
            false
        });
    }
}

/// Puts the other agents on maps of one type that are not there yet.
pub(crate) fn add_passing<M: NavMap>(
    mut noted: ResMut<Noted>,
    mut agents: Query<New, Passing>,
    maps: Query<(Entity, &M, &NavClock)>,
) {
    noted.bypass_change_detection().unplaced.retain(|&entity| {
        let Ok((agent, on_grid, mut placement, mut goal, mut position, mut state)) = agents.get_mut(entity) else {
            return true;
        };
        if placement.grid.is_some() {
            return false;
        }
        let map = match on_grid {
            Some(&OnGrid(map)) => maps.get(map).ok(),
            None => maps.single().ok(),
        };
        let Some((map_entity, map, clock)) = map else { return true };
        if !map.costs_of(agent.settings.kind).is_some_and(|costs| costs.is_passable(agent.start)) {
            return true;
        }
        (placement.grid, placement.kind) = (Some(map_entity), agent.settings.kind);
        // One that enters its first cell, because a game has saved it in the middle of a step, goes on with that.
        let step = position
            .step
            .filter(|step| step.to == agent.start)
            .map(|step| step_at(step.from, step.to, position.progress, step.end - step.start, clock.now));
        position.set_if_neq(match step {
            Some(_) => GridPosition { step, ..*position },
            None => GridPosition { facing: position.facing, ..GridPosition::standing(agent.start) },
        });
        state.set_if_neq(NavState::Idle);
        goal.set_changed();
        false
    });
}

/// A step of this duration, of which a part is over now.
fn step_at(from: Cell, to: Cell, progress: f32, duration: CrowdTime, now: CrowdTime) -> Step {
    let gone = CrowdTime::from_seconds(duration.seconds() * f64::from(progress));
    Step { from, to, start: now - gone, end: now + (duration - gone) }
}

/// Forgets agents that are gone, and writes that the others are on no grid, or wait until there is room for them in its
/// crowd.
pub(crate) fn mark_unplaced(
    mut noted: ResMut<Noted>,
    mut agents: Query<(&NavAgent, &Placement, &mut GridPosition, &mut NavState)>,
    grids: Query<&NavGrid>,
) {
    let mut seen = HashSet::new();
    noted.bypass_change_detection().unplaced.retain(|&entity| {
        let Ok((agent, placement, mut position, mut state)) = agents.get_mut(entity) else { return false };
        match placement.grid.map(|map| grids.get(map)) {
            None => _ = state.set_if_neq(NavState::Unplaced),
            Some(Err(_)) => {}
            Some(Ok(grid)) => {
                let costs = grid.costs_of(agent.settings.kind);
                if costs.and_then(|costs| costs.nearest_passable(position.cell)).is_none() {
                    state.set_if_neq(NavState::Unplaced);
                    return seen.insert(entity);
                }
                let since = if let NavState::Waiting { since, .. } = *state { since } else { grid.now() };
                state.set_if_neq(NavState::Waiting { on: grid.agent_at(position.cell), since });
                position.set_if_neq(GridPosition { facing: position.facing, ..GridPosition::standing(position.cell) });
            }
        }
        seen.insert(entity)
    });
}

/// Passes on changes of paces and priorities. Those that were put into a crowd in this run have theirs.
pub(crate) fn change_agents(
    agents: Query<(Entity, &NavAgent, &Placement), Changed<NavAgent>>,
    noted: Res<Noted>,
    mut grids: Query<&mut NavGrid>,
) {
    let placed: HashSet<_> = noted.placed.iter().collect();
    for (entity, agent, placement) in &agents {
        let Some((grid, id)) = placement.agent().filter(|_| !placed.contains(&entity)) else { continue };
        let Ok(mut grid) = grids.get_mut(grid) else { continue };
        let grid = grid.bypass_change_detection();
        grid.crowd.set_priority(id, agent.settings.priority);
        // One without a pace of its own may have had one.
        grid.crowd.set_pace(id, agent.settings.pace.unwrap_or(grid.crowd.pace()));
    }
}

/// Agents with a new goal, and those that begin to hold.
type Ordered = Or<(Changed<Goal>, Added<Hold>)>;

/// Gives orders to agents whose goals have changed, to those that begin or end to hold, and to followers of agents that
/// were put into a crowd.
pub(crate) fn give_orders(
    changed: Query<Entity, Ordered>,
    mut noted: ResMut<Noted>,
    agents: Query<(Entity, &Goal, &Placement, Has<Hold>, &AgentNumber)>,
    mut walks: Query<(&mut NavState, &mut Walk), With<NavAgent>>,
    mut grids: Query<&mut NavGrid>,
) {
    let Noted { released, placed, near, .. } = noted.bypass_change_detection();
    // Those whom they follow are other agents of the crowd now.
    let placed: HashSet<_> = placed.drain(..).collect();
    let is_on = |map, other| agents.get(other).is_ok_and(|(_, _, placement, ..)| placement.grid == map);
    let is_follower = |goal: &Goal, placement: &Placement| match goal {
        Goal::Follow(other) => placed.contains(other) && is_on(placement.grid, *other),
        _ => false,
    };
    let followers = agents.iter().filter(|(_, goal, placement, ..)| is_follower(goal, placement));
    let followers = (!placed.is_empty()).then_some(followers).into_iter().flatten().map(|(entity, ..)| entity);
    let entities = changed.iter().chain(released.drain(..)).chain(followers);
    let mut ordered: Vec<_> = entities.filter_map(|entity| agents.get(entity).ok()).collect();
    ordered.sort_unstable_by_key(|(.., number)| **number);
    ordered.dedup_by_key(|(entity, ..)| *entity);
    let mut groups: BTreeMap<(Entity, Cell), Vec<AgentId>> = BTreeMap::new();
    for (entity, goal, placement, holds, _) in ordered {
        let Some(grid_entity) = placement.grid else { continue };
        let Ok((mut state, mut walk)) = walks.get_mut(entity) else { continue };
        let walk = walk.bypass_change_detection();
        let Some(id) = placement.id else {
            walk.is_awake = true;
            continue;
        };
        walk.forget_place();
        // Not at rest, so that its state is looked at.
        state.set_if_neq(NavState::Walking);
        let Ok(mut grid) = grids.get_mut(grid_entity) else { continue };
        let grid = grid.bypass_change_detection();
        let size = grid.size();
        let crowd = &mut grid.crowd;
        match goal {
            _ if holds => crowd.hold(id),
            Goal::None => crowd.stop(id),
            &Goal::Cell(cell) => crowd.send(id, cell, OnArrival::Stay),
            Goal::Near(_) => near.push(entity),
            Goal::AnyOf(cells) => crowd.send(id, crowd::Goal::AnyOf(cells.clone()), OnArrival::Stay),
            &Goal::Beside(cell) => crowd.send(id, crowd::Goal::Beside(cell), OnArrival::Stay),
            &Goal::Group(cell) => groups.entry((grid_entity, size.nearest(cell))).or_default().push(id),
            Goal::Patrol(cells) => crowd.patrol(id, cells.iter().copied()),
            &Goal::Follow(other) => {
                let leader = agents.get(other).ok().and_then(|(_, _, placement, ..)| placement.agent());
                let goal = match leader {
                    Some((map, leader)) if map == grid_entity && leader != id => crowd::Goal::Follow(leader),
                    // Nobody to follow, so that no route leads there.
                    _ => crowd::Goal::AnyOf(Vec::new()),
                };
                crowd.send(id, goal, OnArrival::Stay);
            }
        }
    }
    for ((grid, cell), group) in groups {
        if let Ok(mut grid) = grids.get_mut(grid) {
            grid.bypass_change_detection().crowd.send_group(&group, cell);
        }
    }
}
