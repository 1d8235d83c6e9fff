//! Takes the keyboard focus on an X server without a window manager, where nothing else would give it to the window.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::common_conditions::on_timer;
use bevy::window::{PrimaryWindow, RawHandleWrapper};
use raw_window_handle::RawWindowHandle;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt, EventMask, InputFocus};
use x11rb::rust_connection::RustConnection;

/// A connection to an X server without a window manager.
#[derive(Resource)]
struct UnmanagedServer(RustConnection);

/// The interval between two checks of the focus.
const PERIOD: Duration = Duration::from_millis(100);

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, find_unmanaged_server)
        .add_systems(Update, take_focus.run_if(resource_exists::<UnmanagedServer>.and_then(on_timer(PERIOD))));
}

fn find_unmanaged_server(window: Query<&RawHandleWrapper, With<PrimaryWindow>>, mut commands: Commands) {
    if window.single().is_ok_and(|window| x_window(window).is_some())
        && let Ok((connection, screen)) = x11rb::connect(None)
        && let Some(false) = has_window_manager(&connection, screen)
    {
        commands.insert_resource(UnmanagedServer(connection));
    }
}

/// Returns the ID of a window on an X server.
pub(in crate::game) fn x_window(window: &RawHandleWrapper) -> Option<u32> {
    match window.get_window_handle() {
        RawWindowHandle::Xlib(handle) => u32::try_from(handle.window).ok(),
        RawWindowHandle::Xcb(handle) => Some(handle.window.get()),
        _ => None,
    }
}

/// Returns whether a window manager runs: the one client that may redirect the root window's children. `None` if the
/// server does not answer.
fn has_window_manager(connection: &RustConnection, screen: usize) -> Option<bool> {
    let root = connection.setup().roots.get(screen)?.root;
    let masks = connection.get_window_attributes(root).ok()?.reply().ok()?.all_event_masks;
    Some(masks.contains(EventMask::SUBSTRUCTURE_REDIRECT))
}

fn take_focus(server: Res<UnmanagedServer>, window: Query<(&Window, &RawHandleWrapper), With<PrimaryWindow>>) {
    if let Ok((window, handle)) = window.single()
        && !window.focused
        && let Some(id) = x_window(handle)
    {
        // The server refuses until the window is mapped; a later try succeeds.
        let request = server.0.set_input_focus(InputFocus::POINTER_ROOT, id, x11rb::CURRENT_TIME);
        if request.is_ok_and(|cookie| cookie.check().is_err()) {
            debug!("the X server did not give the keyboard focus to the window");
        }
    }
}
