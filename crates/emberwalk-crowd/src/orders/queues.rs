//! The orders that agents follow later.

use std::collections::{BTreeMap, VecDeque};

use crate::index::AgentIndex;
use crate::{Goal, OnArrival};
use emberwalk_path::internal::hash_of;

/// The orders that agents will follow after the current one.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Queues {
    queues: BTreeMap<AgentIndex, Queue>,
    /// The sum of the hashes of all orders.
    hash: u64,
}

#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Queue {
    orders: VecDeque<Order>,
    /// Whether an order that begins is added again at the end.
    repeats: bool,
    /// How many orders have been added.
    added: u64,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Order {
    goal: Goal,
    on_arrival: OnArrival,
    /// A hash of it, of its agent and of its number in the queue.
    hash: u64,
}

impl Queues {
    /// Forgets the orders of an agent.
    pub(crate) fn clear(&mut self, agent: AgentIndex) {
        let queue = self.queues.remove(&agent).unwrap_or_default();
        queue.orders.iter().for_each(|order| self.hash = self.hash.wrapping_sub(order.hash));
    }

    /// Adds an order, as the last one.
    pub(crate) fn add(&mut self, agent: AgentIndex, goal: Goal, on_arrival: OnArrival) {
        let queue = self.queues.entry(agent).or_default();
        queue.added += 1;
        let hash = hash_of([agent.get() as u64, queue.added, goal.hash(), on_arrival as u64]);
        queue.orders.push_back(Order { goal, on_arrival, hash });
        self.hash = self.hash.wrapping_add(hash);
    }

    /// Forgets the orders of an agent, and repeats all orders that are added from now on.
    pub(crate) fn begin_repeating(&mut self, agent: AgentIndex) {
        self.clear(agent);
        self.queues.insert(agent, Queue { repeats: true, ..Queue::default() });
    }

    /// Whether an agent has orders for later, or repeats its orders.
    pub(crate) fn has_orders(&self, agent: AgentIndex) -> bool {
        self.queues.contains_key(&agent)
    }

    /// Takes the next order of an agent.
    pub(crate) fn next(&mut self, agent: AgentIndex) -> Option<(Goal, OnArrival)> {
        let queue = self.queues.get_mut(&agent)?;
        let Order { goal, on_arrival, hash } = queue.orders.pop_front()?;
        self.hash = self.hash.wrapping_sub(hash);
        if queue.repeats {
            self.add(agent, goal.clone(), on_arrival);
        } else if queue.orders.is_empty() {
            self.queues.remove(&agent);
        }
        Some((goal, on_arrival))
    }

    /// A hash of all orders.
    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }
}
