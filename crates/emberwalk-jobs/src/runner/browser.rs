//! Runs jobs between frames, in short slices: the web version has no threads.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use tracing::trace;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

use super::Run;
use crate::Instant;

/// The duration of a slice, unless the work checks too rarely. A frame waits no longer than this.
const SLICE: Duration = Duration::from_millis(8);

/// The same while a frame waits for one of several jobs.
const SHORT_SLICE: Duration = Duration::from_millis(2);

thread_local! {
    /// The remaining work, the next piece first.
    static QUEUE: RefCell<VecDeque<Run>> = const { RefCell::new(VecDeque::new()) };
    /// Whether a timer has been started, or a slice is running.
    static IS_ACTIVE: Cell<bool> = const { Cell::new(false) };
}

/// Puts the work into the queue. A browser timer starts the slices, so they need no frame.
pub(crate) fn start(_: &str, _: bool, run: Run) {
    QUEUE.with_borrow_mut(|queue| queue.push_back(run));
    if !IS_ACTIVE.replace(true) {
        start_timer();
    }
}

/// A result if it is ready within this time. Waiting means working on the piece that was started last.
pub(crate) fn receive<R>(results: &Receiver<R>, at_most: Duration) -> Option<R> {
    let begun = Instant::now();
    loop {
        let result = results.try_recv().ok();
        if result.is_some() || begun.elapsed() >= at_most {
            return result;
        }
        let mut run = QUEUE.with_borrow_mut(VecDeque::pop_back)?;
        let slice_begun = Instant::now();
        let has_time = || slice_begun.elapsed() < SHORT_SLICE;
        if run(&has_time).is_break() {
            QUEUE.with_borrow_mut(|queue| queue.push_front(run));
        }
    }
}

fn start_timer() {
    let Some(window) = web_sys::window() else { return };
    let slice = Closure::once_into_js(run_slice);
    // This fails only if the page is being closed.
    let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(slice.unchecked_ref(), 0);
}

/// Works for a while, on each piece in turn.
fn run_slice() {
    let begun = Instant::now();
    let has_time = || begun.elapsed() < SLICE;
    // The work may wake the window, and the frame may start other work.
    while let Some(mut run) = QUEUE.with_borrow_mut(VecDeque::pop_front) {
        if run(&has_time).is_break() {
            QUEUE.with_borrow_mut(|queue| queue.push_back(run));
        }
        if !has_time() {
            break;
        }
    }
    trace!(target: "emberwalk::work", micros = begun.elapsed().as_micros(), "slice done");
    let is_left = QUEUE.with_borrow(|queue| !queue.is_empty());
    IS_ACTIVE.set(is_left);
    if is_left {
        start_timer();
    }
}
