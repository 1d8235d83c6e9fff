//! The searches that wait for their turn.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::agents::Request;
use crate::guides::Allowance;
use crate::index::AgentIndex;
use emberwalk_path::hash::Mixer;
use emberwalk_path::time::CrowdTime;

/// The waiting searches, and how far they may go in each slice.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Searches {
    pub(super) allowance: Allowance,
    /// The agents that wait, by their turns.
    pub(super) queue: BTreeSet<(CrowdTime, AgentIndex)>,
    /// The agent whose search is under way: others wait until it is finished.
    current: Option<AgentIndex>,
    /// How many requests there have been.
    pub(super) requests: u64,
    /// The agents whose searches have ended just now, by the numbers of their requests. Its memory is kept.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) ended: Vec<Reverse<(u64, AgentIndex)>>,
}

impl Default for Searches {
    fn default() -> Self {
        let allowance = Allowance::new(u64::MAX);
        Self { allowance, queue: BTreeSet::new(), current: None, requests: 0, ended: Vec::new() }
    }
}

impl Searches {
    /// Whether searches have a budget, so that they wait for their turn.
    pub(super) fn are_limited(&self) -> bool {
        self.allowance.per_slice() < u64::MAX
    }

    /// The rest of the budget; `None` without a budget.
    pub(super) fn allowance(&mut self, now: CrowdTime) -> Option<&mut Allowance> {
        if !self.are_limited() {
            return None;
        }
        self.allowance.begin_slice(now);
        Some(&mut self.allowance)
    }

    /// The next agent whose search goes on in this slice.
    pub(super) fn next(&mut self) -> Option<AgentIndex> {
        if self.allowance.left() == 0 {
            return None;
        }
        self.current = self.current.or(self.queue.first().map(|&(_, agent)| agent));
        self.current
    }

    /// Forgets a search.
    pub(super) fn remove(&mut self, agent: AgentIndex, request: Request) {
        self.queue.remove(&(request.turn, agent));
        self.current.take_if(|current| *current == agent);
    }

    /// Adds all state that affects decisions to a hash, which stays as it is as long as no search has to wait.
    pub(super) fn add_to(&self, hash: &mut Mixer, now: CrowdTime) {
        if self.allowance.add_to(hash, now, !self.queue.is_empty()) {
            hash.add(self.current.map_or(u64::MAX, |agent| agent.get() as u64));
            self.queue.iter().for_each(|(turn, agent)| hash.add(turn.ticks() ^ (agent.get() as u64) << 40));
        }
    }
}
