//! When two agents have to change places, and how: the swap operation of LaCAM2 (Okumura, "Improving LaCAM for scalable
//! eventually optimal multi-agent pathfinding", 2023).

use crate::OnArrival;
use crate::board::Board;
use crate::index::{AgentIndex, CellIndex};
use crate::land::Ground;
use emberwalk_path::internal::{Steps, with_steps};

/// The maximum number of cells of a passage that are looked at. With 100 or 400 instead, a corridor of 300 cells takes
/// 308 s or 279 s instead of 279 s.
const MAX_PASSAGE: usize = 200;

/// Agents on cells, of which two may have to change places.
pub(crate) trait Swaps {
    type Agent: Copy;
    type Cell: Copy + PartialEq;

    /// The lowest cost from a cell to the goal of an agent; the same from all cells if it has none.
    fn cost(&self, agent: Self::Agent, at: Self::Cell) -> u64;

    /// The agent that stands in a cell.
    fn idle_agent(&self, at: Self::Cell) -> Option<Self::Agent>;

    /// Whether an agent has decided already, or is about to.
    fn has_decided(&self, agent: Self::Agent) -> bool;

    /// Whether an agent leaves when it enters a cell, so that it is out of the way.
    fn vanishes_at(&self, agent: Self::Agent, at: Self::Cell) -> bool;

    /// Whether an agent that stands in a cell wants to stay there.
    fn stays_at(&self, agent: Self::Agent, at: Self::Cell) -> bool;

    /// Calls `visit` with each cell that a step of an agent leads to.
    fn for_each_neighbour(&self, agent: Self::Agent, at: Self::Cell, visit: impl FnMut(Self::Cell));

    /// The agent that `agent`, which wants to go from its cell to `wanted`, has to pull back so that the two change
    /// places.
    fn partner_to_swap_with(&self, agent: Self::Agent, at: Self::Cell, wanted: Self::Cell) -> Option<Self::Agent> {
        if let Some(other) = self.idle_agent(wanted)
            && !self.has_decided(other)
            && self.is_swap_required(agent, other, at, wanted)
            && self.is_swap_possible(agent, wanted, at)
        {
            return Some(other);
        }
        // An agent behind this one has to come out past it.
        let mut found = None;
        self.for_each_neighbour(agent, at, |next| {
            if found.is_none()
                && next != wanted
                && let Some(other) = self.idle_agent(next)
                && self.is_swap_required(other, agent, at, wanted)
                && self.is_swap_possible(agent, wanted, at)
            {
                found = Some(other);
            }
        });
        found
    }

    /// Whether `pusher` would push `puller` along the whole passage ahead, although they want to go past each other.
    fn is_swap_required(
        &self,
        pusher: Self::Agent,
        puller: Self::Agent,
        pusher_at: Self::Cell,
        puller_at: Self::Cell,
    ) -> bool {
        let (mut at, mut ahead) = (pusher_at, puller_at);
        let mut left = MAX_PASSAGE;
        while self.cost(pusher, ahead) < self.cost(pusher, at) && left > 0 {
            left -= 1;
            if self.vanishes_at(puller, ahead) || self.vanishes_at(pusher, ahead) {
                return false;
            }
            match self.steps_on(pusher, at, ahead) {
                (0, _) => break,
                (1, next) => (at, ahead) = (ahead, next),
                _ => return false,
            }
        }
        // Agents with their own routes know no costs far away. They are expected to continue as they do here.
        let pusher_goes_on = match (self.cost(pusher, at), self.cost(pusher, ahead)) {
            (0, _) | (_, u64::MAX) => true,
            (here, there) => there < here,
        };
        let puller_comes_out = match self.cost(puller, ahead) {
            u64::MAX => self.cost(puller, pusher_at) < self.cost(puller, puller_at),
            there => self.cost(puller, at) < there,
        };
        pusher_goes_on && puller_comes_out
    }

    /// Whether a passage that leads on from `puller_at`, away from `pusher_at`, has a place where two agents can pass
    /// each other.
    fn is_swap_possible(&self, puller: Self::Agent, pusher_at: Self::Cell, puller_at: Self::Cell) -> bool {
        let (mut at, mut ahead) = (pusher_at, puller_at);
        for _ in 0..MAX_PASSAGE {
            if ahead == pusher_at {
                return false;
            }
            match self.steps_on(puller, at, ahead) {
                (0, _) => return false,
                (1, next) => (at, ahead) = (ahead, next),
                _ => return true,
            }
        }
        false
    }

    /// The number of steps of an agent from a cell, other than back to `from`, and the cell that the last of them leads
    /// to. Dead ends of one cell whose agent wants to stay there do not count.
    fn steps_on(&self, agent: Self::Agent, from: Self::Cell, at: Self::Cell) -> (usize, Self::Cell) {
        let (mut count, mut last) = (0, at);
        self.for_each_neighbour(agent, at, |next| {
            if next != from && !self.is_occupied_dead_end(next) {
                count += 1;
                last = next;
            }
        });
        (count, last)
    }

    fn is_occupied_dead_end(&self, at: Self::Cell) -> bool {
        let Some(agent) = self.idle_agent(at).filter(|&agent| self.stays_at(agent, at)) else { return false };
        let mut count = 0;
        self.for_each_neighbour(agent, at, |_| count += 1);
        count == 1
    }
}

impl Swaps for Board {
    type Agent = AgentIndex;
    type Cell = CellIndex;

    fn cost(&self, agent: AgentIndex, at: CellIndex) -> u64 {
        self.cost_to_goal(agent, at)
    }

    #[inline]
    fn idle_agent(&self, at: CellIndex) -> Option<AgentIndex> {
        self.standing_agent(at).filter(|&agent| !self.is_large(agent))
    }

    fn has_decided(&self, agent: AgentIndex) -> bool {
        self.was_asked(agent)
    }

    fn vanishes_at(&self, agent: AgentIndex, at: CellIndex) -> bool {
        self[agent].on_arrival() == OnArrival::Leave && self.cost_to_goal(agent, at) == 0
    }

    fn stays_at(&self, agent: AgentIndex, _: CellIndex) -> bool {
        self[agent].is_resting()
    }

    fn for_each_neighbour(&self, agent: AgentIndex, at: CellIndex, mut visit: impl FnMut(CellIndex)) {
        let Ground { grid, rules } = self.ground(agent);
        with_steps!(grid, rules, steps => steps.for_each(at.get(), None, |step| {
            let to = CellIndex::new(step.to);
            if !self.is_held(to) {
                visit(to);
            }
        }));
    }
}
