//! Long work that asks every few milliseconds whether to go on, and that can be paused.

use std::ops::{ControlFlow, Range};

/// Says whether work is to go on.
pub(crate) type GoOn<'a> = &'a (dyn Fn() -> ControlFlow<()> + Sync);

/// For work that nobody pauses.
pub(crate) const ALWAYS: GoOn<'static> = &|| ControlFlow::Continue(());

/// How many cells are worked on between two questions.
pub(crate) const CELLS_BETWEEN_QUESTIONS: usize = 1 << 13;

/// How many cells a search expands between two questions.
pub(crate) const EXPANSIONS_BETWEEN_QUESTIONS: u64 = 1 << 11;

/// How many cells several threads work on between two questions.
pub(crate) const CELLS_BETWEEN_QUESTIONS_OF_THREADS: usize = 1 << 15;

/// A pass over rows of cells that goes on where it was paused.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pass {
    /// The first row that is left.
    next: usize,
}

impl Pass {
    /// Calls `work` for the rows that are left of `rows`, for `rows_at_once` of them at a time, and `go_on` in between.
    pub(crate) fn run(
        &mut self,
        rows: usize,
        rows_at_once: usize,
        go_on: GoOn<'_>,
        mut work: impl FnMut(Range<usize>),
    ) -> ControlFlow<()> {
        while self.next < rows {
            let part = self.next..(self.next + rows_at_once).min(rows);
            self.next = part.end;
            work(part);
            if self.next < rows {
                go_on()?;
            }
        }
        ControlFlow::Continue(())
    }
}
