//! Budgets: how much of some long work one call does.

use std::ops::{ControlFlow, Range};

/// How many cells a call may still look at before it pauses.
#[derive(Debug)]
pub(crate) struct Budget {
    left: u64,
}

impl Budget {
    /// Enough for any work.
    pub(crate) const UNLIMITED: u64 = u64::MAX;

    /// A budget of that many cells, or of one if there are none, so that every call makes progress.
    pub(crate) fn new(cells: u64) -> Self {
        Self { left: cells.max(1) }
    }

    /// How many cells are left.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Spends some cells, or all that are left if these are fewer. Returns `Break` if none are left.
    pub(crate) fn spend(&mut self, cells: u64) -> ControlFlow<()> {
        self.left = self.left.saturating_sub(cells);
        if self.left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// A pass over rows of cells that goes on where it was paused.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pass {
    /// The first row that is left.
    next: usize,
}

impl Pass {
    /// Calls `work` for the rows that are left of `rows`, or for as many of them as the budget allows.
    pub(crate) fn run(
        &mut self,
        rows: usize,
        cells_in_row: usize,
        budget: &mut Budget,
        work: impl FnOnce(Range<usize>),
    ) -> ControlFlow<()> {
        let affordable = usize::try_from(budget.left().div_ceil(cells_in_row as u64)).unwrap_or(usize::MAX);
        let part = self.next..self.next.saturating_add(affordable).min(rows);
        self.next = part.end;
        let spent = budget.spend(part.len() as u64 * cells_in_row as u64);
        if !part.is_empty() {
            work(part);
        }
        if self.next < rows { spent } else { ControlFlow::Continue(()) }
    }
}
