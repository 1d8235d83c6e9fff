//! Decides at the end of a frame how long the window sleeps, and stops the game's clock meanwhile.

use std::time::Duration;

use bevy::ecs::message::{MessageRegistry, ShouldUpdateMessages};
use bevy::prelude::*;
use bevy::time::TimeSystems;
use bevy::window::{WindowEvent, WindowResized};

use super::hidden::Hidden;
use super::wake::{Wake, Waker};

/// How long the window sleeps after this frame. Input and a [`Waker`] always end the sleep.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sleep {
    /// The next frame follows immediately.
    #[default]
    None,
    /// The next frame follows after this time, counted from the beginning of this one.
    For(Duration),
    /// The next frame follows only when the sleep is ended.
    UntilWoken,
}

/// The number of frames that follow immediately. Some changes are complete only in a later frame: panels are known to the
/// pointer in the frame after their layout, for example.
#[derive(Resource)]
pub(super) struct FramesToFollow(u32);

/// The number of frames that follow input.
const AFTER_INPUT: u32 = 2;

/// The number of frames that follow the start.
const AFTER_START: u32 = 10;

/// For this time after a resize, the window keeps drawing frames. The system does not show frames that were drawn while
/// the size was changing, and does not report when it has finished.
const SETTLING: Duration = Duration::from_millis(800);

/// The minimum number of these frames. On a slow machine, the time alone could pass within a single one.
const SETTLING_FRAMES: u32 = 6;

/// The time between these frames.
const SETTLING_BEAT: Duration = Duration::from_millis(80);

/// The set of the system that sets [`Sleep`], in `Last`.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::game) struct DecideSleep;

/// Adds the systems that decide. They need no window.
pub fn plugin(app: &mut App) {
    app.init_resource::<Sleep>()
        .insert_resource(FramesToFollow(AFTER_START))
        .add_message::<WindowEvent>()
        .add_message::<WindowResized>()
        .add_systems(First, start_clock.after(TimeSystems))
        .add_systems(Last, (follow_up, settle, decide, stop_clock, forget_messages).chain().in_set(DecideSleep));
}

/// Asks for the frames that follow input.
fn follow_up(
    mut input: MessageReader<WindowEvent>,
    waker: Res<Waker>,
    mut frames: ResMut<FramesToFollow>,
    mut wakes: MessageWriter<Wake>,
) {
    // The pointer's motion over other windows is reported too, as `MouseMotion`.
    if input.read().any(|event| !matches!(event, WindowEvent::MouseMotion(_))) | waker.was_called() {
        frames.0 = frames.0.max(AFTER_INPUT);
    }
    if let Some(remaining) = frames.0.checked_sub(1) {
        frames.0 = remaining;
        wakes.write(Wake::NextFrame);
    }
}

/// Asks for frames while the size of the window settles.
fn settle(
    mut resized: MessageReader<WindowResized>,
    time: Res<Time<Real>>,
    mut until: Local<Duration>,
    mut frames: Local<u32>,
    mut wakes: MessageWriter<Wake>,
) {
    if resized.read().count() > 0 {
        *until = time.elapsed() + SETTLING;
        *frames = SETTLING_FRAMES;
    }
    if *frames > 0 || time.elapsed() < *until {
        *frames = frames.saturating_sub(1);
        wakes.write(Wake::After(SETTLING_BEAT));
    }
}

/// Sleeps until the earliest requested time. A hidden window draws nothing, so it requests nothing.
fn decide(mut wakes: MessageReader<Wake>, hidden: Option<Res<Hidden>>, mut sleep: ResMut<Sleep>) {
    let earliest = wakes.read().map(|wake| match *wake {
        Wake::NextFrame => Duration::ZERO,
        Wake::After(time) => time,
    });
    let earliest = earliest.min().filter(|_| !hidden.is_some_and(|hidden| hidden.0));
    *sleep = match earliest {
        None => Sleep::UntilWoken,
        Some(Duration::ZERO) => Sleep::None,
        Some(time) => Sleep::For(time),
    };
}

/// Stops the game's clock if the window sleeps now, so that the traveller does not walk in that time.
fn stop_clock(sleep: Res<Sleep>, mut time: ResMut<Time<Virtual>>) {
    if *sleep != Sleep::None {
        time.pause();
    }
}

/// Starts the clock again after it has told this frame that no time has passed.
fn start_clock(mut time: ResMut<Time<Virtual>>) {
    time.unpause();
}

/// Makes the engine drop messages after two frames. Otherwise it would keep them until the next step of its fixed
/// clock, which nothing here uses, and which stands still during the sleep.
fn forget_messages(mut registry: ResMut<MessageRegistry>) {
    registry.should_update = ShouldUpdateMessages::Ready;
}
