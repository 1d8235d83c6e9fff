//! Checks for threads and a display before the engine starts, because the engine panics without them, and opens the
//! graphics adapter.

use std::num::NonZero;
use std::sync::Mutex;
use std::thread::{self, Builder};

use crate::game::platform::error::WindowError;

use super::graphics::GraphicsThread;

/// System resources for the window: the graphics adapter, and a connection that must be kept until the engine is
/// connected. An X server may restart when its last client leaves, and refuses connections meanwhile.
#[derive(Debug)]
pub struct Preflight(Result<(GraphicsThread, DisplayConnection), WindowError>);

/// A connection to the display; `None` if nothing depends on it.
#[cfg(all(unix, not(target_os = "macos")))]
pub(in crate::game) type DisplayConnection = Option<x11rb::rust_connection::RustConnection>;

#[cfg(not(all(unix, not(target_os = "macos"))))]
pub(in crate::game) type DisplayConnection = ();

impl Preflight {
    /// Checks for threads and a display. If there are any, starts to open the graphics adapter on another thread, which
    /// takes as long as reading the files.
    pub fn start() -> Self {
        let display = check_threads().and_then(|()| check_display());
        Self(display.map(|display| (GraphicsThread::start(), display)))
    }

    /// The adapter and the connection.
    ///
    /// # Errors
    /// An error names the missing resource.
    pub(in crate::game) fn finish(self) -> Result<(GraphicsThread, DisplayConnection), WindowError> {
        self.0
    }
}

/// Checks that the system allows as many threads as the window starts: a few each for the engine, the graphics driver
/// and this program, and for the first two one more per processor.
fn check_threads() -> Result<(), WindowError> {
    let count = 20 + 2 * thread::available_parallelism().map_or(1, NonZero::get);
    let gate = Mutex::new(());
    thread::scope(|scope| {
        // All threads live until this is dropped.
        let closed = gate.lock();
        let started = (0..count).try_for_each(|_| {
            let pass = || drop(gate.lock());
            Builder::new().spawn_scoped(scope, pass).map(drop)
        });
        drop(closed);
        started.map_err(|error| WindowError::NoThreads(count, error))
    })
}

/// Checks that a Wayland compositor or an X server answers, that the server's scale makes sense, and that the libraries
/// for it are installed.
#[cfg(all(unix, not(target_os = "macos")))]
fn check_display() -> Result<DisplayConnection, WindowError> {
    use std::env::var_os;
    use std::path::PathBuf;

    let set = |name: &str| var_os(name).filter(|value| !value.is_empty());
    if set("WAYLAND_SOCKET").is_some() {
        return check_libraries(&WAYLAND_LIBRARIES).map(|()| None);
    }
    if let Some(name) = set("WAYLAND_DISPLAY") {
        let socket = set("XDG_RUNTIME_DIR").map(PathBuf::from).unwrap_or_default().join(&name);
        std::os::unix::net::UnixStream::connect(&socket).map_err(|error| {
            let name = name.to_string_lossy();
            WindowError::NoDisplay(format!("WAYLAND_DISPLAY is {name}, but no compositor answers there: {error}"))
        })?;
        return check_libraries(&WAYLAND_LIBRARIES).map(|()| None);
    }
    if set("DISPLAY").is_none() {
        return Err(WindowError::NoDisplay("neither DISPLAY nor WAYLAND_DISPLAY is set".into()));
    }
    let (connection, screen) = x11rb::connect(None).map_err(|error| WindowError::NoDisplay(error.to_string()))?;
    super::scale_factor::check(&connection, screen)?;
    check_libraries(&X_LIBRARIES).map(|()| Some(connection))
}

/// The libraries that the engine loads to open a window under X11. It panics if one is missing.
#[cfg(all(unix, not(target_os = "macos")))]
const X_LIBRARIES: [&str; 6] =
    ["libX11.so.6", "libX11-xcb.so.1", "libXcursor.so.1", "libXi.so.6", "libxkbcommon.so.0", "libxkbcommon-x11.so.0"];

/// The libraries that the engine loads to open a window under Wayland.
#[cfg(all(unix, not(target_os = "macos")))]
const WAYLAND_LIBRARIES: [&str; 2] = ["libwayland-client.so.0", "libxkbcommon.so.0"];

/// Looks the libraries up in the cache of the dynamic linker. If there is no cache, or if the user has set a search
/// path, they are assumed to be installed.
#[cfg(all(unix, not(target_os = "macos")))]
fn check_libraries(names: &[&str]) -> Result<(), WindowError> {
    let Ok(cache) = std::fs::read("/etc/ld.so.cache") else { return Ok(()) };
    if std::env::var_os("LD_LIBRARY_PATH").is_some() {
        return Ok(());
    }
    let is_listed = |name: &str| {
        cache.windows(name.len() + 1).any(|text| text.ends_with(b"\0") && text.starts_with(name.as_bytes()))
    };
    let missing: Vec<_> = names.iter().copied().filter(|name| !is_listed(name)).collect();
    if missing.is_empty() { Ok(()) } else { Err(WindowError::NoLibrary(missing.join(", "))) }
}

#[cfg(not(all(unix, not(target_os = "macos"))))]
fn check_display() -> Result<DisplayConnection, WindowError> {
    Ok(())
}
