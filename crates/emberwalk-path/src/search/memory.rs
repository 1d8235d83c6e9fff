//! What searches keep for the next, and what every one of them is given and counts.

use std::collections::VecDeque;

use super::buckets::Buckets;
use super::greedy;
use super::nodes::Nodes;
use super::open_list::Heap;
use crate::CostGrid;

/// Where a search starts and ends, by the grid's index.
#[derive(Clone, Copy)]
pub(crate) struct Endpoints {
    pub(crate) start: usize,
    pub(crate) goal: usize,
}

/// What a search counts.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) expanded: u64,
    pub(crate) reopened: u64,
}

/// What searches use and keep for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) nodes: Nodes,
    pub(crate) buckets: Buckets,
    pub(crate) heap: Heap,
    pub(crate) greedy: greedy::Open,
    pub(crate) line: VecDeque<u32>,
}

/// How many entries an open list or a route may have before it asks for more memory than at its first use on a grid
/// of this size: more than nearly all ever have, so that a planner is warm after its first query.
pub(crate) fn usual_share(grid: &CostGrid) -> usize {
    grid.stored().len() / 8 + 64
}
