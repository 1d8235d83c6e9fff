//! The thread that searches on large maps, so that a long search does not stop the frames. On a page,
//! `search_thread_on_page.rs` has this module's place.

use std::io;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::search::Job;

/// The thread. It ends when this is dropped.
pub(super) struct SearchThread {
    jobs: Sender<Job>,
    done: Mutex<Receiver<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl SearchThread {
    /// Starts the thread. It calls `wake` after each job.
    pub fn start(wake: impl Fn() + Send + Sync + 'static) -> io::Result<Self> {
        let (jobs, received) = channel::<Job>();
        let (results, done) = channel();
        // The tasks of the engine share few threads, one of which a preparation may occupy for seconds.
        let thread = Builder::new().name("route search".into()).spawn(move || {
            for mut job in received {
                let _ = job.search(&|| ControlFlow::Continue(()));
                // This fails only when the program ends.
                let _ = results.send(job);
                wake();
            }
        })?;
        Ok(Self { jobs, done: Mutex::new(done), thread: Some(thread) })
    }

    pub fn begin(&mut self, job: Job) {
        // This fails only if the thread has panicked, which is noticed in `receive`.
        let _ = self.jobs.send(job);
    }

    /// Returns the result of the job that was begun; `None` if it is not there within this time.
    pub fn receive(&mut self, time: Duration) -> Option<Job> {
        let done = self.done.get_mut().unwrap_or_else(PoisonError::into_inner).recv_timeout(time);
        if matches!(done, Err(RecvTimeoutError::Disconnected))
            && let Some(Err(panic)) = self.thread.take().map(JoinHandle::join)
        {
            // A panic of the search is one of the program, on whichever thread it happens.
            resume_unwind(panic);
        }
        done.ok()
    }
}
