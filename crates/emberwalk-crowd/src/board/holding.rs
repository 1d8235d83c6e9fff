//! Agents that make way for nobody: agents that were told to hold, and agents whose pace is still.

use super::Board;
use super::agents::Hold;
use crate::index::{AgentIndex, CellIndex};
use emberwalk_path::time::{CrowdTime, Pace};

/// How long an agent holds before others go round it. It is not tuned: a guard that stops only for a moment should not
/// turn others back.
const HOLD_SETTLES_AFTER: CrowdTime = CrowdTime::from_whole_seconds(4);

impl Board {
    /// The pace of an agent.
    #[inline]
    pub(crate) fn pace_of(&self, agent: AgentIndex) -> Pace {
        self.agents[agent].pace.unwrap_or(self.pace)
    }

    /// Whether the pace of an agent lets it stand still.
    #[inline]
    pub(crate) fn is_still(&self, agent: AgentIndex) -> bool {
        self.pace_of(agent).is_still()
    }

    /// Whether a cell has, or will have, an agent that no other agent can push away: an agent that holds, or a large
    /// one.
    #[inline]
    pub(crate) fn is_held(&self, at: CellIndex) -> bool {
        let is_large = |agent: AgentIndex| self.is_large(agent);
        let is_taken_by_large =
            || [self.places.agent(at), self.places.entering(at)].into_iter().flatten().any(is_large);
        self.is_guarded(at) || self.land.has_large_kinds() && is_taken_by_large()
    }

    /// Whether a holding agent is in a cell or on the way into it.
    #[inline]
    pub(crate) fn is_guarded(&self, at: CellIndex) -> bool {
        let holds = |agent: AgentIndex| self.agents[agent].hold != Hold::No;
        self.places.agent(at).is_some_and(holds) || self.places.entering(at).is_some_and(holds)
    }

    /// The agent that stands in a cell and does not hold.
    #[inline]
    pub(crate) fn standing_agent(&self, at: CellIndex) -> Option<AgentIndex> {
        let makes_way = |agent: AgentIndex| self.agents[agent].is_idle() && self.agents[agent].hold == Hold::No;
        self.places.agent(at).filter(|&agent| makes_way(agent))
    }

    /// Tells an agent to make way for nobody, or takes that back.
    pub(crate) fn tell_to_hold(&mut self, agent: AgentIndex, holds: bool) {
        self.agents[agent].is_told_to_hold = holds;
        self.update_hold(agent);
    }

    /// Lets an agent begin or stop holding, by its orders and its pace.
    pub(crate) fn update_hold(&mut self, agent: AgentIndex) {
        let holds = self.agents[agent].is_told_to_hold || self.is_still(agent);
        match (holds, self.agents[agent].hold) {
            (true, Hold::No) => self.begin_to_hold(agent),
            (false, Hold::Until(_) | Hold::Settled) => self.end_to_hold(agent),
            _ => {}
        }
    }

    fn begin_to_hold(&mut self, agent: AgentIndex) {
        let settles = self.now + HOLD_SETTLES_AFTER;
        self.agents[agent].hold = Hold::Until(settles);
        if self.stays(agent) {
            self.schedule(agent, settles);
        }
    }

    /// Lets an agent make way again.
    pub(crate) fn end_to_hold(&mut self, agent: AgentIndex) {
        match std::mem::replace(&mut self.agents[agent].hold, Hold::No) {
            Hold::No => return,
            Hold::Until(_) => {}
            Hold::Settled => self.for_each_held_cell(agent, |board, at| board.land.release(board.cell(at))),
        }
        self.call_around(agent, self.agents[agent].at, None);
    }

    /// Whether a holding agent does not move: at the end of its step, or in the middle of it if its pace is still.
    fn stays(&self, agent: AgentIndex) -> bool {
        self.agents[agent].is_idle() || self.is_still(agent)
    }

    /// Lets others go round an agent that has held for some time.
    pub(crate) fn settle(&mut self, agent: AgentIndex) {
        let Hold::Until(time) = self.agents[agent].hold else { return };
        if !self.stays(agent) {
            return;
        }
        if self.now < time {
            self.schedule(agent, time);
        } else {
            self.agents[agent].hold = Hold::Settled;
            self.for_each_held_cell(agent, |board, at| board.land.hold(board.cell(at)));
        }
    }

    /// Calls `change` with all cells that a standing agent takes up, perhaps in the middle of a step.
    fn for_each_held_cell(&mut self, agent: AgentIndex, change: impl Fn(&mut Self, CellIndex)) {
        let at = self.agents[agent].at;
        self.square(agent, at).for_each(|cell| change(self, cell));
        if let Some(movement) = self.agents[agent].movement {
            self.entered_cells(agent, movement.to).for_each(|cell| change(self, cell));
        }
        self.agenda.add_beat(self.now);
    }
}
