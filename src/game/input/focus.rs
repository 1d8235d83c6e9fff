//! Takes the keyboard on an X server without a window manager, where nobody else would give it to the window.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::common_conditions::on_timer;
use bevy::window::{PrimaryWindow, RawHandleWrapper};
use raw_window_handle::RawWindowHandle;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt, EventMask, InputFocus};
use x11rb::rust_connection::RustConnection;

/// A connection to a server on which no window manager runs.
#[derive(Resource)]
struct BareServer(RustConnection);

/// How often the focus is looked after.
const PERIOD: Duration = Duration::from_millis(100);

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, find_bare_server)
        .add_systems(Update, take.run_if(resource_exists::<BareServer>.and_then(on_timer(PERIOD))));
}

fn find_bare_server(window: Query<&RawHandleWrapper, With<PrimaryWindow>>, mut commands: Commands) {
    if window.single().is_ok_and(|window| x_window(window).is_some())
        && let Ok((connection, screen)) = x11rb::connect(None)
        && let Some(false) = has_manager(&connection, screen)
    {
        commands.insert_resource(BareServer(connection));
    }
}

/// The number of a window on an X server.
pub(in crate::game) fn x_window(window: &RawHandleWrapper) -> Option<u32> {
    match window.get_window_handle() {
        RawWindowHandle::Xlib(handle) => u32::try_from(handle.window).ok(),
        RawWindowHandle::Xcb(handle) => Some(handle.window.get()),
        _ => None,
    }
}

/// Whether a window manager runs: it is the one client that redirects the windows of the root. `None` if the server does
/// not tell.
fn has_manager(connection: &RustConnection, screen: usize) -> Option<bool> {
    let root = connection.setup().roots.get(screen)?.root;
    let asked = connection.get_window_attributes(root).ok()?.reply().ok()?.all_event_masks;
    Some(asked.contains(EventMask::SUBSTRUCTURE_REDIRECT))
}

fn take(server: Res<BareServer>, window: Query<(&Window, &RawHandleWrapper), With<PrimaryWindow>>) {
    if let Ok((window, handle)) = window.single()
        && !window.focused
        && let Some(id) = x_window(handle)
    {
        // While the window is not shown yet the server refuses; the next try will do.
        let asked = server.0.set_input_focus(InputFocus::POINTER_ROOT, id, x11rb::CURRENT_TIME);
        if asked.is_ok_and(|cookie| cookie.check().is_err()) {
            debug!("the server did not give the keyboard to the window");
        }
    }
}
