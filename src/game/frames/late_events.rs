//! Looks for events of the X server that came while a frame was being shown. The graphics driver uses the window's
//! connection from threads of its own. Events that it reads but does not want are queued for the event loop. That
//! sleeps all the same, because it waits until the connection has something to read.

use std::time::Duration;

use bevy::prelude::*;
use bevy::winit::{EventLoopProxy, EventLoopProxyWrapper, WinitUserEvent};

use crate::game::x_server::XServer;

use super::alarm::Repeater;

/// A thread that makes the event loop look for events a few times after each frame.
#[derive(Resource)]
struct LateEvents(Repeater);

/// The time from a frame to the first look; the next ones come after twice the time.
const FIRST_LOOK: Duration = Duration::from_millis(16);

/// The maximum time between two looks. The frame has been shown by then, even by a software driver on a busy machine.
const MAX_PAUSE: Duration = Duration::from_millis(512);

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, start.run_if(resource_exists::<XServer>))
        .add_systems(Last, note_frame.run_if(resource_exists::<LateEvents>));
}

fn start(proxy: Res<EventLoopProxyWrapper>, mut commands: Commands) {
    let proxy = EventLoopProxy::clone(&proxy);
    let look = move || {
        // This makes the event loop create the windows that were added: none. So it draws no frame unless there is an
        // event. It fails only after the window has been closed.
        let _ = proxy.send_event(WinitUserEvent::WindowAdded);
    };
    // If there are too many threads, a few events are late.
    if let Ok(thread) = Repeater::start("late events", FIRST_LOOK, MAX_PAUSE, look) {
        commands.insert_resource(LateEvents(thread));
    }
}

fn note_frame(late: Res<LateEvents>) {
    late.0.note();
}
