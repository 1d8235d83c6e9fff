//! Runs jobs on threads.

use std::io;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};
use std::thread::Builder;
use std::time::Duration;

use super::Run;
use crate::lock;

/// How much the nice value of the threads is raised. When frames need the same processor, these threads get about a
/// quarter of it.
#[cfg(target_os = "linux")]
const RAISED_BY: i32 = 5;

/// Starts a thread for the work. If frames are drawn, its priority is lower than theirs.
pub(crate) fn start(name: &str, gives_way: bool, run: Run) {
    start_with(run, |run_all| {
        let on_thread = move || {
            if gives_way {
                give_way();
            }
            run_all();
        };
        Builder::new().name(name.into()).spawn(on_thread).map(drop)
    });
}

/// Gives this thread, and all that it starts from now on, a lower priority than frames and other programs. Only Linux
/// has nice values for threads; elsewhere, it does nothing.
fn give_way() {
    // If this fails, frames may only be late. On Linux it affects the thread, not the process.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(RAISED_BY);
}

/// Starts a thread with this function. If there are too many threads, the frame has to do the work.
fn start_with(run: Run, spawn: impl FnOnce(Box<dyn FnOnce() + Send>) -> io::Result<()>) {
    let run = Arc::new(Mutex::new(Some(run)));
    let own = run.clone();
    if spawn(Box::new(move || run_all(&own))).is_err() {
        run_all(&run);
    }
}

fn run_all(run: &Mutex<Option<Run>>) {
    let taken = lock(run).take();
    if let Some(mut run) = taken {
        while run(&|| true).is_break() {}
    }
}

/// A result if it is ready within this time.
pub(crate) fn receive<R>(results: &Receiver<R>, at_most: Duration) -> Option<R> {
    results.recv_timeout(at_most).ok()
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn the_frame_does_the_work_if_there_are_too_many_threads() {
        let (sender, results) = channel();
        let run: Run = Box::new(move |_| {
            sender.send(1).expect("it is received");
            ControlFlow::Continue(())
        });
        start_with(run, |_| Err(io::ErrorKind::WouldBlock.into()));
        assert_eq!(receive(&results, Duration::ZERO), Some(1));
    }
}
