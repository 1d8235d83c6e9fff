//! What the searches by cost so far and estimate need of an open list.

use std::collections::BinaryHeap;

use crate::search::buckets::Buckets;

/// Cells by a key, the smallest first, or nearly so.
pub(crate) trait OpenList {
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

/// In the exact order of keys, whatever they are: of equal keys the one of the smallest estimate, in steps of 2^14
/// units, and of these the last by row, then by column.
///
/// All that decides is in one number, the largest first, which is a sixth quicker than a tuple: the key, the
/// estimate and the cell, the first two with all bits turned.
pub(crate) type Heap = BinaryHeap<u128>;

/// A cell's index takes so many bits; the estimate has the rest of 64.
const CELL_BITS: u32 = 25;
const ESTIMATE_BITS: u32 = 64 - CELL_BITS;
const ESTIMATE_STEP: u32 = 14;

impl OpenList for Heap {
    #[inline]
    fn push(&mut self, key: u64, label: u64, at: usize) {
        let most = (1 << ESTIMATE_BITS) - 1;
        let estimate = ((key - label) >> ESTIMATE_STEP).min(most);
        let low = (most - estimate) << CELL_BITS | at as u64;
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
    fn keys_then_estimates_then_cells_decide() {
        let mut heap = Heap::new();
        let last = (4097 * 4098) as usize;
        let cells = [(9, 9, 1), (8, 0, 2), (8, 8, 3), (1 << 59, 5, last), (8 + (3 << 14), 8, 4), (8 + (3 << 14), 8, 5)];
        for (key, label, at) in cells {
            OpenList::push(&mut heap, key, label, at);
        }
        let order: Vec<_> = std::iter::from_fn(|| OpenList::pop(&mut heap, 1 << 59)).collect();
        assert_eq!(order, [3, 2, 1, 5, 4]);
        assert_eq!(OpenList::pop(&mut heap, u64::MAX), Some(last));
    }
}
