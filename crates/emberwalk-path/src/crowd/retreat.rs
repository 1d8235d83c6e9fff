//! Agents that cannot go on let others come out past them: whoever comes out of a full room has the door.

use super::agent::{Activity, Agent};
use super::moving::{Push, Towards};
use super::{Crowd, CrowdTime};

/// An agent that has not come nearer to its goal for this long goes back. With 1 s instead, 200 agents take 163 s instead of
/// 136 s through a corridor of width 1.
const RETREATS_AFTER: CrowdTime = CrowdTime::from_whole_seconds(2);
/// For how long it makes way for all others then. With 3 s or 20 s instead, they take 150 s or 156 s.
const YIELDS_FOR: CrowdTime = CrowdTime::from_whole_seconds(8);

impl Crowd {
    /// Lets an agent go back that cannot go on, because another one wants to come out and there is no room behind that one.
    /// Agents that queue behind it go back, too, whatever their rank, and the one that comes out follows. Returns whether it
    /// goes back.
    pub(super) fn retreat(&mut self, agent: usize, time: CrowdTime) -> bool {
        if self.jams.waits(agent, time) < RETREATS_AFTER {
            return false;
        }
        let at = self.agents[agent].at;
        let ahead = self.steps(agent, None, Towards::Goal, time);
        let comes_out = |&other: &usize| self.agents[other].is_idle() && self.wants(other, at);
        let Some(other) = ahead.cells().filter_map(|cell| self.places.agent(cell)).find(comes_out) else {
            return false;
        };

        self.chain.begin();
        let back = self.steps(agent, None, Towards::Elsewhere, time);
        let link = self.link_with(agent, back);
        if !self.find_chain(link, Push::Queue, time) {
            return false;
        }
        let yields_until = time + YIELDS_FOR;
        self.agents[agent].yields_until = yields_until;
        for [before, behind] in self.chain.pairs() {
            if self.wants(behind.agent, before.at) {
                self.agents[behind.agent].yields_until = yields_until;
            }
        }
        if let Some(movement) = self.agents[agent].movement {
            self.pull(other, at, movement.middle);
        }
        true
    }

    /// Whether an agent is on the way, and nearer to its goal in a cell than now.
    pub(super) fn wants(&self, agent: usize, at: usize) -> bool {
        let Agent { activity, at: now, .. } = self.agents[agent];
        activity == Activity::Travelling && self.cost_to_goal(agent, at) < self.cost_to_goal(agent, now)
    }
}
