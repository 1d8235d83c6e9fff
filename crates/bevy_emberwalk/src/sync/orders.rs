//! From goals to orders.

use std::collections::BTreeMap;

use bevy_ecs::change_detection::Tick;
use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_ecs::system::SystemChangeTick;
use emberwalk_crowd::{self as crowd, AgentId, Crowd, OnArrival};
use emberwalk_path::grid::{Cell, Size};

use crate::component::{Given, Placement};
use crate::{AgentNumber, Goal, Hold, NavAgent, NavGrid, NavState};

/// When orders were last given. Later changes are orders for the next run.
#[derive(Resource)]
pub(crate) struct OrderedAt(pub(crate) Tick);

impl Default for OrderedAt {
    fn default() -> Self {
        Self(Tick::new(0))
    }
}

/// An agent that may get orders.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Ordered {
    entity: Entity,
    number: &'static AgentNumber,
    goal: Ref<'static, Goal>,
    holds: Has<Hold>,
    placement: &'static Placement,
    given: &'static mut Given,
    state: &'static mut NavState,
}

impl OrderedReadOnlyItem<'_, '_> {
    /// Whether its crowd has to be told anything. `other` is the other agent of its goal.
    fn needs_order(&self, other: Option<AgentId>) -> bool {
        let Given { goal, about, holds, .. } = self.given;
        match self.holds {
            true => !holds,
            // The crowd notices by itself that an agent is gone or is there again.
            false if *holds || goal.is_none() || other.is_some() && other != *about => true,
            false => self.goal.is_changed() && !self.given.goes_on_with(&self.goal),
        }
    }
}

/// The other agent of an agent's goal, if both are on one grid.
fn find_other(agent: &OrderedReadOnlyItem, agents: &Query<Ordered, With<NavAgent>>) -> Option<AgentId> {
    let other = agents.get(agent.goal.about()?).ok().filter(|other| other.entity != agent.entity)?;
    let (map, id) = other.placement.agent()?;
    (agent.placement.grid == Some(map)).then_some(id)
}

/// Gives orders to agents whose goals have changed, to agents that begin or stop holding, and to agents whose goals are
/// about agents that were put into a crowd.
pub(super) fn give_orders(
    mut agents: Query<Ordered, With<NavAgent>>,
    mut grids: Query<&mut NavGrid>,
    mut ordered_at: ResMut<OrderedAt>,
    tick: SystemChangeTick,
    mut ordered: Local<Vec<(AgentNumber, Entity, Option<AgentId>)>>,
) {
    ordered_at.0 = tick.this_run();
    ordered.clear();
    for agent in agents.iter().filter(|agent| agent.placement.id.is_some()) {
        let other = find_other(&agent, &agents);
        if agent.needs_order(other) {
            ordered.push((*agent.number, agent.entity, other));
        }
    }
    ordered.sort_unstable_by_key(|(number, ..)| *number);
    let mut groups: BTreeMap<(Entity, Cell), Vec<AgentId>> = BTreeMap::new();
    for (_, entity, other) in ordered.drain(..) {
        let Ok(mut agent) = agents.get_mut(entity) else { continue };
        let Some((map, id)) = agent.placement.agent() else { continue };
        let Ok(mut grid) = grids.get_mut(map) else { continue };
        let grid = grid.bypass_change_detection();
        let size = grid.size();
        let is_same = agent.begin(other);
        let is_lost = matches!(*agent.state, NavState::Unreachable | NavState::WalledIn);
        // Not at rest, so that its state is checked.
        agent.state.set_if_neq(NavState::Walking);
        if is_lost && !is_same {
            // The crowd may take this goal for the previous one, as no route leads to either.
            grid.crowd_mut().stop(id);
        }
        match agent.goal.current() {
            _ if agent.holds => grid.crowd_mut().hold(id),
            &Goal::Group(cell) => groups.entry((map, size.nearest(cell))).or_default().push(id),
            goal => send(grid.crowd_mut(), id, goal, other, size),
        }
    }
    for ((grid, cell), group) in groups {
        if let Ok(mut grid) = grids.get_mut(grid) {
            grid.bypass_change_detection().crowd_mut().send_group(&group, cell);
        }
    }
}

impl OrderedItem<'_, '_> {
    /// Notes that it begins its goal, or to hold, and returns whether it had this goal before.
    fn begin(&mut self, about: Option<AgentId>) -> bool {
        let is_same = self.given.goal.as_ref() == Some(self.goal.current());
        let is_there = matches!(*self.state, NavState::Arrived | NavState::Partial);
        if self.holds {
            // After that it begins its goal again, and its arrival is not reported a second time.
            self.given.arrives_again = is_same && is_there;
            self.given.holds = true;
            return is_same;
        }
        let goes_on = std::mem::take(&mut self.given.holds) && is_same;
        if !goes_on {
            let goal = Some(self.goal.current().clone());
            *self.given = Given { goal, ..Given::default() };
        }
        self.given.about = about;
        is_same
    }
}

/// Sends an agent to its goal, which may be about another one.
fn send(crowd: &mut Crowd, id: AgentId, goal: &Goal, other: Option<AgentId>, size: Size) {
    let goal = match (goal, other) {
        (Goal::None | Goal::Queue(_) | Goal::Group(_), _) => return crowd.stop(id),
        (Goal::Patrol(cells), _) => return crowd.patrol(id, cells.iter().copied()),
        (&Goal::Cell(cell), _) => crowd::Goal::Cell(cell),
        (&Goal::Near(cell), _) => crowd::Goal::Near(size.nearest(cell)),
        (Goal::AnyOf(cells), _) => crowd::Goal::AnyOf(cells.clone()),
        (&Goal::Beside(cell), _) => crowd::Goal::Beside(cell),
        (Goal::Follow(_), Some(other)) => crowd::Goal::Follow(other),
        (&Goal::InRange { cells, .. }, Some(of)) => crowd::Goal::InRange { of, cells },
        (&Goal::InSight { cells, .. }, Some(of)) => crowd::Goal::InSight { of, cells },
        (&Goal::Flee { cells, .. }, Some(from)) => crowd::Goal::Flee { from, cells },
        // No agent is there, so no route leads there.
        (Goal::Follow(_) | Goal::InRange { .. } | Goal::InSight { .. } | Goal::Flee { .. }, None) => {
            crowd::Goal::AnyOf(Vec::new())
        }
    };
    crowd.send(id, goal, OnArrival::Stay);
}
