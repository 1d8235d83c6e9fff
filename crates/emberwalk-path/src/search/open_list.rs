//! The trait of open lists, and all of them but the buckets.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use crate::search::buckets::Buckets;

/// The cells that a search has still to expand. In A* and Dijkstra's algorithm the smallest key comes out first, or
/// nearly so.
pub trait OpenList {
    /// Adds a cell. `estimate` is the key minus the cost so far, in units.
    fn push(&mut self, key: u64, estimate: u64, at: usize);

    /// Removes a cell; `None` if no key below `end` is left. A cell with a larger key may come out too.
    fn pop(&mut self, end: u64) -> Option<usize>;
}

/// First in, first out: the open list of breadth-first search.
impl OpenList for VecDeque<u32> {
    #[inline(always)]
    fn push(&mut self, _: u64, _: u64, at: usize) {
        self.push_back(at as u32);
    }

    #[inline(always)]
    fn pop(&mut self, _: u64) -> Option<usize> {
        self.pop_front().map(|at| at as usize)
    }
}

/// The open list of greedy search: the smallest estimate comes out first; ties go to the cell that was opened last.
#[derive(Clone, Debug, Default)]
pub(crate) struct GreedyHeap {
    /// Estimate, number of the opening, and cell.
    heap: BinaryHeap<(Reverse<u64>, u32, u32)>,
    opened: u32,
}

impl GreedyHeap {
    /// Removes all cells, and allocates memory for `capacity`.
    pub(crate) fn begin(&mut self, capacity: usize) {
        self.heap.clear();
        self.heap.reserve(capacity);
        self.opened = 0;
    }
}

impl OpenList for GreedyHeap {
    #[inline(always)]
    fn push(&mut self, _: u64, estimate: u64, at: usize) {
        self.opened += 1;
        self.heap.push((Reverse(estimate), self.opened, at as u32));
    }

    #[inline(always)]
    fn pop(&mut self, _: u64) -> Option<usize> {
        self.heap.pop().map(|(.., at)| at as usize)
    }
}

/// Orders cells by bucket; requires keys that never decrease.
impl OpenList for Buckets {
    #[inline(always)]
    fn push(&mut self, key: u64, _: u64, at: usize) {
        self.push(key, at as u32);
    }

    #[inline(always)]
    fn pop(&mut self, end: u64) -> Option<usize> {
        self.pop(end).map(|at| at as usize)
    }
}

/// Orders cells exactly by key. Ties go to the smallest estimate, in steps of 2^14 units, and then to the last cell by
/// row and column.
///
/// Key, estimate and cell are packed into one number, which is a sixth faster than a tuple. The heap returns the
/// largest number first, so all bits of key and estimate are inverted.
pub type Heap = BinaryHeap<u128>;

/// The number of bits for a cell's index; the estimate has the rest of 64.
const CELL_BITS: u32 = 25;
const ESTIMATE_BITS: u32 = 64 - CELL_BITS;
const ESTIMATE_STEP: u32 = 14;

impl OpenList for Heap {
    #[inline]
    fn push(&mut self, key: u64, estimate: u64, at: usize) {
        let max_estimate = (1 << ESTIMATE_BITS) - 1;
        let estimate = (estimate >> ESTIMATE_STEP).min(max_estimate);
        let low = (max_estimate - estimate) << CELL_BITS | at as u64;
        self.push(u128::from(!key) << 64 | u128::from(low));
    }

    #[inline]
    fn pop(&mut self, end: u64) -> Option<usize> {
        let top = *self.peek()?;
        if !((top >> 64) as u64) >= end {
            return None;
        }
        self.pop();
        Some(top as usize & ((1 << CELL_BITS) - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_by_key_then_estimate_then_cell() {
        let mut heap = Heap::new();
        let last = (4097 * 4098) as usize;
        let step = 1 << ESTIMATE_STEP;
        let cells = [(9, 0, 1), (8, step, 2), (8, 0, 3), (1 << 59, 5, last), (10, 3 * step, 4), (10, 3 * step + 1, 5)];
        for (key, estimate, at) in cells {
            OpenList::push(&mut heap, key, estimate, at);
        }
        let order: Vec<_> = std::iter::from_fn(|| OpenList::pop(&mut heap, 1 << 59)).collect();
        assert_eq!(order, [3, 2, 1, 5, 4]);
        assert_eq!(OpenList::pop(&mut heap, u64::MAX), Some(last));
    }
}
