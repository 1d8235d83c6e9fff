//! Looks for a display and a graphics adapter before the engine starts, which would stop without them.

use bevy::render::settings::WgpuSettings;

use super::window::WindowError;

/// Says what is missing for a window, if anything is.
pub fn look() -> Result<(), WindowError> {
    display()?;
    adapter()
}

/// A display to open the window on: a Wayland socket that is there, or an X server that answers.
#[cfg(all(unix, not(target_os = "macos")))]
fn display() -> Result<(), WindowError> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if set("WAYLAND_DISPLAY").is_some() || set("WAYLAND_SOCKET").is_some() {
        return Ok(());
    }
    if set("DISPLAY").is_none() {
        return Err(WindowError::NoDisplay("neither DISPLAY nor WAYLAND_DISPLAY is set".into()));
    }
    x11rb::connect(None).map(drop).map_err(|error| WindowError::NoDisplay(error.to_string()))
}

#[cfg(not(all(unix, not(target_os = "macos"))))]
fn display() -> Result<(), WindowError> {
    Ok(())
}

/// A graphics adapter of a kind that the engine uses.
fn adapter() -> Result<(), WindowError> {
    let backends = WgpuSettings::default().backends.unwrap_or(wgpu::Backends::all());
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends,
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let found = bevy::tasks::block_on(instance.enumerate_adapters(backends));
    if found.is_empty() { Err(WindowError::NoAdapter) } else { Ok(()) }
}
