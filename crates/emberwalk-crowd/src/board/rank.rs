//! The order of agents, which decides who makes way for whom.

use std::cmp::Reverse;

use crate::index::AgentIndex;
use crate::land::Group;
use emberwalk_path::time::CrowdTime;

/// An agent that has stood in one cell for this long is impatient until it takes a step: it comes before agents that
/// wait, and overtakes. With 15 s or 60 s instead, the longest stand at a door of one cell is 16 s or 60 s instead of
/// 31 s, and 602 or 598 instead of 609 agents get through it in 400 s.
pub(super) const PATIENCE: CrowdTime = CrowdTime::from_whole_seconds(30);

/// The part of an agent's rank that stays the same until it has arrived. Agents that have been on the way for longer
/// come first, then groups one after the other, then agents that have farther to go.
///
/// An agent that was pushed out of its goal sets out again, and so comes after all agents that have not been there yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Journey {
    pub(super) since: Reverse<CrowdTime>,
    pub(super) group: Reverse<Group>,
    pub(super) distance: u64,
}

/// The order of agents: the agent with the higher rank, which is the larger value, decides first, and others make way
/// for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Rank {
    pub(super) priority: i8,
    pub(super) is_travelling: bool,
    /// Whether it keeps its turn, as it has not gone back to let another agent come out.
    pub(super) keeps_turn: bool,
    /// Whether it is in a passage or impatient. Agents in passages have to come out before others can go in.
    pub(super) is_urgent: bool,
    pub(super) journey: Journey,
    /// Of two otherwise equal agents, the first one has the higher rank.
    pub(super) agent: Reverse<AgentIndex>,
}

impl Rank {
    /// The rank of an agent that [gets out](super::Board::comes_out) of the way of an edit: above all others, even
    /// above agents that wait for this edit.
    pub(super) fn coming_out(agent: AgentIndex) -> Self {
        Self {
            priority: i8::MAX,
            is_travelling: true,
            keeps_turn: true,
            is_urgent: true,
            journey: Journey { distance: u64::MAX, ..Journey::default() },
            agent: Reverse(agent),
        }
    }

    /// Whether the agent gets out of the way of an edit.
    pub(crate) fn comes_out(self) -> bool {
        self == Self::coming_out(self.agent())
    }

    /// Whether an agent of the other rank steps anywhere to make way for an agent of this rank, even if it queues
    /// ahead: the agent of this rank gets out of the way of an edit, or has a higher priority.
    pub(crate) fn goes_before(self, other: Self) -> bool {
        self.comes_out() || self.priority > other.priority
    }

    /// The agent of this rank.
    pub(super) fn agent(self) -> AgentIndex {
        self.agent.0
    }
}
