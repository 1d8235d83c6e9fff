//! The slots of the agents of a crowd.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::{Index, IndexMut};

use super::AgentId;
use super::agent::{Activity, Agent};

/// All agents, by the indices of their slots. Slots of agents that have left are used again, the lowest first, and removed from
/// the end of the list.
#[derive(Clone, Debug, Default)]
pub(super) struct Agents {
    slots: Vec<Agent>,
    /// The slots to use again. Those from the end of the list on are outdated.
    free: BinaryHeap<Reverse<u32>>,
    /// The generation of agents in new slots: higher than in the slots that were removed.
    first_generation: u32,
}

impl Agents {
    /// Adds an agent in a cell, and returns the index of its slot.
    pub(super) fn add(&mut self, at: usize) -> usize {
        if let Some(Reverse(free)) = self.free.pop()
            && let Some(slot) = self.slots.get_mut(free as usize)
        {
            *slot = Agent { generation: slot.generation + 1, ..Agent::new(at) };
            return free as usize;
        }
        self.free.clear();
        self.slots.push(Agent { generation: self.first_generation, ..Agent::new(at) });
        self.slots.len() - 1
    }

    /// Gives the slot of an agent back.
    pub(super) fn vacate(&mut self, agent: usize) {
        self.slots[agent].activity = Activity::Gone;
        if self.slots[agent].generation < u32::MAX {
            self.free.push(Reverse(agent as u32));
        }
        // A slot of the last generation is never used again.
        while let Some(last) = self.slots.pop_if(|last| last.activity == Activity::Gone && last.generation < u32::MAX) {
            self.first_generation = self.first_generation.max(last.generation + 1);
        }
    }

    /// The slot of an agent that is on the map.
    pub(super) fn find(&self, id: AgentId) -> Option<usize> {
        let agent = self.slots.get(id.index())?;
        (agent.generation == id.generation && agent.activity != Activity::Gone).then(|| id.index())
    }

    pub(super) fn id(&self, agent: usize) -> AgentId {
        AgentId { index: agent as u32, generation: self.slots[agent].generation }
    }

    /// Iterates over the agents on the map.
    pub(super) fn on_map(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.slots.len()).filter(|&agent| self.slots[agent].activity != Activity::Gone)
    }

    /// The agent in a slot; `None` if the slot was removed.
    pub(super) fn get(&self, agent: usize) -> Option<&Agent> {
        self.slots.get(agent)
    }
}

impl Index<usize> for Agents {
    type Output = Agent;

    #[inline]
    fn index(&self, agent: usize) -> &Agent {
        &self.slots[agent]
    }
}

impl IndexMut<usize> for Agents {
    #[inline]
    fn index_mut(&mut self, agent: usize) -> &mut Agent {
        &mut self.slots[agent]
    }
}
