//! Who does the work: threads, or the time between two frames. Both modules have the same items.

use std::ops::ControlFlow;

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(not(target_arch = "wasm32"))]
mod threads;

#[cfg(target_arch = "wasm32")]
pub(crate) use browser::{receive, start};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use threads::{receive, start};

/// Whether work may continue for now.
pub(crate) type HasTime<'a> = &'a (dyn Fn() -> bool + Sync);

/// Work that is called until it returns `Continue`.
pub(crate) type Run = Box<dyn FnMut(HasTime) -> ControlFlow<()> + Send>;
