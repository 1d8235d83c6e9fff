//! Does work beside the frames, in short slices between them: a page has no threads. On other systems, `worker.rs` has
//! this module's place.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tracing::trace;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

use emberwalk_map::clock::Instant;

use super::work::Work;

/// About how many pixels wide and high the squares are that are painted between two questions whether to go on.
pub(super) const PAINTED_AT_ONCE: u32 = 256;

/// How long a slice is, unless the work asks too rarely. A frame waits no longer.
const SLICE: Duration = Duration::from_millis(8);

thread_local! {
    /// The work that is left, the next one first.
    static QUEUE: RefCell<VecDeque<(Work, Arc<AtomicBool>)>> = const { RefCell::new(VecDeque::new()) };
    /// Whether a timer has been started, or a slice is going on.
    static IS_ACTIVE: Cell<bool> = const { Cell::new(false) };
}

/// Puts the work into the queue. A timer of the browser starts the slices: these need no frame.
pub(super) fn start(work: Work, is_unwanted: Arc<AtomicBool>) {
    QUEUE.with_borrow_mut(|queue| queue.push_back((work, is_unwanted)));
    if !IS_ACTIVE.replace(true) {
        start_timer();
    }
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
    while let Some((mut work, is_unwanted)) = QUEUE.with_borrow_mut(VecDeque::pop_front) {
        let go_on = || match has_time() && !is_unwanted.load(Ordering::Relaxed) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        if work(&go_on).is_break() && !is_unwanted.load(Ordering::Relaxed) {
            QUEUE.with_borrow_mut(|queue| queue.push_back((work, is_unwanted)));
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
