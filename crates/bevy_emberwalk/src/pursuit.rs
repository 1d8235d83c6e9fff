//! Solid agents whose goals are about other agents that move.

use bevy_ecs::prelude::*;
use emberwalk_crowd::OnArrival;

use crate::agent::Placement;
use crate::noted::Noted;
use crate::relation::Pair;
use crate::route_search::{Target, Walk};
use crate::{AgentNumber, Goal, GridPosition, Hold, NavAgent, NavGrid, NavState, Solid};

type Agents = (
    &'static NavAgent,
    &'static Goal,
    &'static Placement,
    &'static GridPosition,
    Has<Hold>,
    &'static mut NavState,
    &'static mut Walk,
);

/// Sends agents that have got such a goal, and those whose other agent has moved. They look where that is at most once per
/// second, and when it comes to be where it should be or leaves that.
pub(crate) fn pursue(
    mut noted: ResMut<Noted>,
    mut agents: Query<Agents, With<Solid>>,
    others: Query<(&GridPosition, &Placement)>,
    numbers: Query<&AgentNumber>,
    mut grids: Query<&mut NavGrid>,
) {
    if noted.pursuers.is_empty() {
        return;
    }
    let pursuers = &mut noted.bypass_change_detection().pursuers;
    pursuers.sort_by_cached_key(|&agent| numbers.get(agent).ok());
    pursuers.dedup();
    pursuers.retain(|&entity| {
        let Ok((agent, goal, placement, position, holds, mut state, mut walk)) = agents.get_mut(entity) else {
            return false;
        };
        let (Some(relation), Some((map, id)), false) = (goal.relation(), placement.agent(), holds) else {
            return false;
        };
        let Ok(mut grid) = grids.get_mut(map) else { return false };
        let is_edited = grid.is_changed();
        let grid = grid.bypass_change_detection();
        let other = others.get(relation.other).ok().filter(|(_, on)| relation.other != entity && on.grid == Some(map));
        let pair = Pair { here: position.entered(), there: other.map(|(position, _)| position.entered()) };
        let (now, has_arrived) = (grid.now(), *state == NavState::Arrived);
        if !is_edited && !relation.looks_again(grid, &walk, pair, has_arrived, now) {
            return true;
        }
        let rules = grid.crowd.rules();
        let cells = grid.ask(agent.settings.kind, |planner, costs| {
            relation.cells(grid, pair, || Some((costs, planner.components(costs, rules))))
        });
        let cells = cells.unwrap_or_default();
        let walk = walk.bypass_change_detection();
        let is_new = walk.target.replace(Target::About(pair.there)).is_none();
        walk.planned = now;
        if has_arrived && cells.contains(&pair.here) {
            return true;
        }
        if is_new || has_arrived {
            // Also to the same cells: one that others have pushed off comes back immediately.
            grid.crowd.send(id, emberwalk_crowd::Goal::AnyOf(cells), OnArrival::Stay);
        } else {
            grid.crowd.redirect(id, cells);
        }
        // Not at rest, so that its state is looked at.
        state.set_if_neq(NavState::Walking);
        true
    });
}
