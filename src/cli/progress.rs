//! A progress bar for what takes longer than a second, on standard error and only on a terminal.

use std::borrow::Cow;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// What takes less is not worth a bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar that appears when it is worth it, and leaves nothing behind.
pub struct Progress {
    bar: ProgressBar,
    begun: Instant,
    shown: bool,
}

impl Progress {
    /// A bar that does not show yet.
    pub fn new() -> Self {
        let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} %") {
            bar.set_style(style);
        }
        // What cannot be seen is never drawn.
        Self { bar, begun: Instant::now(), shown: !io::stderr().is_terminal() }
    }

    /// Says what is begun now, and how long it is.
    pub fn stage(&mut self, what: impl Into<Cow<'static, str>>, length: u64) {
        self.bar.set_message(what);
        self.bar.set_length(length);
        self.at(0);
    }

    /// Says that `position` of the length is done.
    pub fn at(&mut self, position: u64) {
        self.bar.set_position(position);
        if !self.shown && self.begun.elapsed() > PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.shown = true;
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
