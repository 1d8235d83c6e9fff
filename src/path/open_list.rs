//! What the searches by cost so far and estimate need of an open list.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::buckets::Buckets;

/// Cells by a key, the smallest first, or nearly so.
pub(super) trait OpenList {
    /// Puts in a cell with its key and its label, which is the part of the key that is no estimate.
    fn push(&mut self, key: u64, label: u64, at: usize);

    /// Takes a cell out; `None` if no key below `end` is left. Cells of other keys may come out too.
    fn pop(&mut self, end: u64) -> Option<usize>;
}

/// In the order of buckets: for keys that never fall.
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

/// In the exact order of keys, whatever they are: of equal keys the one of the smallest estimate, which has the
/// largest label, and of these the last by row, then by column.
pub(super) type Heap = BinaryHeap<(Reverse<u64>, u64, u32)>;

impl OpenList for Heap {
    fn push(&mut self, key: u64, label: u64, at: usize) {
        self.push((Reverse(key), label, at as u32));
    }

    fn pop(&mut self, end: u64) -> Option<usize> {
        if self.peek()?.0.0 >= end {
            return None;
        }
        self.pop().map(|(_, _, at)| at as usize)
    }
}
