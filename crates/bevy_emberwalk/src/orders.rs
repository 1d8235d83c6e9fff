//! From components to the crowd: new agents, goals, and those that are gone.

use std::collections::BTreeMap;

use bevy_ecs::prelude::*;
use emberwalk_path::crowd::{self, AgentId, OnArrival};
use emberwalk_path::grid::Cell;

use crate::agent::Placement;
use crate::{Goal, Hold, NavAgent, NavGrid, NavState, OnGrid};

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
}

/// Takes agents off their grids whose entities or components are gone.
pub(crate) fn remove_agents(mut noted: ResMut<Noted>, mut grids: Query<&mut NavGrid>) {
    for (grid, agent) in noted.bypass_change_detection().removed.drain(..) {
        if let Ok(mut grid) = grids.get_mut(grid) {
            grid.bypass_change_detection().crowd.remove(agent);
        }
    }
}

/// Puts agents on their grids that are not there yet, in the order in which they were added.
pub(crate) fn add_agents(
    mut noted: ResMut<Noted>,
    mut agents: Query<(&NavAgent, Option<&OnGrid>, &mut Placement, &mut Goal)>,
    mut grids: Query<(Entity, &mut NavGrid)>,
) {
    noted.bypass_change_detection().unplaced.retain(|&entity| {
        let Ok((agent, on_grid, mut placement, mut goal)) = agents.get_mut(entity) else { return false };
        let grid = match on_grid {
            Some(&OnGrid(grid)) => grids.get_mut(grid).ok(),
            None => grids.single_mut().ok(),
        };
        let Some((grid_entity, mut grid)) = grid else { return true };
        let grid = grid.bypass_change_detection();
        let added = grid.crowd.add_with(agent.start, agent.settings);
        if let Ok(id) = added {
            grid.set_entity(id, entity);
            placement.agent = Some((grid_entity, id));
            // It has not been given as an order yet.
            goal.set_changed();
        }
        added.is_err()
    });
}

/// Passes on changes of paces and priorities.
pub(crate) fn change_agents(agents: Query<(&NavAgent, &Placement), Changed<NavAgent>>, mut grids: Query<&mut NavGrid>) {
    for (agent, placement) in &agents {
        let Some((grid, id)) = placement.agent else { continue };
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
    mut states: Query<&mut NavState>,
    mut grids: Query<&mut NavGrid>,
) {
    let released = noted.bypass_change_detection().released.drain(..);
    let entities = changed.iter().chain(released);
    let mut ordered: Vec<_> = entities.filter_map(|entity| Some((entity, agents.get(entity).ok()?))).collect();
    ordered.sort_unstable_by_key(|(_, (_, placement, _))| placement.number);
    ordered.dedup_by_key(|(entity, _)| *entity);
    let mut groups: BTreeMap<(Entity, Cell), Vec<AgentId>> = BTreeMap::new();
    for (entity, (goal, placement, holds)) in ordered {
        let Some((grid_entity, id)) = placement.agent else { continue };
        // Not at rest, so that its state is looked at.
        if let Ok(mut state) = states.get_mut(entity) {
            state.set_if_neq(NavState::Walking);
        }
        let Ok(mut grid) = grids.get_mut(grid_entity) else { continue };
        let crowd = &mut grid.bypass_change_detection().crowd;
        match goal {
            _ if holds => crowd.hold(id),
            Goal::None => crowd.stop(id),
            &Goal::Cell(cell) => crowd.send(id, cell, OnArrival::Stay),
            Goal::AnyOf(cells) => crowd.send(id, crowd::Goal::AnyOf(cells.clone()), OnArrival::Stay),
            &Goal::Beside(cell) => crowd.send(id, crowd::Goal::Beside(cell), OnArrival::Stay),
            &Goal::Group(cell) => groups.entry((grid_entity, cell)).or_default().push(id),
            Goal::Patrol(cells) => crowd.patrol(id, cells.iter().copied()),
            &Goal::Follow(other) => match agents.get(other).ok().and_then(|(_, placement, _)| placement.agent) {
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
}
