//! Hashes of the state, by which a recording is compared with what happens when it is played.

use std::{iter, slice};

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use emberwalk_path::crowd::CrowdTime;
use emberwalk_path::grid::Cell;
use serde::{Deserialize, Serialize};

use crate::number::MapNumber;
use crate::route_search::Walk;
use crate::{AgentNumber, Goal, GridPosition, NavAgent, NavClock, NavGrid, NavRoute, NavState};

/// Hashes of the state after a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StateHash {
    /// Where all agents are and where they go: the sum of their hashes, and the sum of these times the numbers of the
    /// agents. So the two tell which agent differs, if it is only one.
    pub(crate) agents: (u64, u64),
    /// The crowds, with their ground and their plans, and the times of the maps.
    pub(crate) maps: u64,
}

impl StateHash {
    /// The number of the only agent that differs, if it is one of these; `None` if several do.
    pub(crate) fn differing(self, other: Self, mut numbers: impl Iterator<Item = u64>) -> Option<u64> {
        let [sum, weighted] = [(self.agents.0, other.agents.0), (self.agents.1, other.agents.1)]
            .map(|(one, other)| one.wrapping_sub(other));
        numbers.find(|&number| sum != 0 && sum.wrapping_mul(number) == weighted)
    }
}

type HashedAgent =
    (&'static AgentNumber, &'static Goal, &'static GridPosition, &'static NavState, &'static NavRoute, &'static Walk);

/// Everything that is compared.
#[derive(SystemParam)]
pub(crate) struct Hashed<'w, 's> {
    agents: Query<'w, 's, HashedAgent, With<NavAgent>>,
    maps: Query<'w, 's, (&'static MapNumber, &'static NavClock, Option<&'static NavGrid>)>,
}

impl Hashed<'_, '_> {
    /// The hashes of the current state. O(agents), some 10 ns for each.
    pub(crate) fn hash(&self) -> StateHash {
        let mut hash = StateHash::default();
        for (number, goal, position, state, route, walk) in &self.agents {
            let agent = hash_of_agent(number.0, position, state, route, walk);
            let agent = mixed(numbers_of(goal).chain([agent]));
            hash.agents.0 = hash.agents.0.wrapping_add(agent);
            hash.agents.1 = hash.agents.1.wrapping_add(agent.wrapping_mul(number.0));
        }
        for (number, clock, grid) in &self.maps {
            let crowd = grid.map_or(0, |grid| grid.crowd().state_hash());
            hash.maps = hash.maps.wrapping_add(mixed([number.0.into(), time(clock.now()), crowd]));
        }
        hash
    }

    /// The numbers of all agents.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u64> {
        self.agents.iter().map(|(number, ..)| number.0)
    }

    /// Where an agent is.
    pub(crate) fn cell_of(&self, agent: u64) -> Option<Cell> {
        self.agents.iter().find(|(number, ..)| number.0 == agent).map(|(.., position, _, _, _)| position.cell)
    }
}

fn hash_of_agent(number: u64, position: &GridPosition, state: &NavState, route: &NavRoute, walk: &Walk) -> u64 {
    if !state.is_placed() {
        // Where it was before does not matter.
        return mixed([number]);
    }
    let step = position.step.map_or([0; 4], |step| [cell(step.from), cell(step.to), time(step.start), time(step.end)]);
    let (state, since) = match *state {
        NavState::Unplaced(_) | NavState::Idle => (1, CrowdTime::ZERO),
        NavState::Planning => (2, CrowdTime::ZERO),
        NavState::Walking => (3, CrowdTime::ZERO),
        NavState::Waiting { since, .. } => (4, since),
        NavState::Arrived => (5, CrowdTime::ZERO),
        NavState::Partial => (6, CrowdTime::ZERO),
        NavState::Unreachable => (7, CrowdTime::ZERO),
        NavState::WalledIn => (8, CrowdTime::ZERO),
    };
    let flags = [walk.is_known, walk.is_outdated, walk.goes_back, walk.has_arrived, route.is_planning()];
    let flags = flags.iter().fold(0, |bits, &flag| bits << 1 | u64::from(flag));
    let rest = [
        number,
        cell(position.cell),
        state << 8 | flags,
        time(since),
        route.index() as u64,
        route.cells().len() as u64,
        route.cost_ahead().units(),
        route.ahead().get(1).copied().map_or(0, cell),
        walk.patrol as u64,
    ];
    mixed(step.into_iter().chain(rest))
}

/// A goal as numbers. Whom an agent follows shows in its route.
fn numbers_of(goal: &Goal) -> impl Iterator<Item = u64> {
    let (kind, cells) = match goal {
        Goal::None => (0, &[][..]),
        Goal::Cell(cell) => (1, slice::from_ref(cell)),
        Goal::Near(cell) => (2, slice::from_ref(cell)),
        Goal::AnyOf(cells) => (3, &cells[..]),
        Goal::Beside(cell) => (4, slice::from_ref(cell)),
        Goal::Follow(_) => (5, &[][..]),
        Goal::Group(cell) => (6, slice::from_ref(cell)),
        Goal::Patrol(cells) => (7, &cells[..]),
    };
    iter::once(kind).chain(cells.iter().copied().map(cell))
}

fn cell(cell: Cell) -> u64 {
    u64::from(cell.y.cast_unsigned()) << 32 | u64::from(cell.x.cast_unsigned())
}

fn time(time: CrowdTime) -> u64 {
    time.seconds().to_bits()
}

/// A hash of some numbers.
fn mixed(numbers: impl IntoIterator<Item = u64>) -> u64 {
    // The finalizer of SplitMix64.
    numbers.into_iter().fold(0x9e37_79b9_7f4a_7c15, |hash: u64, number| {
        let mut mixed = (hash ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    })
}
