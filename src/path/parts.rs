//! Connected parts: which cells can reach each other at all.

use super::{Corners, CostGrid, Moves};
use crate::grid::Cell;

/// The connected parts of a cost grid, kept true as the grid changes.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    corners: bool,
    labels: Vec<u32>,
    grid: u64,
    version: u64,
    stack: Vec<u32>,
}

impl Parts {
    /// Parts of no grid yet, for these rules.
    pub fn new(moves: Moves, corners: Corners) -> Self {
        Self { corners: Self::is_joined_by_corners(moves, corners), ..Self::default() }
    }

    pub(super) fn is_joined_by_corners(moves: Moves, corners: Corners) -> bool {
        moves == Moves::Eight && corners == Corners::Always
    }

    /// Catches up with the grid as it is now.
    pub fn update(&mut self, grid: &CostGrid) {
        if (self.grid, self.version) == (grid.id(), grid.version()) {
            return;
        }
        (self.grid, self.version) = (grid.id(), grid.version());
        let stored = grid.stored();
        self.labels.clear();
        self.labels.resize(stored.len(), 0);
        let stride = grid.stride() as isize;
        let offsets = [-stride, 1, stride, -1, 1 - stride, 1 + stride, stride - 1, -stride - 1];
        let offsets = &offsets[..if self.corners { 8 } else { 4 }];
        let mut count = 0;
        for at in 0..stored.len() {
            if stored[at] == 0 || self.labels[at] != 0 {
                continue;
            }
            count += 1;
            self.labels[at] = count;
            self.stack.push(at as u32);
            while let Some(at) = self.stack.pop() {
                for &offset in offsets {
                    let there = (at as usize).wrapping_add_signed(offset);
                    if stored[there] != 0 && self.labels[there] == 0 {
                        self.labels[there] = count;
                        self.stack.push(there as u32);
                    }
                }
            }
        }
    }

    /// Whether a way leads from one cell to the other; `grid` is the one that [`update`](Self::update) saw.
    pub fn connect(&self, grid: &CostGrid, one: Cell, other: Cell) -> bool {
        let label = |cell| if grid.size().contains(cell) { self.labels[grid.index(cell)] } else { 0 };
        label(one) != 0 && label(one) == label(other)
    }
}
