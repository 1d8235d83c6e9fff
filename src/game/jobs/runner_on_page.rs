//! Runs jobs between frames, in short slices: the web version has no threads. On other systems, `runner.rs` has this
//! module's place.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use tracing::trace;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

use emberwalk_map::clock::Instant;

/// Work that is called until it returns `Continue`. It is told whether it has time.
type Work = Box<dyn FnMut(&(dyn Fn() -> bool + Sync)) -> ControlFlow<()> + Send>;

/// How long a slice is, unless the work asks too rarely. A frame waits no longer.
const SLICE: Duration = Duration::from_millis(8);

thread_local! {
    /// The work that is left, the next one first.
    static QUEUE: RefCell<VecDeque<Work>> = const { RefCell::new(VecDeque::new()) };
    /// Whether a timer has been started, or a slice is going on.
    static IS_ACTIVE: Cell<bool> = const { Cell::new(false) };
}

/// Puts the work into the queue. A timer of the browser starts the slices: these need no frame.
pub(super) fn start(_: &str, work: Work) {
    QUEUE.with_borrow_mut(|queue| queue.push_back(work));
    if !IS_ACTIVE.replace(true) {
        start_timer();
    }
}

/// Returns the result if it is there. The frame does not wait: a job may not be done in slices.
pub(super) fn receive<R>(results: &Receiver<R>, _: Duration) -> Option<R> {
    results.try_recv().ok()
}

fn start_timer() {
    let Some(window) = web_sys::window() else { return };
    let slice = Closure::once_into_js(run_slice);
    // This fails only if the page is being closed.
    let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(slice.unchecked_ref(), 0);
}

/// Works for a while, at each piece of work in turn.
fn run_slice() {
    let begun = Instant::now();
    let has_time = || begun.elapsed() < SLICE;
    // The work may wake the window, whose frame may start other work.
    while let Some(mut work) = QUEUE.with_borrow_mut(VecDeque::pop_front) {
        if work(&has_time).is_break() {
            QUEUE.with_borrow_mut(|queue| queue.push_back(work));
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
