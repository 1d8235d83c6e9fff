//! The relations of goals to other agents: to be beside them, in range or in sight of them, or far away from them.

use super::Board;
use crate::index::AgentIndex;
use crate::{AgentId, Goal};
use emberwalk_path::grid::Cell;
use emberwalk_path::hash::number_of;
use emberwalk_path::internal::hash_of;
use emberwalk_path::time::CrowdTime;

/// The largest distance that a goal may name, in cells, so that no list of cells is too long.
const MAX_REACH: u32 = 64;

/// The relation that a goal demands between the cells of an agent and of another agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Relation {
    pub(crate) other: AgentId,
    pub(crate) sort: Sort,
    /// In cells, in a straight line; 0 if no distance decides.
    pub(crate) reach: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Sort {
    Beside,
    InRange,
    InSight,
    FarAway,
}

/// What an agent saw when it last looked for the cells to which its goal about another agent leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Look {
    /// The cell of the other agent; `None` if it was gone.
    pub(crate) there: Option<Cell>,
    /// The [hash of the ground](crate::land::Land::hash).
    pub(crate) ground: u64,
    /// For an agent that flees: the square of its smallest distance from that cell, since the other agent has been
    /// there.
    pub(crate) nearest: i64,
    /// Whether an agent that flees can only go to a cell which is not far enough away, and stays there.
    pub(crate) is_cornered: bool,
}

impl Relation {
    /// The relation of a goal to another agent, if it has one.
    pub(crate) fn of(goal: &Goal) -> Option<Self> {
        let (other, sort, reach) = match *goal {
            Goal::Follow(other) => (other, Sort::Beside, 0),
            Goal::InRange { of, cells } => (of, Sort::InRange, cells),
            Goal::InSight { of, cells } => (of, Sort::InSight, cells),
            Goal::Flee { from, cells } => (from, Sort::FarAway, cells),
            _ => return None,
        };
        Some(Self { other, sort, reach: reach.min(MAX_REACH) })
    }

    /// Whether the agent follows another one.
    pub(crate) fn is_beside(self) -> bool {
        self.sort == Sort::Beside
    }

    /// The square of the distance.
    pub(crate) fn reach_squared(self) -> i64 {
        i64::from(self.reach).pow(2)
    }

    /// A hash of it, with when the agent looks next and what it has seen.
    pub(super) fn hash(self, looks_at: CrowdTime, look: Look) -> u64 {
        let other = u64::from(self.other);
        if self.is_beside() {
            return other;
        }
        let there = look.there.map_or(u64::MAX, number_of);
        let seen = [there, look.ground, look.nearest as u64, look.is_cornered.into()];
        hash_of([other, self.sort as u64, self.reach.into(), looks_at.ticks()].into_iter().chain(seen))
    }
}

impl Board {
    /// Notes what the goal of an agent says about another one.
    pub(crate) fn set_relation(&mut self, agent: AgentIndex, relation: Option<Relation>) {
        self.agents[agent].relation = relation;
    }

    /// Whether an agent that follows another agent looks where it is: at most once per second.
    pub(crate) fn looks_for_other(&mut self, agent: AgentIndex) -> bool {
        let looks_at = &mut self.agents[agent].looks_for_other_at;
        let looks = self.now >= *looks_at;
        if looks {
            *looks_at = self.now + CrowdTime::SECOND;
        }
        looks
    }

    /// Whether an agent looks again where to go, because its goal about another agent is not satisfied where it is. It
    /// does so if the other agent or the ground has changed, at most once per second while it is under way, and
    /// whenever it has come to its goal cell.
    pub(crate) fn looks_again(&self, agent: AgentIndex, relation: Relation) -> bool {
        let entry = &self.agents[agent];
        let Look { there, ground, is_cornered, .. } = entry.look;
        let has_changed = (there, ground) != (self.cell_of_other(relation), self.land.hash());
        let is_there = self.cost_to_goal(agent, entry.at) == 0;
        // An agent that flees continues from a cell on its route.
        let goes_on = is_there && relation.sort == Sort::FarAway && !is_cornered;
        goes_on || has_changed && (is_there || self.now >= entry.looks_for_other_at)
    }

    /// Notes what an agent sees now.
    pub(crate) fn set_look(&mut self, agent: AgentIndex, look: Look) {
        let entry = &mut self.agents[agent];
        entry.look = look;
        entry.looks_for_other_at = self.now + CrowdTime::SECOND;
    }

    /// The cell of the other agent of a goal; `None` if it is not on the map any more.
    pub(crate) fn cell_of_other(&self, relation: Relation) -> Option<Cell> {
        self.find(relation.other).map(|other| self.position(other).0)
    }

    /// Whether the relation of a goal is satisfied for an agent in a cell.
    pub(crate) fn is_satisfied(&self, agent: AgentIndex, relation: Relation, here: Cell) -> bool {
        let Some(there) = self.cell_of_other(relation) else { return false };
        let (distance, reach) = (here.distance_squared(there), relation.reach_squared());
        match relation.sort {
            Sort::Beside => {
                let of_side = self.find(relation.other).map_or(1, |other| self.side(other));
                let mut beside = there.places_beside(of_side as u32, self.side(agent) as u32);
                beside.any(|place| place == here)
            }
            Sort::InRange => distance <= reach,
            Sort::InSight => distance <= reach && self.sees(here, there),
            Sort::FarAway => distance >= reach,
        }
    }

    /// Whether a cell is seen from another one: cells that are blocked for all kinds hide what is behind them.
    pub(crate) fn sees(&self, here: Cell, there: Cell) -> bool {
        here.sees(there, |cell| !self.land.grids().any(|grid| grid.is_passable(cell)))
    }

    /// Whether the goal of a standing agent about another agent is still satisfied: the other agent may have moved
    /// since the agent last looked. `true` if its goal is about no other agent.
    pub(crate) fn may_rest_here(&self, agent: AgentIndex) -> bool {
        let entry = &self.agents[agent];
        let Some(relation) = entry.relation else { return true };
        let is_cornered = || self.is_cornered(agent, relation) && self.find(relation.other).is_some();
        self.is_satisfied(agent, relation, self.cell(entry.at)) || is_cornered()
    }

    /// Whether an agent flees and has found no cell that is far enough away.
    fn is_cornered(&self, agent: AgentIndex, relation: Relation) -> bool {
        relation.sort == Sort::FarAway && self.agents[agent].look.is_cornered
    }

    /// Lets an agent whose goal about another agent is no longer satisfied arrive again later.
    pub(crate) fn forget_arrival(&mut self, agent: AgentIndex, relation: Relation) {
        if !self.is_cornered(agent, relation) {
            self.agents[agent].was_there = false;
        }
    }

    /// Notes whether an agent has been where its order leads.
    pub(crate) fn set_was_there(&mut self, agent: AgentIndex, was_there: bool) {
        self.agents[agent].was_there = was_there;
    }

    /// Notes how many cells the search for an agent's goal cells has visited.
    pub(crate) fn note_spent(&mut self, agent: AgentIndex, cells: u64) {
        self.guides[self.agents[agent].lane].note_spent(cells);
    }
}
