//! The first part of a search for a few agents, some of them large: best-first search over the steps of one agent at a
//! time. Large agents enter only cells that others have left before, so this finds all solutions except those in which
//! small agents move in a circle. It soon tells if there is none, and its solutions are short.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{End, NO_INDEX, NONE, Node, Outcome, Search, key};
use emberwalk_path::EntryCost;

/// The maximum number of agents. With more, there are too many configurations.
const MAX_AGENTS: usize = 5;
/// How many small agents it takes to move in a circle.
const SMALLEST_CIRCLE: usize = 3;
/// The weight of the remaining costs, compared with the steps taken.
const WEIGHT: u64 = 2;
/// The cost from where no route is known, in units.
const NO_ROUTE: u64 = 1 << 40;

/// The configurations to expand.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct BestFirst {
    /// The nodes to expand, the best first: by their cost plus the weighted remaining costs, then by the remaining
    /// costs, then the newest first.
    open: BinaryHeap<(Reverse<u64>, Reverse<u64>, u32)>,
    /// The cost of the steps to each node.
    costs: Vec<u64>,
    /// The number of placements after which it is over.
    pub(super) until: usize,
    /// The number of placements after which it begins once more, and after which the second run is over.
    pub(super) again: Option<(usize, usize)>,
}

impl Search {
    /// Plans best-first search for an eighth and for the second half of this number of placements, if there are few agents and
    /// some are large.
    pub(super) fn start_best_first(&mut self, placements: usize) {
        let has_few = self.has_large && self.next.len() <= MAX_AGENTS;
        self.best_first.again = has_few.then_some((placements / 2, placements));
        self.best_first.until = 0;
        if has_few && placements > 0 {
            self.begin_best_first(placements / 8);
        }
    }

    /// Begins with the cells in which agents were added. It is over after this number of placements.
    fn begin_best_first(&mut self, until: usize) {
        let BestFirst { open, costs, .. } = &mut self.best_first;
        open.clear();
        costs.clear();
        self.best_first.until = until;
        self.in_cell.fill(NONE);
        self.push_one_step(NO_INDEX, 0);
    }

    /// Continues for about this many placements of agents.
    pub(super) fn run_best_first(&mut self, placements: usize) -> Outcome {
        let until = self.placed + placements;
        while self.placed < until {
            let Some((.., node)) = self.best_first.open.pop() else { return Outcome::Unsolvable };
            let cost = self.best_first.costs[node as usize] + u64::from(EntryCost::TILE.units());
            self.put_all(node);
            if (0..self.at.len()).all(|agent| self.is_at_end(node, agent)) {
                self.trace(node);
                return Outcome::Solved;
            }
            for agent in 0..self.at.len() as u16 {
                let at = self.at[agent as usize];
                if at == NONE {
                    continue;
                }
                for k in self.edges_from(agent, at) {
                    let to = self.edges[k].to;
                    let is_free = |&cell: &u16| [NONE, agent].contains(&self.in_cell[cell as usize]);
                    if !self.square(agent.into(), to).iter().all(is_free) {
                        continue;
                    }
                    self.placed += 1;
                    let first = node as usize * self.at.len();
                    self.next.copy_from_slice(&self.configurations[first..first + self.at.len()]);
                    self.next[agent as usize] = to;
                    if self.known.get(&key(&self.next)).is_none_or(|&known| self.configuration(known) != self.next) {
                        self.push_one_step(node, cost);
                    }
                }
            }
            self.placed += self.at.len();
            self.take_all_away();
        }
        Outcome::Open
    }

    fn is_at_end(&self, node: u32, agent: usize) -> bool {
        self.end(agent, self.configuration(node)[agent]) != End::No
    }

    /// Whether there is certainly no solution if this search finds none.
    pub(super) fn is_complete_in_single_steps(&self) -> bool {
        (0..self.at.len() as u16).filter(|&agent| !self.is_large(agent)).count() < SMALLEST_CIRCLE
    }

    /// Adds a node for the next configuration.
    fn push_one_step(&mut self, parent: u32, cost: u64) {
        let node = self.nodes.len() as u32;
        self.configurations.extend_from_slice(&self.next);
        self.nodes.push(Node { parent, next: NO_INDEX, last: NO_INDEX });
        self.known.insert(key(&self.next), node);
        let left = |(agent, &at): (usize, &u16)| self.costs[agent * self.cells + at as usize].min(NO_ROUTE);
        let left: u64 = self.next.iter().enumerate().map(left).sum();
        self.best_first.costs.push(cost);
        self.best_first.open.push((Reverse(cost + WEIGHT * left), Reverse(left), node));
    }

    /// Begins the other search.
    pub(super) fn end_best_first(&mut self) {
        self.best_first.until = 0;
        self.next.copy_from_slice(&self.configurations[..self.at.len()]);
        self.forget_nodes();
        self.push(NO_INDEX);
    }

    /// Begins once more if its time has come: the other search has found nothing either.
    pub(super) fn restart_best_first(&mut self) -> bool {
        let Some((_, until)) = self.best_first.again.take_if(|(from, _)| *from <= self.placed) else { return false };
        self.next.copy_from_slice(&self.configurations[..self.at.len()]);
        self.forget_nodes();
        self.begin_best_first(until);
        true
    }
}
