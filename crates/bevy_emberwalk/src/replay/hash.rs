//! Hashes of the state, by which a recording is compared with what happens when it is played.

use std::{iter, slice};

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use emberwalk_crowd::Crowd;
use emberwalk_path::grid::Cell;
use emberwalk_path::hash::{Digest, mixed, number_of};
use emberwalk_path::time::CrowdTime;
use serde::{Deserialize, Serialize};

use crate::announced::Announcements;
use crate::number::MapNumber;
use crate::route_search::Walk;
use crate::{AgentNumber, Goal, GridPosition, NavAgent, NavClock, NavGrid, NavRoute, NavState};

/// Hashes of the state after a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StateHash {
    /// Where all agents are and where they go, by their numbers.
    pub(crate) agents: Digest,
    /// The crowds, with their ground and their plans, what is announced, and the times of the maps.
    pub(crate) maps: u64,
}

impl StateHash {
    /// Adds an agent.
    pub(super) fn add_agent(
        &mut self,
        number: u64,
        goal: &Goal,
        position: &GridPosition,
        state: &NavState,
        route: &NavRoute,
        walk: &Walk,
    ) {
        let agent = hash_of_agent(number, position, state, route, walk);
        self.agents.add_hash(number, mixed(numbers_of(goal).chain([agent])));
    }

    /// Adds a map.
    pub(super) fn add_map(&mut self, number: MapNumber, clock: &NavClock, grid: Option<(&Crowd, &Announcements)>) {
        let crowd = grid.map_or(0, |(crowd, _)| crowd.state_hash());
        // Recordings from before anything could be announced have the same hashes.
        let announced = grid.filter(|(_, announced)| !announced.is_empty()).map(|(_, announced)| announced.hash);
        let numbers = [number.0.into(), time(clock.now()), crowd].into_iter().chain(announced);
        self.maps = self.maps.wrapping_add(mixed(numbers));
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
            hash.add_agent(number.0, goal, position, state, route, walk);
        }
        for (number, clock, grid) in &self.maps {
            hash.add_map(*number, clock, grid.map(|grid| (grid.crowd(), &grid.announcements)));
        }
        hash
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
    let step = position
        .step
        .map_or([0; 4], |step| [number_of(step.from), number_of(step.to), time(step.start), time(step.end)]);
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
        number_of(position.cell),
        state << 8 | flags,
        time(since),
        route.index() as u64,
        route.cells().len() as u64,
        route.cost_ahead().units(),
        route.ahead().get(1).copied().map_or(0, number_of),
        walk.patrol as u64,
    ];
    mixed(step.into_iter().chain(rest))
}

/// A goal as numbers. Whom an agent follows, or which agent its goal is about, shows in its route.
fn numbers_of(goal: &Goal) -> impl Iterator<Item = u64> {
    let queued = if let Goal::Queue(goals) = goal { &goals[..] } else { &[] };
    let (kind, cells) = match goal {
        Goal::None => (0, &[][..]),
        Goal::Cell(cell) => (1, slice::from_ref(cell)),
        Goal::Near(cell) => (2, slice::from_ref(cell)),
        Goal::AnyOf(cells) => (3, &cells[..]),
        Goal::Beside(cell) => (4, slice::from_ref(cell)),
        Goal::Follow(_) => (5, &[][..]),
        Goal::Group(cell) => (6, slice::from_ref(cell)),
        Goal::Patrol(cells) => (7, &cells[..]),
        Goal::Queue(_) => (8, &[][..]),
        Goal::InRange { cells, .. } => (9 + (u64::from(*cells) << 8), &[][..]),
        Goal::InSight { cells, .. } => (10 + (u64::from(*cells) << 8), &[][..]),
        Goal::Flee { cells, .. } => (11 + (u64::from(*cells) << 8), &[][..]),
    };
    iter::once(kind).chain(cells.iter().copied().map(number_of)).chain(queued.iter().map(hash_of_goal))
}

fn hash_of_goal(goal: &Goal) -> u64 {
    mixed(numbers_of(goal))
}

fn time(time: CrowdTime) -> u64 {
    time.seconds().to_bits()
}
