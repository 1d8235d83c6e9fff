//! From components to the crowd: new agents, goals, and those that are gone.

use std::collections::{BTreeMap, HashMap, HashSet};

use bevy_ecs::prelude::*;
use emberwalk_crowd::{AgentId, CrowdError, OnArrival};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::{CrowdTime, Step};

use crate::agent::Placement;
use crate::noted::Noted;
use crate::plan::{Passing, Planners};
use crate::route_search::Walk;
use crate::unplaced::LeftOut;
use crate::{
    AgentNumber, Goal, GridPosition, Hold, NavAgent, NavClock, NavGrid, NavMap, NavRoute, NavState, OnGrid,
    PlanningBudget, Solid, WhyUnplaced,
};

/// Notes why an agent cannot be put on a map. Another map may say more about it.
fn note_reason(reasons: &mut HashMap<Entity, WhyUnplaced>, agent: Entity, why: WhyUnplaced) {
    let noted = reasons.entry(agent).or_default();
    *noted = why.max(*noted);
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

/// Moves the steps of agents to the clock of a grid that has replaced another one, at whose time they walked.
pub(crate) fn follow_clocks(
    mut grids: Query<(Entity, &NavGrid, &mut NavClock)>,
    mut agents: Query<(&Placement, &mut GridPosition), Passing>,
) {
    for (entity, grid, mut clock) in &mut grids {
        let (before, now) = (clock.now, grid.now());
        if before == now {
            continue;
        }
        clock.bypass_change_detection().set(now, now);
        for (_, mut position) in agents.iter_mut().filter(|(placement, _)| placement.grid == Some(entity)) {
            let step = position.step.map(|step| step.at_clock(before, now));
            position.bypass_change_detection().step = step;
        }
    }
}

/// Takes note of agents whose map is gone, or was replaced by another one: they are put on a map again.
pub(crate) fn find_lost_agents(
    mut noted: ResMut<Noted>,
    grids: Query<(Entity, Ref<NavGrid>)>,
    mut agents: Query<(Entity, &mut Placement, &mut NavState, &mut Walk, &mut NavRoute)>,
) {
    let Noted { lost_maps, unplaced, removed, .. } = noted.bypass_change_detection();
    if lost_maps.is_empty() && !grids.iter().any(|(_, grid)| grid.is_changed()) {
        return;
    }
    for (entity, mut placement, mut state, mut walk, mut route) in &mut agents {
        let Some(map) = placement.grid else { continue };
        let is_gone = lost_maps.contains(&map);
        // Only the crowds of grids know their agents.
        let knows = |id| grids.get(map).is_ok_and(|(_, grid)| grid.entity(id) == Some(entity));
        if is_gone || placement.id.is_some_and(|id| !knows(id)) {
            placement.id = None;
            placement.grid = Some(map).filter(|_| !is_gone);
            state.set_if_neq(NavState::Unplaced(WhyUnplaced::New));
            if is_gone {
                walk.bypass_change_detection().forget();
                NavRoute::clear(&mut route);
            }
            unplaced.push(entity);
        }
    }
    lost_maps.clear();
    // A grid that was put back after another one has agents of its crowd that have gone elsewhere since.
    for (map, grid) in grids.iter().filter(|(_, grid)| grid.is_changed()) {
        let placement = |id| agents.get(grid.entity(id)?).ok()?.1.agent();
        let left = grid.crowd.agents().map(|(id, _)| (map, id));
        removed.extend(left.filter(|&(map, id)| placement(id) != Some((map, id))));
    }
}

/// Takes note of agents whose kind has changed: they go on from where they are, and begin with their goals again.
pub(crate) fn change_kinds(
    mut noted: ResMut<Noted>,
    mut agents: Query<(Entity, &NavAgent, &mut Placement, &mut Goal, &mut Walk), Changed<NavAgent>>,
) {
    let Noted { removed, unplaced, .. } = noted.bypass_change_detection();
    for (entity, agent, mut placement, mut goal, mut walk) in &mut agents {
        let Some(map) = placement.grid.filter(|_| placement.kind != agent.settings.kind) else { continue };
        placement.kind = agent.settings.kind;
        goal.set_changed();
        walk.bypass_change_detection().begun = None;
        if let Some(id) = placement.id.take() {
            removed.push((map, id));
            unplaced.push(entity);
        }
    }
}

/// Puts what was noted into the order of the numbers of agents. It was noted in the order in which the engine or the game
/// went through the entities.
pub(crate) fn sort_noted(mut noted: ResMut<Noted>, numbers: Query<&AgentNumber>) {
    let Noted { unplaced, removed, .. } = noted.bypass_change_detection();
    unplaced.sort_by_key(|&agent| numbers.get(agent).ok());
    removed.sort_unstable();
}

/// Lets searches for the routes of solid agents have the same budget as those of the others.
pub(crate) fn set_budgets(budget: Res<PlanningBudget>, mut grids: Query<&mut NavGrid>) {
    for mut grid in &mut grids {
        grid.bypass_change_detection().crowd.set_search_budget(budget.0);
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
    &'static mut Walk,
);

/// Which agents are put into crowds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// Those that were on their map before, where they are.
    Stay,
    /// Those of them that have no room there, because of a new wall or another agent, in the nearest cell with room for them.
    MoveOut,
    /// New ones, in their first cell.
    Enter,
}

/// Puts solid agents into the crowds of their grids that are not there yet, in the order in which they were added.
pub(crate) fn add_solid(
    mut noted: ResMut<Noted>,
    mut agents: Query<New, With<Solid>>,
    mut grids: Query<(Entity, &mut NavGrid)>,
) {
    let Noted { unplaced, placed, reasons, .. } = noted.bypass_change_detection();
    let no_grid = if grids.iter().count() > 1 { WhyUnplaced::SeveralMaps } else { WhyUnplaced::NoMap };
    // Where no cell has room.
    let mut full = HashSet::new();
    for turn in [Turn::Stay, Turn::MoveOut, Turn::Enter] {
        unplaced.retain(|&entity| {
            let Ok((agent, on_grid, mut placement, mut goal, mut position, _, mut walk)) = agents.get_mut(entity)
            else {
                return true;
            };
            if placement.agent().is_some() {
                return false;
            }
            if placement.grid.is_none() != (turn == Turn::Enter) {
                return true;
            }
            let named = placement.grid.or(on_grid.map(|on| on.0));
            let grid = match named {
                Some(grid) => grids.get_mut(grid).ok(),
                None => grids.single_mut().ok(),
            };
            let Some((grid_entity, mut grid)) = grid else {
                note_reason(reasons, entity, if named.is_some() { WhyUnplaced::NoMap } else { no_grid });
                return true;
            };
            let grid = grid.bypass_change_detection();
            let (settings, kind) = (agent.settings, agent.settings.kind);
            let mut at = if turn == Turn::Enter { agent.start } else { position.cell };
            let mut added = grid.crowd.add_with(at, settings);
            if turn == Turn::MoveOut && added.is_err() {
                let area = |grid: &NavGrid| (grid_entity, kind, component_near(grid, kind, at));
                let is_full = !full.is_empty() && full.contains(&area(grid));
                if let Some(free) = (!is_full).then(|| grid.crowd.nearest_free(kind, at)).flatten() {
                    at = free;
                    added = grid.crowd.add_with(at, settings);
                } else {
                    full.insert(area(grid));
                    if matches!(added, Err(CrowdError::Blocked(_))) {
                        note_reason(reasons, entity, WhyUnplaced::NoRoom);
                        return true;
                    }
                }
            }
            let id = match added {
                Ok(id) => id,
                Err(error) => {
                    let is_off_map = matches!(error, CrowdError::Blocked(_)) && !grid.size().contains(at);
                    note_reason(reasons, entity, if is_off_map { WhyUnplaced::OffMap } else { error.into() });
                    return true;
                }
            };
            grid.set_entity(id, entity);
            *placement = Placement { id: Some(id), grid: Some(grid_entity), kind };
            position.set_if_neq(GridPosition { facing: position.facing, ..GridPosition::standing(at) });
            // It has not been given as an order yet.
            goal.set_changed();
            walk.bypass_change_detection().begun = None;
            placed.push(entity);
            false
        });
    }
}

/// The component of the cells that an agent of a kind can reach from a cell, or from the passable one nearest to it.
fn component_near(grid: &NavGrid, kind: usize, cell: Cell) -> Option<usize> {
    let rules = grid.crowd.rules();
    grid.ask(kind, |planner, costs| {
        let start = costs.nearest_passable(cell)?;
        planner.components(costs, rules).component(costs, start)
    })?
}

/// Puts the other agents on maps of one type that are not there yet.
pub(crate) fn add_passing<M: NavMap>(
    mut noted: ResMut<Noted>,
    mut agents: Query<New, Passing>,
    maps: Query<(Entity, &M, &NavClock)>,
) {
    let Noted { unplaced, reasons, .. } = noted.bypass_change_detection();
    let no_map = if maps.iter().count() > 1 { WhyUnplaced::SeveralMaps } else { WhyUnplaced::NoMap };
    unplaced.retain(|&entity| {
        let Ok((agent, on_grid, mut placement, mut goal, mut position, mut state, _)) = agents.get_mut(entity) else {
            return true;
        };
        if placement.grid.is_some() {
            return false;
        }
        let map = match on_grid {
            Some(&OnGrid(map)) => maps.get(map).ok(),
            None => maps.single().ok(),
        };
        let why_not = match map.map(|(_, map, _)| map.costs_of(agent.settings.kind)) {
            None => Some(if on_grid.is_some() { WhyUnplaced::NoMap } else { no_map }),
            Some(None) => Some(WhyUnplaced::NoKind),
            Some(Some(costs)) if !costs.size().contains(agent.start) => Some(WhyUnplaced::OffMap),
            Some(Some(costs)) => (!costs.is_passable(agent.start)).then_some(WhyUnplaced::Blocked),
        };
        if let Some(why) = why_not {
            note_reason(reasons, entity, why);
            return true;
        }
        let Some((map_entity, _, clock)) = map else { return true };
        (placement.grid, placement.kind) = (Some(map_entity), agent.settings.kind);
        // One that enters its first cell, because a game has saved it in the middle of a step, goes on with that.
        let step = position.step.filter(|step| step.to == agent.start).map(|step| {
            let gone = CrowdTime::from_seconds(step.duration().seconds() * f64::from(position.progress));
            Step::under_way(step.from, step.to, step.duration(), gone, clock.now)
        });
        position.set_if_neq(match step {
            Some(_) => GridPosition { step, ..*position },
            None => GridPosition { facing: position.facing, ..GridPosition::standing(agent.start) },
        });
        state.set_if_neq(NavState::Idle);
        goal.set_changed();
        false
    });
}

/// Forgets agents that are gone, and writes that the others are on no grid, or wait until there is room for them in its
/// crowd.
pub(crate) fn mark_unplaced(
    mut noted: ResMut<Noted>,
    mut agents: Query<(&Placement, &mut GridPosition, &mut NavState), With<NavAgent>>,
    grids: Query<&NavGrid>,
) {
    let Noted { unplaced, reasons, .. } = noted.bypass_change_detection();
    let mut seen = HashSet::new();
    let mut left_out = LeftOut::default();
    unplaced.retain(|&entity| {
        let Ok((placement, mut position, mut state)) = agents.get_mut(entity) else { return false };
        let why = reasons.get(&entity).copied().unwrap_or_default();
        match placement.grid {
            Some(map) if why == WhyUnplaced::Taken => {
                let Ok(grid) = grids.get(map) else { return seen.insert(entity) };
                let since = if let NavState::Waiting { since, .. } = *state { since } else { grid.now() };
                state.set_if_neq(NavState::Waiting { on: grid.agent_at(position.cell), since });
                position.set_if_neq(GridPosition { facing: position.facing, ..GridPosition::standing(position.cell) });
            }
            _ => left_out.leave_out(entity, &mut state, why),
        }
        seen.insert(entity)
    });
    reasons.clear();
    left_out.warn();
}

/// Passes on changes of paces and priorities. Those that were put into a crowd in this run have theirs.
pub(crate) fn change_agents(
    agents: Query<(Entity, &NavAgent, &Placement, &AgentNumber), Changed<NavAgent>>,
    noted: Res<Noted>,
    mut grids: Query<&mut NavGrid>,
) {
    let placed: HashSet<_> = noted.placed.iter().collect();
    // A new pace may have effects on the steps of other agents.
    let mut changed: Vec<_> = agents.iter().filter(|(entity, ..)| !placed.contains(entity)).collect();
    changed.sort_unstable_by_key(|(.., number)| **number);
    for (_, agent, placement, _) in changed {
        let Some((grid, id)) = placement.agent() else { continue };
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
    let Noted { released, placed, near, pursuers, .. } = noted.bypass_change_detection();
    // Those whom they follow are other agents of the crowd now.
    let placed: HashSet<_> = placed.drain(..).collect();
    let is_on = |map, other| agents.get(other).is_ok_and(|(_, _, placement, ..)| placement.grid == map);
    let is_follower = |goal: &Goal, placement: &Placement| match goal.current() {
        Goal::Follow(other) => placed.contains(other) && is_on(placement.grid, *other),
        _ => false,
    };
    let followers = agents.iter().filter(|(_, goal, placement, ..)| is_follower(goal, placement));
    let followers = (!placed.is_empty()).then_some(followers).into_iter().flatten().map(|(entity, ..)| entity);
    let freed: HashSet<_> = released.drain(..).collect();
    let entities = changed.iter().chain(freed.iter().copied()).chain(followers);
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
        let is_same = walk.begun.as_ref() == Some(goal.current());
        let is_released = freed.contains(&entity);
        if walk.goes_on_with(goal) && !holds && !is_released && !is_follower(goal, placement) {
            continue;
        }
        let has_arrived = matches!(*state, NavState::Arrived | NavState::Partial);
        let is_cut_off = matches!(*state, NavState::Unreachable | NavState::WalledIn);
        match holds {
            // After that it begins with its goal again, and is not told a second time that it has arrived.
            true => walk.has_arrived |= is_same && has_arrived,
            false if is_same && is_released => {}
            false => {
                walk.note_begun(goal);
                walk.has_arrived = false;
            }
        }
        walk.forget_place();
        // Not at rest, so that its state is looked at.
        state.set_if_neq(NavState::Walking);
        let Ok(mut grid) = grids.get_mut(grid_entity) else { continue };
        let grid = grid.bypass_change_detection();
        let size = grid.size();
        let crowd = &mut grid.crowd;
        if is_cut_off && !is_same {
            // The crowd may know this goal as the one before: to both leads no route.
            crowd.stop(id);
        }
        match goal.current() {
            _ if holds => crowd.hold(id),
            Goal::None | Goal::Queue(_) => crowd.stop(id),
            &Goal::Cell(cell) => crowd.send(id, cell, OnArrival::Stay),
            Goal::Near(_) => near.push(entity),
            Goal::InRange { .. } | Goal::InSight { .. } | Goal::Flee { .. } => {
                walk.target = None;
                pursuers.push(entity);
            }
            Goal::AnyOf(cells) => crowd.send(id, emberwalk_crowd::Goal::AnyOf(cells.clone()), OnArrival::Stay),
            &Goal::Beside(cell) => crowd.send(id, emberwalk_crowd::Goal::Beside(cell), OnArrival::Stay),
            &Goal::Group(cell) => groups.entry((grid_entity, size.nearest(cell))).or_default().push(id),
            Goal::Patrol(cells) => crowd.patrol(id, cells.iter().copied()),
            &Goal::Follow(other) => {
                let leader = agents.get(other).ok().and_then(|(_, _, placement, ..)| placement.agent());
                let goal = match leader {
                    Some((map, leader)) if map == grid_entity && leader != id => emberwalk_crowd::Goal::Follow(leader),
                    // Nobody to follow, so that no route leads there.
                    _ => emberwalk_crowd::Goal::AnyOf(Vec::new()),
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
