//! The errors of opening and running the window.

use std::io;

use emberwalk_map::diagnostics::Diagnostics;

/// The reason why the window could not be opened or stopped.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// There is no display.
    #[error(
        "the window needs a display, but there is none ({0}); `emberwalk render` and `emberwalk route` need no window"
    )]
    NoDisplay(String),
    /// A setting for the scale of the display makes no sense.
    #[error("the window cannot have this scale: {0}; `emberwalk render` and `emberwalk route` need no window")]
    BadScale(String),
    /// The system does not let the program start enough threads.
    #[error(
        "the window needs about {0} threads, but the system allows fewer ({1}); `emberwalk render` and `emberwalk route` \
         need no window"
    )]
    NoThreads(usize, io::Error),
    /// There is no graphics adapter.
    #[error(
        "the window needs a graphics adapter (Vulkan, Metal or DirectX 12), but there is none; `emberwalk render` and \
         `emberwalk route` need no window"
    )]
    NoAdapter,
    /// A graphics adapter was found, but its driver reports an error.
    #[error("the graphics adapter {0} cannot be opened: {1}; `emberwalk render` and `emberwalk route` need no window")]
    BrokenAdapter(String, String),
    /// System libraries that the window needs are not installed.
    #[error(
        "the window needs system libraries that are not installed: {0}; `emberwalk render` and `emberwalk route` need \
         no window"
    )]
    NoLibrary(String),
    /// No map could be loaded, or no window could be opened to show the diagnostics in.
    #[error(transparent)]
    Diagnostics(#[from] Diagnostics),
    /// The request is not possible on the map.
    #[error("{0}")]
    Refused(String),
    /// The engine stopped with an error.
    #[error("the window stopped with an error")]
    Engine,
}
