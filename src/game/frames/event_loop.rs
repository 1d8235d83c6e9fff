//! Makes the event loop of the window follow [`Sleep`].

use std::time::Duration;

use bevy::prelude::*;
use bevy::render::render_resource::PipelineCache;
use bevy::render::{Render, RenderApp, RenderSystems};
use bevy::time::{TimeSystems, TimeUpdateStrategy};
use bevy::window::RequestRedraw;
use bevy::winit::{EventLoopProxy, EventLoopProxyWrapper, UpdateMode, WinitSettings, WinitUserEvent};
use tracing::trace;

use crate::game::platform::alarm::Alarm;
use emberwalk_map::clock::Instant;

use super::first_frame::waiting_pipelines;
use super::hidden::Hidden;
use super::sleep::{DecideSleep, Sleep};
use super::wake::Waker;

/// The event loop draws a frame after events of the window, and when it is asked to. The [`Alarm`] replaces its time
/// limit, because it would draw another frame whenever the limit changes.
const MODE: UpdateMode = UpdateMode::Reactive {
    wait: Duration::MAX,
    // The pointer's motion outside the window.
    react_to_device_events: false,
    // A wake-up requests a redraw, which is an event of the window.
    react_to_user_events: false,
    react_to_window_events: true,
};

pub(super) fn plugin(app: &mut App) {
    let proxy = EventLoopProxy::clone(app.world().resource::<EventLoopProxyWrapper>());
    let wake = move || {
        // This fails only after the window has been closed; then there is no event loop to wake.
        let _ = proxy.send_event(WinitUserEvent::WakeUp);
    };
    let waker = app.world_mut().get_resource_or_init::<Waker>().clone();
    waker.connect(wake.clone());
    app.insert_resource(WinitSettings { focused_mode: MODE, unfocused_mode: MODE })
        .insert_resource(Alarm::start(wake))
        .add_systems(First, (read_clock.before(TimeSystems), forget_redraws))
        .add_systems(Last, (request_frame.after(DecideSleep), log_frame));
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        let wait_for_pipelines = move |cache: Res<PipelineCache>| {
            if waiting_pipelines(&cache).next().is_some() {
                waker.wake();
            }
        };
        render.add_systems(Render, wait_for_pipelines.in_set(RenderSystems::Cleanup));
    }
}

/// Sets the time of a frame to its beginning. The engine would use the time at which an earlier frame was drawn, which
/// may be before the sleep.
fn read_clock(mut strategy: ResMut<TimeUpdateStrategy>) {
    *strategy = TimeUpdateStrategy::ManualInstant(Instant::now());
}

/// Forgets the requests of the previous frame, which the event loop would follow a second time.
fn forget_redraws(mut redraws: ResMut<Messages<RequestRedraw>>) {
    redraws.clear();
}

fn request_frame(
    sleep: Res<Sleep>,
    time: Res<Time<Real>>,
    mut alarm: ResMut<Alarm>,
    mut redraws: MessageWriter<RequestRedraw>,
) {
    let begun = time.last_update().unwrap_or_else(Instant::now);
    alarm.set(match *sleep {
        Sleep::None | Sleep::UntilWoken => None,
        Sleep::For(time) => begun.checked_add(time),
    });
    if *sleep == Sleep::None {
        redraws.write(RequestRedraw);
    }
}

/// Logs the frame, and how long everything before drawing took.
fn log_frame(hidden: Res<Hidden>, strategy: Res<TimeUpdateStrategy>) {
    if let TimeUpdateStrategy::ManualInstant(begun) = *strategy
        && !hidden.0
    {
        trace!(target: "emberwalk::frame", micros = begun.elapsed().as_micros(), "frame drawn");
    }
}
