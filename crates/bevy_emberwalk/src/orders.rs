//! From components to the crowd: new agents, goals, and those that are gone.

use std::collections::{BTreeMap, HashSet};

use bevy_ecs::prelude::*;
use emberwalk_path::crowd::{self, AgentId, CrowdTime, OnArrival, Step};
use emberwalk_path::grid::Cell;
use emberwalk_path::{CostGrid, StepRules};

use crate::agent::Placement;
use crate::plan::{Passing, Planners, Walk};
use crate::{
    AgentNumber, Goal, GridPosition, Hold, NavAgent, NavClock, NavGrid, NavMap, NavRoute, NavState, OnGrid,
    PlanningBudget, PlanningOptions, Solid,
};

/// What hooks of components have noted since the last run, which may be several frames ago.
#[derive(Resource, Clone, Default)]
pub(crate) struct Noted {
    /// The highest number of an agent, and of a map.
    pub(crate) last_number: u64,
    pub(crate) last_map: u32,
    /// The agents that are not on their grids yet.
    pub(crate) unplaced: Vec<Entity>,
    /// The agents that were put into a crowd in this run.
    pub(crate) placed: Vec<Entity>,
    /// The agents that are gone, with their grids.
    pub(crate) removed: Vec<(Entity, AgentId)>,
    /// The agents that do not hold any more.
    pub(crate) released: Vec<Entity>,
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

/// Puts what was noted into the order of the numbers of agents. Hooks have noted it in the order in which the game went
/// through its entities, which is that of the engine.
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
);

/// Puts solid agents into the crowds of their grids that are not there yet, in the order in which they were added.
pub(crate) fn add_solid(
    mut noted: ResMut<Noted>,
    mut agents: Query<New, With<Solid>>,
    mut grids: Query<(Entity, &mut NavGrid)>,
) {
    let Noted { unplaced, placed, .. } = noted.bypass_change_detection();
    unplaced.retain(|&entity| {
        let Ok((agent, on_grid, mut placement, mut goal, mut position, _)) = agents.get_mut(entity) else {
            return true;
        };
        if placement.agent().is_some() {
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
        let Ok(id) = grid.crowd.add_with(at, agent.settings) else { return true };
        grid.set_entity(id, entity);
        (placement.id, placement.grid) = (Some(id), Some(grid_entity));
        position.set_if_neq(GridPosition { facing: position.facing, ..GridPosition::standing(at) });
        // It has not been given as an order yet.
        goal.set_changed();
        placed.push(entity);
        false
    });
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
        placement.grid = Some(map_entity);
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
    mut agents: Query<(&Placement, &mut GridPosition, &mut NavState), With<NavAgent>>,
    grids: Query<&NavGrid>,
) {
    let mut seen = HashSet::new();
    noted.bypass_change_detection().unplaced.retain(|&entity| {
        let Ok((placement, mut position, mut state)) = agents.get_mut(entity) else { return false };
        match placement.grid {
            None => _ = state.set_if_neq(NavState::Unplaced),
            Some(map) => {
                let Ok(grid) = grids.get(map) else { return seen.insert(entity) };
                let since = if let NavState::Waiting { since, .. } = *state { since } else { grid.now() };
                state.set_if_neq(NavState::Waiting { on: grid.agent_at(position.cell), since });
                position.set_if_neq(GridPosition { facing: position.facing, ..GridPosition::standing(position.cell) });
            }
        }
        seen.insert(entity)
    });
}

/// Passes on changes of paces and priorities.
pub(crate) fn change_agents(
    agents: Query<(&AgentNumber, Ref<NavAgent>, &Placement), Changed<NavAgent>>,
    mut grids: Query<&mut NavGrid>,
) {
    let mut agents: Vec<_> = agents.iter().collect();
    agents.sort_unstable_by_key(|(number, ..)| **number);
    for (_, agent, placement) in agents {
        let Some((grid, id)) = placement.agent() else { continue };
        let Ok(mut grid) = grids.get_mut(grid) else { continue };
        let grid = grid.bypass_change_detection();
        grid.crowd.set_priority(id, agent.settings.priority);
        // One without a pace of its own may have had one.
        let pace = agent.settings.pace.or_else(|| (!agent.is_added()).then(|| grid.crowd.pace()));
        if let Some(pace) = pace {
            grid.crowd.set_pace(id, pace);
        }
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
    mut walks: Query<(&NavAgent, &mut NavState, &mut Walk)>,
    mut grids: Query<&mut NavGrid>,
) {
    let Noted { released, placed, .. } = noted.bypass_change_detection();
    // Those whom they follow are other agents of the crowd now.
    let placed: HashSet<_> = placed.drain(..).collect();
    let is_follower = |goal: &Goal| matches!(goal, Goal::Follow(other) if placed.contains(other));
    let followers = agents.iter().filter(|(_, goal, ..)| is_follower(goal)).map(|(entity, ..)| entity);
    let followers = (!placed.is_empty()).then_some(followers).into_iter().flatten();
    let entities = changed.iter().chain(released.drain(..)).chain(followers);
    let mut ordered: Vec<_> = entities.filter_map(|entity| agents.get(entity).ok()).collect();
    ordered.sort_unstable_by_key(|(.., number)| **number);
    ordered.dedup_by_key(|(entity, ..)| *entity);
    let mut groups: BTreeMap<(Entity, Cell), Vec<AgentId>> = BTreeMap::new();
    for (entity, goal, placement, holds, _) in ordered {
        let Some(grid_entity) = placement.grid else { continue };
        let Some(id) = placement.id else {
            if let Ok((.., mut walk)) = walks.get_mut(entity) {
                walk.bypass_change_detection().is_awake = true;
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
            &Goal::Follow(other) => match agents.get(other).ok().and_then(|(_, _, placement, ..)| placement.agent()) {
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

type Grouped = (Entity, &'static NavAgent, &'static AgentNumber, &'static Goal, &'static Placement, &'static mut Walk);

/// The number, the kind and the entity of an agent.
type Member = (AgentNumber, usize, Entity);

/// Chooses places for groups of agents that are not solid.
pub(crate) fn choose_places<M: NavMap>(
    options: Res<PlanningOptions>,
    maps: Query<&M>,
    mut agents: Query<Grouped, (Changed<Goal>, Passing)>,
) {
    let mut groups: BTreeMap<(Entity, Cell), Vec<Member>> = BTreeMap::new();
    for (entity, agent, &number, goal, placement, _) in &agents {
        if let (Some(map), &Goal::Group(cell)) = (placement.grid, goal) {
            groups.entry((map, cell)).or_default().push((number, agent.settings.kind, entity));
        }
    }
    for ((map, cell), mut group) in groups {
        let Ok(map) = maps.get(map) else { continue };
        group.sort_unstable();
        let rules = map.options(options.0).rules;
        let count = group.len();
        // Of each kind.
        let mut places: BTreeMap<usize, std::vec::IntoIter<Cell>> = BTreeMap::new();
        let mut taken = HashSet::new();
        for (_, kind, entity) in group {
            let Some(costs) = map.costs_of(kind) else { continue };
            let places = places.entry(kind).or_insert_with(|| places_near(costs, rules, cell, count).into_iter());
            let place = places.find(|&place| taken.insert(place));
            if let Ok((.., mut walk)) = agents.get_mut(entity) {
                let walk = walk.bypass_change_detection();
                walk.is_outdated |= walk.place != place;
                walk.place = place;
            }
        }
    }
}

/// Up to so many cells near a cell, the nearest ones by the number of steps, from all of which routes lead there.
fn places_near(costs: &CostGrid, rules: StepRules, cell: Cell, count: usize) -> Vec<Cell> {
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
