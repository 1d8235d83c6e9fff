//! Looks for a display and a graphics adapter before the engine starts, which would stop without them.

use std::sync::OnceLock;

use bevy::render::settings::WgpuSettings;

use super::error::WindowError;

/// Says what is missing for a window, if anything is.
pub fn check() -> Result<(), WindowError> {
    display()?;
    adapter()
}

/// A display to open the window on: a Wayland compositor or an X server that answers, and the libraries to speak to it.
#[cfg(all(unix, not(target_os = "macos")))]
fn display() -> Result<(), WindowError> {
    use std::env::var_os;
    use std::path::PathBuf;

    let set = |name: &str| var_os(name).filter(|value| !value.is_empty());
    if set("WAYLAND_SOCKET").is_some() {
        return libraries(&WAYLAND_LIBRARIES);
    }
    if let Some(name) = set("WAYLAND_DISPLAY") {
        let socket = set("XDG_RUNTIME_DIR").map(PathBuf::from).unwrap_or_default().join(&name);
        std::os::unix::net::UnixStream::connect(&socket).map_err(|error| {
            let name = name.to_string_lossy();
            WindowError::NoDisplay(format!("WAYLAND_DISPLAY is {name}, where nobody answers: {error}"))
        })?;
        return libraries(&WAYLAND_LIBRARIES);
    }
    if set("DISPLAY").is_none() {
        return Err(WindowError::NoDisplay("neither DISPLAY nor WAYLAND_DISPLAY is set".into()));
    }
    x11rb::connect(None).map_err(|error| WindowError::NoDisplay(error.to_string()))?;
    libraries(&X_LIBRARIES)
}

/// What the engine loads when it opens a window under X, where it would stop without.
#[cfg(all(unix, not(target_os = "macos")))]
const X_LIBRARIES: [&str; 6] =
    ["libX11.so.6", "libX11-xcb.so.1", "libXcursor.so.1", "libXi.so.6", "libxkbcommon.so.0", "libxkbcommon-x11.so.0"];

/// The same under Wayland.
#[cfg(all(unix, not(target_os = "macos")))]
const WAYLAND_LIBRARIES: [&str; 2] = ["libwayland-client.so.0", "libxkbcommon.so.0"];

/// Looks the libraries up in the system's own list of them. Where there is no such list, or a path of the user's own, they
/// are taken to be there.
#[cfg(all(unix, not(target_os = "macos")))]
fn libraries(names: &[&str]) -> Result<(), WindowError> {
    let Ok(list) = std::fs::read("/etc/ld.so.cache") else { return Ok(()) };
    if std::env::var_os("LD_LIBRARY_PATH").is_some() {
        return Ok(());
    }
    let listed = |name: &str| {
        list.windows(name.len() + 1).any(|text| text.ends_with(b"\0") && text.starts_with(name.as_bytes()))
    };
    let missing: Vec<_> = names.iter().copied().filter(|name| !listed(name)).collect();
    if missing.is_empty() { Ok(()) } else { Err(WindowError::NoLibrary(missing.join(", "))) }
}

#[cfg(not(all(unix, not(target_os = "macos"))))]
fn display() -> Result<(), WindowError> {
    Ok(())
}

/// The instance that was asked for adapters. It lives as long as the program: without it the driver would be unloaded here,
/// and loaded again a moment later by the engine.
static INSTANCE: OnceLock<wgpu::Instance> = OnceLock::new();

/// A graphics adapter of a kind that the engine uses.
fn adapter() -> Result<(), WindowError> {
    let backends = WgpuSettings::default().backends.unwrap_or(wgpu::Backends::all());
    let instance = INSTANCE.get_or_init(|| {
        let settings = wgpu::InstanceDescriptor::new_without_display_handle();
        wgpu::Instance::new(wgpu::InstanceDescriptor { backends, ..settings })
    });
    let found = bevy::tasks::block_on(instance.enumerate_adapters(backends));
    if found.is_empty() { Err(WindowError::NoAdapter) } else { Ok(()) }
}
