//! What searches keep between queries, and what each of them is given and counts.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use crate::CostGrid;
use crate::bounds::jump_successors::Successor;
use crate::cost::cost_grid::capacity_bytes;
use crate::grid::Direction;
use crate::pauses::{EXPANSIONS_BETWEEN_QUESTIONS, GoOn};
use crate::search::buckets::Buckets;
use crate::search::nodes::{JumpRecord, Nodes};
use crate::search::open_list::{GreedyHeap, Heap};

/// Where a search starts and ends, as indices of the grid's array.
#[derive(Clone, Copy)]
pub(crate) struct Endpoints {
    pub(crate) start: usize,
    pub(crate) goal: usize,
}

/// What a search counts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SearchCounts {
    pub(crate) expanded: u64,
    pub(crate) reopened: u64,
}

impl SearchCounts {
    /// Asks once in many expansions whether to go on. Call it after each.
    #[inline(always)]
    pub(crate) fn ask(&self, go_on: GoOn<'_>) -> ControlFlow<()> {
        if self.expanded.is_multiple_of(EXPANSIONS_BETWEEN_QUESTIONS) { go_on() } else { ControlFlow::Continue(()) }
    }
}

/// How far a search is, beside its records and its open list. With it, a search that was paused goes on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stage {
    /// How often the search was begun anew, with more labels.
    pub(crate) restarts: usize,
    /// Whether the start was opened since.
    has_begun: bool,
    /// Whether it goes on with another open list than at first, or without reopening cells.
    pub(crate) has_switched: bool,
    /// Whether some cost was too large for its label.
    pub(crate) lacks_labels: bool,
}

/// A search that was paused.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PausedSearch {
    counts: SearchCounts,
    stage: Stage,
}

/// What every search is given: the query, the counters, the observer, and who says whether to go on.
pub(crate) struct SearchContext<'a, O> {
    pub(crate) grid: &'a CostGrid,
    pub(crate) endpoints: Endpoints,
    pub(crate) counts: SearchCounts,
    pub(crate) stage: Stage,
    pub(crate) observer: &'a mut O,
    pub(crate) go_on: GoOn<'a>,
}

impl<'a, O> SearchContext<'a, O> {
    /// Returns the context of a new search, or of one that was paused.
    pub(crate) fn new(
        grid: &'a CostGrid,
        endpoints: Endpoints,
        observer: &'a mut O,
        paused: Option<PausedSearch>,
        go_on: GoOn<'a>,
    ) -> Self {
        let (counts, stage) = paused.map(|paused| (paused.counts, paused.stage)).unwrap_or_default();
        Self { grid, endpoints, counts, stage, observer, go_on }
    }

    /// Returns what another context needs to go on.
    pub(crate) fn paused(&self) -> PausedSearch {
        PausedSearch { counts: self.counts, stage: self.stage }
    }

    /// Whether the search goes on where it was paused: its records and its open list are there.
    pub(crate) fn goes_on(&self) -> bool {
        self.stage.has_begun
    }

    /// Notes that the records and the open list are those of this search from now on. Returns whether they were not.
    pub(crate) fn begin(&mut self) -> bool {
        !std::mem::replace(&mut self.stage.has_begun, true)
    }

    /// Forgets a search that did not have enough labels: what counts is the one that finds the route.
    pub(crate) fn restart(&mut self) {
        self.counts = SearchCounts::default();
        self.stage = Stage { restarts: self.stage.restarts + 1, ..Stage::default() };
    }
}

/// How far searches have to reach: how many times what the shortest route would cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach(u64);

impl Default for Reach {
    fn default() -> Self {
        Self(8)
    }
}

impl Reach {
    /// Returns the cost in units below which a route from start to goal probably is.
    ///
    /// Small labels are soon used up, and all records cleared, if each search gets more of them than it needs.
    pub(crate) fn budget(self, grid: &CostGrid, Endpoints { start, goal }: Endpoints) -> u64 {
        /// Routes of a few steps may be long.
        const FEW_STEPS: u64 = 16;
        let (dx, dy) = grid.cell(goal) - grid.cell(start);
        let steps = u64::from(dx.unsigned_abs().max(dy.unsigned_abs())) + FEW_STEPS;
        grid.min_cost().map_or(0, |cost| u64::from(cost.units()) * steps * self.0)
    }

    /// Learns that a route cost more.
    pub(crate) fn extend(&mut self) {
        self.0 = self.0.saturating_mul(4).min(1 << 20);
    }
}

/// The containers of all searches, kept between queries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    /// The records of searches over neighbours that may need large labels.
    pub(crate) nodes: Nodes,
    /// The records of the other searches over neighbours.
    pub(crate) small_nodes: Nodes<u32>,
    /// Whether the last search over neighbours had small labels.
    pub(crate) is_small: bool,
    /// The search for all costs that was [paused](crate::search::dijkstra::fill).
    pub(crate) paused: Option<PausedSearch>,
    pub(crate) reach: Reach,
    /// The records of searches over jump points.
    pub(crate) jump_nodes: Nodes<JumpRecord>,
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
}

impl Memory {
    /// Returns the lowest cost that the last search over neighbours knows for a cell, in units; `None` if it has not
    /// seen the cell.
    #[inline(always)]
    pub(crate) fn cost(&self, at: usize) -> Option<u64> {
        if self.is_small { self.small_nodes.cost(at) } else { self.nodes.cost(at) }
    }

    /// Returns the direction of the step into a cell that the last search over neighbours has seen; any direction for
    /// the start.
    pub(crate) fn direction(&self, at: usize) -> Direction {
        if self.is_small { self.small_nodes.direction(at) } else { self.nodes.direction(at) }
    }

    /// Returns how many bytes the containers hold.
    pub(crate) fn bytes(&self) -> usize {
        let Self { nodes, small_nodes, jump_nodes, jump_successors, buckets, heap, greedy, queue, .. } = self;
        nodes.bytes()
            + small_nodes.bytes()
            + jump_nodes.bytes()
            + capacity_bytes(jump_successors)
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
