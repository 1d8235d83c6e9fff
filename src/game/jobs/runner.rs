//! Runs jobs on threads. On the web version, `runner_on_page.rs` has this module's place.

use std::io;
use std::ops::ControlFlow;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use crate::game::frames::priority;

/// Work that is called until it returns `Continue`. It is told whether it has time.
type Work = Box<dyn FnMut(&(dyn Fn() -> bool + Sync)) -> ControlFlow<()> + Send>;

/// Starts a thread for the work.
pub(super) fn start(name: &str, work: Work) {
    start_with(work, |run| {
        let on_thread = || {
            priority::give_way();
            run();
        };
        Builder::new().name(name.into()).spawn(on_thread).map(drop)
    });
}

/// Starts the work with this function. If there are too many threads, the frame has to do the work.
fn start_with(work: Work, spawn: impl FnOnce(Box<dyn FnOnce() + Send>) -> io::Result<()>) {
    let work = Arc::new(Mutex::new(Some(work)));
    let own = work.clone();
    if spawn(Box::new(move || run(&own))).is_err() {
        run(&work);
    }
}

fn run(work: &Mutex<Option<Work>>) {
    let taken = work.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(mut work) = taken {
        while work(&|| true).is_break() {}
    }
}

/// Waits for a result at most so long.
pub(super) fn receive<R>(results: &Receiver<R>, at_most: Duration) -> Option<R> {
    results.recv_timeout(at_most).ok()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn the_frame_does_the_work_if_there_are_too_many_threads() {
        let (sender, results) = channel();
        let work = move |_: &(dyn Fn() -> bool + Sync)| {
            sender.send(1).expect("it is received");
            ControlFlow::Continue(())
        };
        start_with(Box::new(work), |_| Err(io::ErrorKind::WouldBlock.into()));
        assert_eq!(receive(&results, Duration::ZERO), Some(1));
    }
}
