//! Progress of what takes longer than a second, on standard error and only on a terminal.

use std::borrow::Cow;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// What takes less is not worth a bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often it moves.
const TICK: Duration = Duration::from_millis(100);

/// A line that appears when it is worth it, and leaves nothing behind.
pub struct Progress {
    bar: ProgressBar,
    /// Shows the bar after a while, unless the sender is gone by then.
    waiting: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// A line that does not show yet.
    pub fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let waiting = io::stderr().is_terminal().then(|| {
            let (alive, gone) = mpsc::channel();
            let bar = bar.clone();
            let show = move || {
                if gone.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(TICK);
                }
            };
            (alive, thread::spawn(show))
        });
        Self { bar, waiting }
    }

    /// Says what is begun now, and how long it is, if that is known.
    pub fn stage(&self, what: impl Into<Cow<'static, str>>, length: Option<u64>) {
        let template = if length.is_some() { "{spinner} {msg} {wide_bar} {percent:>3} %" } else { "{spinner} {msg}" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.set_message(what);
        self.bar.set_position(0);
        match length {
            Some(length) => self.bar.set_length(length),
            None => self.bar.unset_length(),
        }
    }

    /// Says that `position` of the length is done.
    pub fn at(&self, position: u64) {
        self.bar.set_position(position);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((alive, shown)) = self.waiting.take() {
            drop(alive);
            // Should it have failed to show, there is nothing to clear.
            let _ = shown.join();
        }
        self.bar.finish_and_clear();
    }
}
