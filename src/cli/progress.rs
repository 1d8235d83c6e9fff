//! A progress bar for commands that take longer than a second, on standard error and only on a terminal.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use emberwalk_map::diagnostics::escape_invisible;
use emberwalk_path::{CostGrid, Options, Planner};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The bar appears after this time.
const DELAY: Duration = Duration::from_secs(1);

/// The time between two frames of the bar.
const TICK: Duration = Duration::from_millis(100);

/// A progress bar that appears after a delay, and is removed when it is dropped.
pub struct Progress {
    bar: ProgressBar,
    /// The thread that shows the bar after the delay. It ends without showing it if the sender is dropped first.
    show_later: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Creates a bar that is not shown yet.
    pub fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let show_later = io::stderr().is_terminal().then(|| {
            let (sender, receiver) = mpsc::channel();
            let bar = bar.clone();
            let show = move || {
                if receiver.recv_timeout(DELAY) == Err(RecvTimeoutError::Timeout) {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    while receiver.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                        bar.tick();
                    }
                }
            };
            // If no thread can be started, no bar is shown.
            Builder::new().spawn(show).ok().map(|thread| (sender, thread))
        });
        Self { bar, show_later: show_later.flatten() }
    }

    /// Starts a stage of the work, with its length if known.
    pub fn stage(&self, name: impl AsRef<str>, length: Option<u64>) {
        let template = if length.is_some() { "{spinner} {msg} {wide_bar} {percent:>3} %" } else { "{spinner} {msg}" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.set_message(escape_invisible(name.as_ref()).into_owned());
        self.bar.set_position(0);
        match length {
            Some(length) => self.bar.set_length(length),
            None => self.bar.unset_length(),
        }
    }

    /// Prepares a planner as a stage of the work.
    pub fn prepare(&self, name: &str, planner: &mut Planner, grid: &CostGrid, options: &Options) {
        /// About a tenth of a second.
        const SLICE: u64 = 4 << 20;
        self.stage(name, None);
        while planner.advance_preparation(grid, options, SLICE).is_pending() {
            if let Some((done, all)) = planner.preparation_progress() {
                self.stage(name, Some(all as u64));
                self.set_position(done as u64);
            }
        }
    }

    /// Sets how much of the stage is done.
    pub fn set_position(&self, position: u64) {
        self.bar.set_position(position);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.show_later.take() {
            drop(sender);
            // If the thread panicked, the bar is not visible and need not be removed.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}
