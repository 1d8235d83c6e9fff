//! Budgets: how much work a single call may do.

use std::ops::{ControlFlow, Range};
use std::task::Poll;

/// The number of cells that a call may still visit before it pauses.
#[derive(Debug)]
pub struct Budget {
    left: u64,
}

impl Budget {
    /// Unlimited.
    pub const UNLIMITED: u64 = u64::MAX;

    /// A budget of `cells`, but at least one, so that every call makes progress.
    pub fn new(cells: u64) -> Self {
        Self { left: cells.max(1) }
    }

    /// The number of cells left.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Spends `cells`, or the rest if that is less. Returns `Break` if nothing is left.
    pub(crate) fn spend(&mut self, cells: u64) -> ControlFlow<()> {
        self.left = self.left.saturating_sub(cells);
        if self.left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The result of work in slices whose budget was [unlimited](Budget::UNLIMITED).
pub(crate) fn finished<T>(poll: Poll<T>) -> T {
    match poll {
        Poll::Ready(result) => result,
        Poll::Pending => unreachable!("the budget is unlimited"),
    }
}

/// The result of work that pauses with `Break` when its budget is spent.
pub(crate) fn poll<T>(work: ControlFlow<(), T>) -> Poll<T> {
    match work {
        ControlFlow::Continue(result) => Poll::Ready(result),
        ControlFlow::Break(()) => Poll::Pending,
    }
}

/// A pass over rows of cells that continues where it paused.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pass {
    /// The next row.
    next: usize,
}

impl Pass {
    /// Calls `work` for the remaining rows of `rows`, or for as many of them as the budget allows.
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
