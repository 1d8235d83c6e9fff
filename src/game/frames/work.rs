//! What is done beside the frames, in a form that can be paused.

use std::ops::ControlFlow;

/// Says whether work is to go on, or is to be broken off for a while.
pub type GoOn<'a> = &'a (dyn Fn() -> ControlFlow<()> + Sync);

/// Work that is called until it returns `Continue`.
pub(super) type Work = Box<dyn FnMut(GoOn<'_>) -> ControlFlow<()> + Send>;
