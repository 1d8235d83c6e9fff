//! Runs jobs on threads.

use std::io;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};
use std::thread::Builder;
use std::time::Duration;

use super::{Run, priority};
use crate::lock;

/// Starts a thread for the work. If frames are drawn, its priority is lower than theirs.
pub(crate) fn start(name: &str, gives_way: bool, run: Run) {
    start_with(run, |run_all| {
        let on_thread = move || {
            if gives_way {
                priority::give_way();
            }
            run_all();
        };
        Builder::new().name(name.into()).spawn(on_thread).map(drop)
    });
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
