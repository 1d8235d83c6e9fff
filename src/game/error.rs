//! Why there is no window.

use crate::diagnostics::Diagnostics;

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// There is no screen to show it on.
    #[error("the window needs a display, and there is none ({0}); `emberwalk render` and `emberwalk route` do not")]
    NoDisplay(String),
    /// There is nothing to draw it with.
    #[error(
        "the window needs a graphics adapter (Vulkan, Metal or DirectX 12), and there is none; `emberwalk render` and \
         `emberwalk route` do not"
    )]
    NoAdapter,
    /// A library of the system that windows need is not installed.
    #[error(
        "the window needs libraries of the system that are not installed: {0}; `emberwalk render` and `emberwalk route` do not"
    )]
    NoLibrary(String),
    /// The files have faults, and there is no window that could show them.
    #[error(transparent)]
    Diagnostics(#[from] Diagnostics),
    /// The engine stopped with an error.
    #[error("the window ended with an error")]
    Engine,
}
