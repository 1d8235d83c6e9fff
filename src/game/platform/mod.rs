//! The operating system: a folder for desktops and one for browsers, both with the same items.

use std::ops::ControlFlow;

#[cfg(not(target_arch = "wasm32"))]
mod desktop;
pub mod error;
#[cfg(target_arch = "wasm32")]
mod web;

#[cfg(not(target_arch = "wasm32"))]
pub use desktop::*;
#[cfg(target_arch = "wasm32")]
pub use web::*;

/// Whether work may continue for now.
pub(super) type HasTime<'a> = &'a (dyn Fn() -> bool + Sync);

/// Work that is called until it returns `Continue`.
type Run = Box<dyn FnMut(HasTime) -> ControlFlow<()> + Send>;
