//! The open list: a heap for now.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    heap: BinaryHeap<(Reverse<u64>, u32)>,
}

impl Queue {
    pub(super) fn clear(&mut self) {
        self.heap.clear();
    }

    pub(super) fn push(&mut self, key: u64, at: usize) {
        self.heap.push((Reverse(key), at as u32));
    }

    pub(super) fn pop(&mut self) -> Option<(u64, usize)> {
        self.heap.pop().map(|(Reverse(key), at)| (key, at as usize))
    }
}
