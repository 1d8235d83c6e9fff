//! What searches keep between queries, and what each of them is given and counts.

use std::collections::VecDeque;

use super::buckets::Buckets;
use super::nodes::{JumpRecord, Nodes};
use super::open_list::{GreedyHeap, Heap};
use crate::CostGrid;

/// Where a search starts and ends, as indices of the grid's array.
#[derive(Clone, Copy)]
pub(crate) struct Endpoints {
    pub(crate) start: usize,
    pub(crate) goal: usize,
}

/// What a search counts.
#[derive(Default)]
pub(crate) struct SearchCounts {
    pub(crate) expanded: u64,
    pub(crate) reopened: u64,
}

/// What every search is given: the query, the counters, and the observer.
pub(crate) struct SearchContext<'a, O> {
    pub(crate) grid: &'a CostGrid,
    pub(crate) endpoints: Endpoints,
    pub(crate) counts: SearchCounts,
    /// A* gives up after so many expansions, as if there were no route.
    pub(crate) max_expanded: u64,
    pub(crate) observer: &'a mut O,
}

impl<'a, O> SearchContext<'a, O> {
    pub(crate) fn new(grid: &'a CostGrid, endpoints: Endpoints, observer: &'a mut O) -> Self {
        Self { grid, endpoints, counts: SearchCounts::default(), max_expanded: u64::MAX, observer }
    }
}

/// The containers of all searches, kept between queries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) nodes: Nodes,
    /// The records of searches over jump points.
    pub(crate) jump_nodes: Nodes<JumpRecord>,
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
}

impl Memory {
    /// Returns how many bytes the containers hold.
    pub(crate) fn bytes(&self) -> usize {
        let Self { nodes, jump_nodes, buckets, heap, greedy, queue, .. } = self;
        nodes.bytes()
            + jump_nodes.bytes()
            + buckets.bytes()
            + heap.capacity() * size_of::<u128>()
            + greedy.capacity() * size_of::<(u64, u32, u32)>()
            + queue.capacity() * size_of::<u32>()
    }
}

/// The capacity that open lists and routes get at their first use on a grid.
///
/// Nearly all searches stay below it, so a planner rarely allocates after its first query.
pub(crate) fn initial_capacity(grid: &CostGrid) -> usize {
    grid.entry_units().len() / 8 + 64
}
