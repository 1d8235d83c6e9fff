//! Does work beside the frames, on threads. On a page, `worker_on_page.rs` has this module's place.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;

use super::priority;
use super::work::Work;

/// About how many pixels wide and high the squares are that are painted between two questions whether to go on.
pub(super) const PAINTED_AT_ONCE: u32 = 1024;

/// Starts a thread for the work. Nothing but `is_unwanted` interrupts it.
pub(super) fn start(work: Work, is_unwanted: Arc<AtomicBool>) {
    let work = Arc::new(Mutex::new(Some((work, is_unwanted))));
    let own = work.clone();
    let on_thread = move || {
        priority::give_way();
        run(&own);
    };
    if Builder::new().name("background".into()).spawn(on_thread).is_err() {
        // There are too many threads, so the frame has to wait.
        run(&work);
    }
}

fn run(work: &Mutex<Option<(Work, Arc<AtomicBool>)>>) {
    let taken = work.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some((mut work, is_unwanted)) = taken else { return };
    let go_on = || match is_unwanted.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    while work(&go_on).is_break() && go_on().is_continue() {}
}
