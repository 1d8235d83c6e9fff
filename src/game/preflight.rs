//! Checks for a display and a graphics adapter before the engine starts, because the engine panics without them.

use std::sync::OnceLock;

use bevy::render::settings::WgpuSettings;

use super::error::WindowError;

/// Checks that a window can be opened.
///
/// # Errors
/// What is missing.
pub fn check() -> Result<(), WindowError> {
    check_display()?;
    check_adapter()
}

/// Checks that a Wayland compositor or an X server answers, and that the libraries for it are installed.
#[cfg(all(unix, not(target_os = "macos")))]
fn check_display() -> Result<(), WindowError> {
    use std::env::var_os;
    use std::path::PathBuf;

    let set = |name: &str| var_os(name).filter(|value| !value.is_empty());
    if set("WAYLAND_SOCKET").is_some() {
        return check_libraries(&WAYLAND_LIBRARIES);
    }
    if let Some(name) = set("WAYLAND_DISPLAY") {
        let socket = set("XDG_RUNTIME_DIR").map(PathBuf::from).unwrap_or_default().join(&name);
        std::os::unix::net::UnixStream::connect(&socket).map_err(|error| {
            let name = name.to_string_lossy();
            WindowError::NoDisplay(format!("WAYLAND_DISPLAY is {name}, but no compositor answers there: {error}"))
        })?;
        return check_libraries(&WAYLAND_LIBRARIES);
    }
    if set("DISPLAY").is_none() {
        return Err(WindowError::NoDisplay("neither DISPLAY nor WAYLAND_DISPLAY is set".into()));
    }
    x11rb::connect(None).map_err(|error| WindowError::NoDisplay(error.to_string()))?;
    check_libraries(&X_LIBRARIES)
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
fn check_display() -> Result<(), WindowError> {
    Ok(())
}

/// The instance that enumerated the adapters. It is kept for the whole run: dropping it would unload the driver, which
/// the engine would load again a moment later.
static INSTANCE: OnceLock<wgpu::Instance> = OnceLock::new();

/// Checks that there is a graphics adapter with a backend that the engine uses.
fn check_adapter() -> Result<(), WindowError> {
    let backends = WgpuSettings::default().backends.unwrap_or(wgpu::Backends::all());
    let instance = INSTANCE.get_or_init(|| {
        let settings = wgpu::InstanceDescriptor::new_without_display_handle();
        wgpu::Instance::new(wgpu::InstanceDescriptor { backends, ..settings })
    });
    let found = bevy::tasks::block_on(instance.enumerate_adapters(backends));
    if found.is_empty() { Err(WindowError::NoAdapter) } else { Ok(()) }
}
