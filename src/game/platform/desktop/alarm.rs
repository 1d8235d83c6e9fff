//! Wakes the event loop at a time, from a thread.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;

use bevy::prelude::Resource;

use emberwalk_map::clock::Instant;

/// A thread that wakes the event loop at a time.
#[derive(Resource)]
pub(in crate::game) struct Alarm {
    thread: Sender<Option<Instant>>,
    time: Option<Instant>,
}

impl Alarm {
    /// Creates an alarm that calls `wake`.
    pub fn start(wake: impl Fn() + Send + 'static) -> Self {
        let (thread, times) = mpsc::channel();
        thread::spawn(move || wait_for_times(&times, wake));
        Self { thread, time: None }
    }

    /// Rings at this time and at no other.
    pub fn set(&mut self, time: Option<Instant>) {
        if self.time != time {
            self.time = time;
            // This cannot fail: the thread lives as long as `self`.
            let _ = self.thread.send(time);
        }
    }
}

fn wait_for_times(times: &Receiver<Option<Instant>>, wake: impl Fn()) {
    let mut next = None;
    loop {
        match receive_until(times, next) {
            Ok(time) => next = time,
            Err(RecvTimeoutError::Timeout) => {
                next = None;
                wake();
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Waits for a message until a time, or forever if the time is `None`.
///
/// # Errors
/// Fails at that time, or if there is no sender any more.
pub(in crate::game) fn receive_until<T>(messages: &Receiver<T>, time: Option<Instant>) -> Result<T, RecvTimeoutError> {
    match time {
        None => messages.recv().map_err(RecvTimeoutError::from),
        Some(time) => messages.recv_timeout(Instant::saturating_duration_since(&time, Instant::now())),
    }
}
