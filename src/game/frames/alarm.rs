//! Wakes the event loop at a time, from a thread. On a page, `alarm_on_page.rs` has this module's place.

use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, Builder};
use std::time::Duration;

use bevy::prelude::Resource;

use emberwalk_map::clock::Instant;

/// A thread that wakes the event loop at a time.
#[derive(Resource)]
pub(super) struct Alarm {
    thread: Sender<Option<Instant>>,
    time: Option<Instant>,
}

impl Alarm {
    /// Creates one that calls `wake`.
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

/// A thread that acts a few times after each activity. It ends when this is dropped.
pub(super) struct Repeater(Sender<()>);

impl Repeater {
    /// Starts a thread with a name. It calls `act` after the first pause, then after twice that, and so on, up to
    /// `max_pause`. Another activity begins again.
    ///
    /// # Errors
    /// There are too many threads.
    pub fn start(
        name: &str,
        first_pause: Duration,
        max_pause: Duration,
        act: impl Fn() + Send + 'static,
    ) -> io::Result<Self> {
        let (thread, activity) = mpsc::channel();
        let run = move || repeat_after(&activity, first_pause, max_pause, act);
        Builder::new().name(name.into()).spawn(run).map(|_| Self(thread))
    }

    /// Notes an activity.
    pub fn note(&self) {
        // This cannot fail: the thread lives as long as `self`.
        let _ = self.0.send(());
    }
}

fn repeat_after(messages: &Receiver<()>, first_pause: Duration, max_pause: Duration, act: impl Fn()) {
    let mut pause = None;
    loop {
        match receive_until(messages, pause.map(|pause| Instant::now() + pause)) {
            Ok(()) => pause = Some(first_pause),
            Err(RecvTimeoutError::Timeout) => {
                act();
                pause = pause.map(|pause| pause * 2).filter(|pause| *pause <= max_pause);
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Waits for a message until a time, or for ever if that is `None`.
///
/// # Errors
/// Fails if the time has come, or if there is no sender any more.
pub fn receive_until<T>(messages: &Receiver<T>, time: Option<Instant>) -> Result<T, RecvTimeoutError> {
    match time {
        None => messages.recv().map_err(RecvTimeoutError::from),
        Some(time) => messages.recv_timeout(Instant::saturating_duration_since(&time, Instant::now())),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn it_acts_a_few_times_after_a_message_and_not_without_one() {
        let acts = Arc::new(AtomicUsize::new(0));
        let count = acts.clone();
        let act = move || {
            count.fetch_add(1, Ordering::Relaxed);
        };
        let [first, max] = [1, 4].map(Duration::from_millis);
        let repeater = Repeater::start("acts", first, max, act).unwrap();
        let settle = || thread::sleep(Duration::from_millis(100));
        settle();
        assert_eq!(acts.load(Ordering::Relaxed), 0);
        for round in 1..=2 {
            repeater.note();
            while acts.load(Ordering::Relaxed) < 3 * round {
                thread::yield_now();
            }
            settle();
            assert_eq!(acts.load(Ordering::Relaxed), 3 * round, "after 1, 2 and 4 milliseconds");
        }
        drop(repeater);
        while Arc::strong_count(&acts) > 1 {
            thread::yield_now();
        }
    }
}
