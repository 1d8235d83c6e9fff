//! The memory of searches between queries, and the input of each.

use std::collections::VecDeque;

use crate::CostGrid;
use crate::budget::Budget;
use crate::search::buckets::Buckets;
use crate::search::jumps::jump_successors::Successor;
use crate::search::nodes::Nodes;
use crate::search::open_list::{GreedyHeap, Heap};

/// Where a search starts and ends, as indices of the grid's array.
#[derive(Clone, Copy)]
pub(crate) struct Endpoints {
    pub(crate) start: usize,
    pub(crate) goal: usize,
}

/// The best cell so far: the smallest distance comes first, then the lowest label, then the smallest index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Closest {
    pub(crate) distance: u64,
    pub(crate) label: u64,
    pub(crate) at: usize,
}

/// The progress of a search, apart from its records and its open list. A paused search continues with it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    pub(crate) expanded: u64,
    pub(crate) reopened: u64,
    /// Whether the start was opened.
    has_begun: bool,
    /// Whether it continues with another open list than at first, or without reopening cells.
    pub(crate) has_switched: bool,
    /// The best cell of a search [for one of several goals](crate::search::goal_set) so far.
    pub(crate) closest: Option<Closest>,
}

impl Progress {
    /// Whether the search has begun, so that it has records and an open list.
    pub(crate) fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Notes that the records and the open list belong to this search from now on. Returns whether they did not before.
    pub(crate) fn begin(&mut self) -> bool {
        !std::mem::replace(&mut self.has_begun, true)
    }
}

/// The input of every search: the query, its progress, the observer, and when to pause.
pub(crate) struct SearchContext<'a, O> {
    pub(crate) grid: &'a CostGrid,
    pub(crate) endpoints: Endpoints,
    pub(crate) progress: Progress,
    pub(crate) observer: &'a mut O,
    /// The search pauses once it has expanded this many cells.
    pub(crate) pause_at: u64,
    pub(crate) limits: SearchLimits,
}

/// When a search ends without a route, and whether it continues to find all cheapest routes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchLimits {
    /// The search finds no route that costs more units than this.
    pub(crate) max_units: u64,
    /// The search stops once it has expanded this many cells.
    pub(crate) max_expanded: u64,
    /// Whether it expands all cells that may be on a cheapest route, so that their costs are the lowest ones.
    pub(crate) visits_ties: bool,
}

impl SearchLimits {
    /// The first key that the search need not expand, if the labels begin at `zero` and the best known route has the
    /// label `best`.
    #[inline(always)]
    pub(crate) fn end(&self, zero: u64, best: u64) -> u64 {
        let most = zero.saturating_add(self.max_units).saturating_add(1);
        most.min(best + u64::from(self.visits_ties))
    }
}

impl<O> SearchContext<'_, O> {
    /// Sets how many more cells the search may expand before it pauses.
    pub(crate) fn set_budget(&mut self, budget: &Budget) {
        self.pause_at = self.progress.expanded.saturating_add(budget.left().max(1)).min(self.limits.max_expanded);
    }
}

/// The state of a cell that a search over jump points has seen, in addition to its node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JumpNode {
    /// The index of the jump point before.
    pub(crate) parent: u32,
    /// The estimate of the remaining cost; [`u32::MAX`] also stands for all larger ones.
    pub(crate) estimate: u32,
}

/// The containers of all searches, kept between queries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    /// The state of each cell.
    pub(crate) nodes: Nodes,
    /// How far the search [for all costs](crate::search::dijkstra::fill) is.
    pub(crate) fill: Progress,
    /// The additional state of each cell for a search over jump points.
    pub(crate) jump_nodes: Vec<JumpNode>,
    /// The successors of one jump point.
    pub(crate) jump_successors: Vec<Successor>,
    /// Whether the last search was one over jump points.
    pub(crate) has_jumped: bool,
    /// The open list of consistent searches.
    pub(crate) buckets: Buckets,
    /// The open list where keys have to come out in their exact order.
    pub(crate) heap: Heap,
    /// The open list of greedy search.
    pub(crate) greedy: GreedyHeap,
    /// The open list of breadth-first search.
    pub(crate) queue: VecDeque<u32>,
    /// The cells that a [repair](crate::search::repair) has changed, with their records before; a cell can be there
    /// several times.
    pub(crate) repaired: Vec<(u32, u64)>,
}

/// The capacity that open lists and routes get at their first use on a grid.
///
/// Nearly all searches stay below it, so a planner rarely allocates after its first query.
pub(crate) fn initial_capacity(grid: &CostGrid) -> usize {
    grid.entry_units().len() / 8 + 64
}
