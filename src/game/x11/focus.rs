//! Takes the keyboard focus on an X server without a window manager, where the window would never get it otherwise.

use std::time::Duration;

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt, EventMask, InputFocus};

use crate::game::frames::hidden::Hidden;
use crate::game::frames::wake::Wake;

use super::XServer;

/// There is no window manager.
#[derive(Resource)]
struct Unmanaged;

/// The interval between two attempts.
const PERIOD: Duration = Duration::from_millis(100);

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, find_window_manager.run_if(resource_exists::<XServer>))
        .add_systems(Update, take_focus.run_if(resource_exists::<Unmanaged>));
}

fn find_window_manager(server: Res<XServer>, mut commands: Commands) {
    if has_window_manager(&server) == Some(false) {
        commands.insert_resource(Unmanaged);
    }
}

/// Tries again and again until the window has the focus. Until then it does not sleep for long.
fn take_focus(
    server: Res<XServer>,
    window: Query<&Window, With<PrimaryWindow>>,
    hidden: Res<Hidden>,
    time: Res<Time<Real>>,
    mut next_attempt: Local<Duration>,
    mut wakes: MessageWriter<Wake>,
) {
    if hidden.0 || window.single().is_ok_and(|window| window.focused) {
        return;
    }
    if *next_attempt <= time.elapsed() {
        *next_attempt = time.elapsed() + PERIOD;
        ask_for_focus(&server);
    }
    wakes.write(Wake::After(*next_attempt - time.elapsed()));
}

/// Whether a window manager runs: the one client that may redirect the root window's children. `None` if the
/// server does not answer.
fn has_window_manager(XServer { connection, screen, .. }: &XServer) -> Option<bool> {
    let root = connection.setup().roots.get(*screen)?.root;
    let masks = connection.get_window_attributes(root).ok()?.reply().ok()?.all_event_masks;
    Some(masks.contains(EventMask::SUBSTRUCTURE_REDIRECT))
}

/// Asks the server to give the keyboard focus to the window. The server refuses while the window is not mapped.
fn ask_for_focus(XServer { connection, window, .. }: &XServer) {
    if let Ok(request) = connection.set_input_focus(InputFocus::POINTER_ROOT, *window, x11rb::CURRENT_TIME) {
        request.ignore_error();
        // This fails only if the server is gone.
        let _ = connection.flush();
    }
}
