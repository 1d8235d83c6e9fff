//! A set of cells that is cheap to fill and to empty.

use crate::{CostGrid, MultiQuery};

/// A set of indices of a grid's array: one bit for each index, and a list of the members.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellSet {
    bits: Vec<u64>,
    members: Vec<u32>,
}

impl CellSet {
    /// Empties the set and makes room for indices below `len`, and for `capacity` members.
    pub(crate) fn begin(&mut self, len: usize, capacity: usize) {
        self.clear();
        self.bits.resize(len.div_ceil(64).max(self.bits.len()), 0);
        self.members.reserve(capacity);
    }

    /// Removes all members; O(members).
    pub(crate) fn clear(&mut self) {
        for at in self.members.drain(..) {
            self.bits[at as usize / 64] = 0;
        }
    }

    /// The members, in the order in which they were added.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.members.iter().map(|&at| at as usize)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    pub(crate) fn contains(&self, at: usize) -> bool {
        self.bits[at / 64] & (1 << (at % 64)) != 0
    }

    /// Adds an index; returns whether it was not in the set before.
    pub(crate) fn insert(&mut self, at: usize) -> bool {
        let is_new = !self.contains(at);
        if is_new {
            self.bits[at / 64] |= 1 << (at % 64);
            self.members.push(at as u32);
        }
        is_new
    }
}

/// The cells of queries with several of them, kept between queries.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellSets {
    /// The indices of the starts that can be used.
    pub(crate) starts: Vec<usize>,
    pub(crate) goals: CellSet,
    pub(crate) avoided: CellSet,
}

impl CellSets {
    /// Fills in the cells to avoid, without starts and goals.
    pub(crate) fn begin(&mut self, grid: &CostGrid, query: &MultiQuery<'_>) {
        let len = grid.entry_units().len();
        self.starts.clear();
        self.goals.begin(len, query.goals.len());
        self.avoided.begin(len, query.avoided.len());
        for &cell in query.avoided.iter().filter(|&&cell| grid.size().contains(cell)) {
            self.avoided.insert(grid.index(cell));
        }
    }
}
