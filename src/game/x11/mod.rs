//! Workarounds for X servers, where the engine does not do these things. The server may be far away, so no frame waits
//! for its answers.

mod focus;
mod late_events;
mod minimised;
mod motion;
mod wheel;

use std::sync::Arc;

use bevy::prelude::*;
use bevy::window::{PrimaryWindow, RawHandleWrapper};
use raw_window_handle::RawWindowHandle;
use x11rb::rust_connection::RustConnection;

/// A connection to the X server, and the window there.
#[derive(Resource)]
struct XServer {
    connection: Arc<RustConnection>,
    screen: usize,
    window: u32,
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(PreStartup, connect).add_plugins((
        focus::plugin,
        late_events::plugin,
        minimised::plugin,
        motion::plugin,
        wheel::plugin,
    ));
}

fn connect(window: Query<&RawHandleWrapper, With<PrimaryWindow>>, mut commands: Commands) {
    let window = window.single().ok().and_then(|window| match window.get_window_handle() {
        RawWindowHandle::Xlib(handle) => u32::try_from(handle.window).ok(),
        RawWindowHandle::Xcb(handle) => Some(handle.window.get()),
        _ => None,
    });
    if let Some(window) = window
        && let Ok((connection, screen)) = x11rb::connect(None)
    {
        commands.insert_resource(XServer { connection: Arc::new(connection), screen, window });
    }
}
