//! Takes the keyboard focus on an X server without a window manager, where nothing else would give it to the window.

use std::time::Duration;

use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::game::frames::hidden::Hidden;
use crate::game::frames::wake::Wake;
use crate::game::x_server::XServer;

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
    if server.has_window_manager() == Some(false) {
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
        server.take_focus();
    }
    wakes.write(Wake::After(*next_attempt - time.elapsed()));
}
