//! The places of groups of agents that pass through each other.

use std::collections::{BTreeMap, HashSet};

use bevy_ecs::prelude::*;
use emberwalk_crowd::{GroupGround, GroupMember, group_places};
use emberwalk_path::CostGrid;
use emberwalk_path::grid::{Cell, Size};

use crate::agent::Placement;
use crate::plan::{Passing, Planners};
use crate::route_search::{Place, Walk};
use crate::{AgentNumber, Goal, GridPosition, NavAgent, NavGrid, NavMap, PlanningOptions, Solid};

/// A map, and the goal of a group on it.
type Group = (Entity, Cell);

type Member = (
    Entity,
    &'static AgentNumber,
    &'static NavAgent,
    Ref<'static, Goal>,
    &'static Placement,
    &'static GridPosition,
    &'static mut Walk,
);

/// Chooses places for new groups, and others for those that have lost theirs or could not come to their goals, when the map
/// has changed: by the same rules as for solid agents.
pub(crate) fn choose_places<M: NavMap>(
    options: Res<PlanningOptions>,
    mut maps: Query<(Ref<M>, &mut Planners)>,
    grids: Query<&NavGrid>,
    solid: Query<(&NavAgent, &Goal, &Placement), With<Solid>>,
    mut agents: Query<Member, Passing>,
) {
    let is_changed = maps.iter().any(|(map, _)| map.is_changed());
    let mut groups: BTreeMap<Group, Vec<(AgentNumber, Entity)>> = BTreeMap::new();
    for (entity, &number, agent, goal, placement, _, walk) in &agents {
        let (Some(on), &Goal::Group(cell)) = (placement.grid, goal.current()) else { continue };
        let needs_place = |map: &M| {
            let costs = map.planned_costs_of(agent.settings.kind);
            let is_there = |place: Place| costs.is_some_and(|costs| costs.is_passable(place.cell));
            !walk.place.is_some_and(|place| place.reaches_goal && is_there(place))
        };
        let is_lost = || maps.get(on).is_ok_and(|(map, _)| map.is_changed() && needs_place(&map));
        if goal.is_changed() && !walk.goes_on_with(&goal) || is_changed && is_lost() {
            groups.entry((on, cell)).or_default().push((number, entity));
        }
    }
    for ((on, cell), mut group) in groups {
        let Ok((map, mut planners)) = maps.get_mut(on) else { continue };
        group.sort_unstable();
        let goal = Goal::Group(cell);
        let square = |kind: usize, at: Cell| {
            let side = map.side_of(kind);
            Size::new(side, side).cells().map(move |offset| at + (offset.x, offset.y))
        };
        // The places of others who have the same goal.
        let mut taken = HashSet::new();
        for (agent, _, placement) in solid.iter().filter(|(_, other, _)| *other.current() == goal) {
            let agent_of = |(map, id)| grids.get(map).ok()?.crowd().state(id)?.goal;
            let place = placement.agent().filter(|(map, _)| *map == on).and_then(agent_of);
            taken.extend(place.into_iter().flat_map(|place| square(agent.settings.kind, place)));
        }
        for (entity, _, agent, other, placement, _, walk) in &agents {
            let is_other =
                *other.current() == goal && placement.grid == Some(on) && !group.iter().any(|(_, one)| *one == entity);
            let place = walk.place.filter(|_| is_other);
            taken.extend(place.into_iter().flat_map(|place| square(agent.settings.kind, place.cell)));
        }
        let rules = map.options(options.0).rules;
        let Some(size) = map.costs_of(0).map(CostGrid::size) else { continue };
        let kinds = (0..).map_while(|kind| map.costs_of(kind)).count();
        planners.complete(kinds, &*map);
        let grounds = planners.0.iter_mut().zip(0..kinds).filter_map(|(planner, kind)| {
            let grid = map.planned_costs_of(kind)?;
            let components = planner.components(grid, rules);
            Some(GroupGround { grid, components, side: map.side_of(kind) as usize, spares_passages: false })
        });
        let grounds: Vec<_> = grounds.collect();
        let member = |&(_, entity): &(AgentNumber, Entity)| {
            let (_, _, agent, .., position, walk) = agents.get(entity).ok()?;
            let kind = Some(agent.settings.kind).filter(|&kind| kind < kinds)?;
            Some((entity, GroupMember { kind, at: position.entered(), place: walk.place.map(|place| place.cell) }))
        };
        let (group, members): (Vec<_>, Vec<_>) = group.iter().filter_map(member).unzip();
        let places = group_places(&grounds, rules, size.nearest(cell), &members, |cell| taken.contains(&cell));
        for (entity, place) in group.into_iter().zip(places) {
            let Ok((.., mut walk)) = agents.get_mut(entity) else { continue };
            let walk = walk.bypass_change_detection();
            let place = place.map(|place| Place { cell: place.cell, reaches_goal: place.reaches_goal });
            walk.is_outdated |= walk.place != place;
            walk.place = place;
        }
    }
}
