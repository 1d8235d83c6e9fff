//! The order of agents, which says who makes way for whom.

use std::cmp::Reverse;

use super::agent::{Activity, Agent};
use super::rooms::Group;
use super::{Crowd, CrowdTime};

/// An agent that gets no nearer to its goal becomes impatient after this time, for as long as this.
const PATIENCE: CrowdTime = CrowdTime::from_whole_seconds(32);
/// It becomes impatient again after this many times as long. If it stayed so, everybody would be in a large crowd.
const PERIOD: u64 = 4;

/// The order of agents: the one with the smaller rank decides first, and others make way for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    is_resting: bool,
    /// Whether it has gone back to let another one come out.
    yields: bool,
    /// Whether it stands in no passage and is patient. Agents in passages come first: they have to come out before others can
    /// go in.
    is_outside: bool,
    journey: Journey,
    pub(super) agent: u32,
}

/// What stays the same until an agent has arrived. Agents that have been on the way for longer come first, then groups one after
/// the other, then those that have farther to go.
///
/// An agent that was pushed out of its goal sets out again, and so comes after all those that have not been there yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Journey {
    pub(super) since: CrowdTime,
    pub(super) group: Group,
    pub(super) distance: Reverse<u64>,
}

impl Crowd {
    /// The rank of an agent now.
    pub(super) fn rank(&self, agent: usize) -> Rank {
        let entry = &self.agents[agent];
        Rank {
            is_resting: entry.activity != Activity::Travelling,
            yields: self.now < entry.yields_until,
            is_outside: !self.rooms.is_passage(entry.at) && self.is_patient(agent),
            journey: entry.journey,
            agent: agent as u32,
        }
    }

    /// Whether an agent waits its turn: it lets agents out of passages first, and does not overtake those ahead of it that go the
    /// same way. It does so without end if another agent stays in its goal.
    pub(super) fn is_patient(&self, agent: usize) -> bool {
        self.jams.waits(agent, self.now).ticks() / PATIENCE.ticks() % PERIOD != 1 || self.has_lost_goal(agent)
    }

    /// Whether another agent stays in the goal of an agent.
    pub(super) fn has_lost_goal(&self, agent: usize) -> bool {
        let in_goal = self.goal_with_route(agent).and_then(|goal| self.places.agent(goal));
        in_goal.is_some_and(|other| self.stays_in_goal_of(other, agent))
    }

    /// Whether an agent stays in the goal of another one.
    pub(super) fn stays_in_goal_of(&self, agent: usize, other: usize) -> bool {
        let Agent { at, activity, guide, .. } = self.agents[agent];
        activity == Activity::Resting && guide == self.agents[other].guide && self.cost_to_goal(agent, at) == 0
    }
}
