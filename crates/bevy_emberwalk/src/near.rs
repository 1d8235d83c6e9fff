//! Solid agents that go as near to their goals as they can.

use std::collections::HashSet;

use bevy_ecs::prelude::*;
use emberwalk_crowd::{AgentId, GroupGround, GroupMember, OnArrival, group_places};
use emberwalk_path::grid::Cell;

use crate::agent::Placement;
use crate::events::Told;
use crate::noted::Noted;
use crate::route_search::{Place, Walk};
use crate::{AgentNumber, Goal, Hold, NavAgent, NavGrid, NavMap, NavState, Solid, Unreachable};

type Agents = (
    &'static AgentNumber,
    &'static NavAgent,
    &'static Goal,
    &'static Placement,
    Has<Hold>,
    &'static mut NavState,
    &'static mut Walk,
);

/// Sends agents that have got the goal to go near a cell, and those on maps that have changed, if they can come nearer now
/// or not so near any more.
pub(crate) fn go_near(
    mut noted: ResMut<Noted>,
    mut agents: Query<Agents, With<Solid>>,
    entities: Query<(Entity, &Goal, &Placement), With<Solid>>,
    mut grids: Query<(Entity, &mut NavGrid)>,
    mut told: ResMut<Told>,
) {
    let ordered = &mut noted.bypass_change_detection().near;
    let edited: HashSet<_> = grids.iter_mut().filter(|(_, grid)| grid.is_changed()).map(|(map, _)| map).collect();
    if !edited.is_empty() {
        let is_there = |placement: &Placement| placement.grid.is_some_and(|map| edited.contains(&map));
        let near = |(_, goal, placement): &(Entity, &Goal, &Placement)| {
            matches!(goal.current(), Goal::Near(_)) && is_there(placement)
        };
        ordered.extend(entities.iter().filter(near).map(|(entity, ..)| entity));
    }
    let number = |entity: &Entity| agents.get(*entity).map(|(number, ..)| *number).ok();
    ordered.sort_by_cached_key(number);
    ordered.dedup();
    for entity in ordered.drain(..) {
        let Ok((_, agent, goal, placement, holds, mut state, mut walk)) = agents.get_mut(entity) else { continue };
        let (&Goal::Near(cell), Some((map, id)), false) = (goal.current(), placement.agent(), holds) else { continue };
        let Ok((_, mut grid)) = grids.get_mut(map) else { continue };
        let grid = grid.bypass_change_detection();
        let goal = grid.size().nearest(cell);
        let cell = nearest_reachable(grid, id, agent.settings.kind, goal);
        let place = Place { cell, reaches_goal: cell == goal };
        let walk = walk.bypass_change_detection();
        if walk.place.replace(place) == Some(place) {
            continue;
        }
        if !std::mem::replace(&mut walk.is_lost, !place.reaches_goal) && walk.is_lost {
            told.bypass_change_detection().unreachable.push(Unreachable { entity });
        }
        state.set_if_neq(NavState::Walking);
        grid.crowd.send(id, cell, OnArrival::Stay);
    }
}

/// A goal, or the cell nearest to it that an agent of the crowd can reach: the place of a group of one.
fn nearest_reachable(grid: &NavGrid, agent: AgentId, kind: usize, goal: Cell) -> Cell {
    let Some(state) = grid.crowd.state(agent) else { return goal };
    let at = state.step.map_or(state.cell, |step| step.to);
    let rules = grid.crowd.rules();
    let places = grid.ask(kind, |planner, costs| {
        let components = planner.components(costs, rules);
        let side = grid.side_of(kind) as usize;
        let ground = GroupGround { grid: costs, components, side, spares_passages: false };
        group_places(&[ground], rules, goal, &[GroupMember { kind: 0, at, place: None }], |_| false)
    });
    places.and_then(|places| Some(places.first().copied().flatten()?.cell)).unwrap_or(at)
}
