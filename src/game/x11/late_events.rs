//! Looks for events of the X server that arrived while a frame was being shown. The graphics driver uses the window's
//! connection from its own threads, and queues events that it reads but does not need. The event loop does not notice
//! these, because it sleeps until the connection has something to read.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::Builder;
use std::time::Duration;

use bevy::prelude::*;
use bevy::winit::{EventLoopProxy, EventLoopProxyWrapper, WinitUserEvent};
use emberwalk_map::clock::Instant;

use crate::game::platform::alarm::receive_until;

use super::XServer;

/// Tells a thread of each frame. The thread makes the event loop look for events a few times after it, and ends when
/// this is dropped.
#[derive(Resource)]
struct LateEvents(Sender<()>);

/// The time from a frame to the first look; each following pause is twice as long.
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
    let (sender, frames) = channel();
    let look_after_frames = move || look_after_each(&frames, FIRST_LOOK, MAX_PAUSE, look);
    // If there are too many threads, a few events are late.
    if Builder::new().name("late events".into()).spawn(look_after_frames).is_ok() {
        commands.insert_resource(LateEvents(sender));
    }
}

fn note_frame(late: Res<LateEvents>) {
    // This cannot fail: the thread lives as long as the sender.
    let _ = late.0.send(());
}

/// Calls `look` after the first pause, then after twice that, and so on, up to `max_pause`. A new frame starts this
/// again.
fn look_after_each(frames: &Receiver<()>, first_pause: Duration, max_pause: Duration, look: impl Fn()) {
    let mut pause = None;
    loop {
        match receive_until(frames, pause.map(|pause| Instant::now() + pause)) {
            Ok(()) => pause = Some(first_pause),
            Err(RecvTimeoutError::Timeout) => {
                look();
                pause = pause.map(|pause| pause * 2).filter(|pause| *pause <= max_pause);
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread::{scope, sleep, yield_now};

    use super::*;

    #[test]
    fn it_looks_a_few_times_after_a_frame_and_not_without_one() {
        let looks = AtomicUsize::new(0);
        let look = || {
            looks.fetch_add(1, Ordering::Relaxed);
        };
        let [first, max] = [1, 4].map(Duration::from_millis);
        let (sender, frames) = channel();
        scope(|scope| {
            scope.spawn(move || look_after_each(&frames, first, max, look));
            let settle = || sleep(Duration::from_millis(100));
            settle();
            assert_eq!(looks.load(Ordering::Relaxed), 0);
            for round in 1..=2 {
                sender.send(()).unwrap();
                while looks.load(Ordering::Relaxed) < 3 * round {
                    yield_now();
                }
                settle();
                assert_eq!(looks.load(Ordering::Relaxed), 3 * round, "after 1, 2 and 4 milliseconds");
            }
            drop(sender);
        });
    }
}
