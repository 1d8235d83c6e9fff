//! From components to the crowd: new agents, goals, and those that are gone.

use std::collections::{BTreeMap, HashSet};

use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use emberwalk_path::crowd::{self, AgentId, OnArrival};
use emberwalk_path::grid::Cell;

use crate::agent::Placement;
use crate::walk::Walk;
use crate::{Goal, GridPosition, Hold, NavAgent, NavGrid, NavState, OnGrid, Solid};

/// What hooks of components have noted since the last run, which may be several frames ago.
#[derive(Resource, Default)]
pub(crate) struct Noted {
    /// How many agents were added, and those that are not on their grids yet.
    pub(crate) added: u64,
    pub(crate) unplaced: Vec<Entity>,
    /// The agents that are gone, with their grids.
    pub(crate) removed: Vec<(Entity, AgentId)>,
    /// The agents that do not hold any more.
    pub(crate) released: Vec<Entity>,
    /// Whether a grid is gone.
    has_lost_grid: bool,
}

/// Takes note that a grid is gone.
pub(crate) fn note_lost_grid(mut world: DeferredWorld, _: HookContext) {
    if let Some(mut noted) = world.get_resource_mut::<Noted>() {
        noted.has_lost_grid = true;
    }
}

/// Takes note of agents whose grid is gone, or was replaced by another one: they are put on a grid again.
pub(crate) fn find_lost_agents(
    mut noted: ResMut<Noted>,
    grids: Query<Ref<NavGrid>>,
    mut agents: Query<(Entity, &mut Placement, &mut NavState)>,
) {
    let is_lost = std::mem::take(&mut noted.bypass_change_detection().has_lost_grid);
    if !is_lost && !grids.iter().any(|grid| grid.is_changed()) {
        return;
    }
    for (entity, mut placement, mut state) in &mut agents {
        let Some(grid) = placement.grid else { continue };
        let known = grids.get(grid).ok().map(|grid| placement.id.is_none_or(|id| grid.entity(id) == Some(entity)));
        if known != Some(true) {
            placement.id = None;
            placement.grid = known.and(Some(grid));
            state.set_if_neq(NavState::Unplaced);
            noted.bypass_change_detection().unplaced.push(entity);
        }
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
    Has<Solid>,
    &'static mut Placement,
    &'static mut Goal,
    &'static mut GridPosition,
);

/// Puts agents on their grids that are not there yet, in the order in which they were added, and into their crowds if
/// they are solid.
pub(crate) fn add_agents(mut noted: ResMut<Noted>, mut agents: Query<New>, mut grids: Query<(Entity, &mut NavGrid)>) {
    noted.bypass_change_detection().unplaced.retain(|&entity| {
        let Ok((agent, on_grid, is_solid, mut placement, mut goal, mut position)) = agents.get_mut(entity) else {
            return false;
        };
        if placement.grid.is_some() && (placement.id.is_some() || !is_solid) {
            return false;
        }
        let grid = match on_grid {
            Some(&OnGrid(grid)) => grids.get_mut(grid).ok(),
            None => grids.single_mut().ok(),
        };
        let Some((grid_entity, mut grid)) = grid else { return true };
        let grid = grid.bypass_change_detection();
        // One that becomes solid stays where it is.
        let at = if placement.grid.is_some() { position.cell } else { agent.start };
        if is_solid {
            let Ok(id) = grid.crowd.add_with(at, agent.settings) else { return true };
            grid.set_entity(id, entity);
            placement.id = Some(id);
        } else if !grid.crowd.grids().get(agent.settings.kind).is_some_and(|costs| costs.is_passable(at)) {
            return true;
        }
        placement.grid = Some(grid_entity);
        position.set_if_neq(GridPosition { cell: at, step: None, facing: position.facing });
        // It has not been given as an order yet.
        goal.set_changed();
        false
    });
}

/// Passes on changes of paces and priorities.
pub(crate) fn change_agents(agents: Query<(&NavAgent, &Placement), Changed<NavAgent>>, mut grids: Query<&mut NavGrid>) {
    for (agent, placement) in &agents {
        let Some((grid, id)) = placement.agent() else { continue };
        let Ok(mut grid) = grids.get_mut(grid) else { continue };
        let grid = grid.bypass_change_detection();
        grid.crowd.set_priority(id, agent.settings.priority);
        if let Some(pace) = agent.settings.pace {
            grid.crowd.set_pace(id, pace);
        }
    }
}

/// Agents with a new goal, and those that begin to hold.
type Ordered = Or<(Changed<Goal>, Added<Hold>)>;

/// Gives orders to agents whose goals have changed, and to those that begin or end to hold.
pub(crate) fn give_orders(
    changed: Query<Entity, Ordered>,
    mut noted: ResMut<Noted>,
    agents: Query<(&Goal, &Placement, Has<Hold>)>,
    mut walks: Query<(&NavAgent, &mut NavState, &mut Walk)>,
    mut grids: Query<&mut NavGrid>,
) {
    let released = noted.bypass_change_detection().released.drain(..);
    let entities = changed.iter().chain(released);
    let mut ordered: Vec<_> = entities.filter_map(|entity| Some((entity, agents.get(entity).ok()?))).collect();
    ordered.sort_unstable_by_key(|(_, (_, placement, _))| placement.number);
    ordered.dedup_by_key(|(entity, _)| *entity);
    let mut groups: BTreeMap<(Entity, Cell), Vec<AgentId>> = BTreeMap::new();
    let mut places: BTreeMap<(Entity, Cell), Vec<Entity>> = BTreeMap::new();
    for (entity, (goal, placement, holds)) in ordered {
        let Some(grid_entity) = placement.grid else { continue };
        let Some(id) = placement.id else {
            if let Ok((.., mut walk)) = walks.get_mut(entity) {
                walk.bypass_change_detection().is_awake = true;
            }
            if let &Goal::Group(cell) = goal {
                places.entry((grid_entity, cell)).or_default().push(entity);
            }
            continue;
        };
        // Not at rest, so that its state is looked at.
        if let Ok((_, mut state, _)) = walks.get_mut(entity) {
            state.set_if_neq(NavState::Walking);
        }
        let Ok(mut grid) = grids.get_mut(grid_entity) else { continue };
        let crowd = &mut grid.bypass_change_detection().crowd;
        match goal {
            _ if holds => crowd.hold(id),
            Goal::None => crowd.stop(id),
            &(Goal::Cell(cell) | Goal::Near(cell)) => crowd.send(id, cell, OnArrival::Stay),
            Goal::AnyOf(cells) => crowd.send(id, crowd::Goal::AnyOf(cells.clone()), OnArrival::Stay),
            &Goal::Beside(cell) => crowd.send(id, crowd::Goal::Beside(cell), OnArrival::Stay),
            &Goal::Group(cell) => groups.entry((grid_entity, cell)).or_default().push(id),
            Goal::Patrol(cells) => crowd.patrol(id, cells.iter().copied()),
            &Goal::Follow(other) => match agents.get(other).ok().and_then(|(_, placement, _)| placement.agent()) {
                Some((grid, other)) if grid == grid_entity => {
                    crowd.send(id, crowd::Goal::Follow(other), OnArrival::Stay);
                }
                _ => crowd.stop(id),
            },
        }
    }
    for ((grid, cell), group) in groups {
        if let Ok(mut grid) = grids.get_mut(grid) {
            grid.bypass_change_detection().crowd.send_group(&group, cell);
        }
    }
    for ((grid, cell), group) in places {
        let Ok(grid) = grids.get(grid) else { continue };
        let mut free = places_near(grid, cell, group.len()).into_iter();
        for entity in group {
            if let Ok((.., mut walk)) = walks.get_mut(entity) {
                walk.bypass_change_detection().place = free.next();
            }
        }
    }
}

/// Up to so many cells near a cell, the nearest ones by the number of steps, from all of which routes lead there.
fn places_near(grid: &NavGrid, cell: Cell, count: usize) -> Vec<Cell> {
    let (costs, rules) = (grid.costs(), grid.crowd.rules());
    let mut places: Vec<_> = Some(cell).filter(|&cell| costs.is_passable(cell)).into_iter().collect();
    let mut seen: HashSet<_> = places.iter().copied().collect();
    let mut next = 0;
    while let Some(&from) = places.get(next).filter(|_| places.len() < count) {
        next += 1;
        let around = rules.moves.directions().iter().map(|direction| from + direction.offset());
        places.extend(around.filter(|&to| rules.step_cost(costs, to, from).is_some() && seen.insert(to)));
    }
    places.truncate(count);
    places
}
