//! What is done beside the frames, in a form that can be paused.

use std::ops::ControlFlow;

/// Says whether work is to go on, or is to be broken off for a while.
pub type GoOn<'a> = &'a (dyn Fn() -> ControlFlow<()> + Sync);

/// Work that is called until it returns `Continue`.
pub(super) type Work = Box<dyn FnMut(GoOn<'_>) -> ControlFlow<()> + Send>;

/// About how many cells the planner looks at in a slice: a millisecond or two.
const SLICE: u64 = 10_000;

/// Calls `advance` with the size of a slice until it returns something, and asks in between whether to go on.
pub fn in_slices<T>(go_on: GoOn<'_>, mut advance: impl FnMut(u64) -> Option<T>) -> ControlFlow<(), T> {
    loop {
        if let Some(done) = advance(SLICE) {
            return ControlFlow::Continue(done);
        }
        go_on()?;
    }
}
