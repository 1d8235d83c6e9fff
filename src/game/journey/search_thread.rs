//! The thread that searches on large maps, so that a long search does not stop the frames.

use std::io;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use crate::path::{CostGrid, Replanner};

use super::search::{Asker, Question, Searcher};

/// A search, with everything that it needs. It goes to the thread and comes back with the answer.
pub(super) struct Job {
    pub question: Question,
    pub searcher: Box<Searcher>,
    /// The grid to search on, as it was when the question was asked.
    pub grid: Arc<CostGrid>,
    /// What a traveller knows from its last answer.
    pub known: Replanner,
}

/// The thread. It ends when this is dropped.
pub(super) struct SearchThread {
    jobs: Sender<Job>,
    done: Mutex<Receiver<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl SearchThread {
    /// Starts the thread. It calls `wake` after each job.
    pub fn start(wake: impl Fn() + Send + 'static) -> io::Result<Self> {
        let (jobs, received) = channel::<Job>();
        let (results, done) = channel();
        // The tasks of the engine share few threads, one of which a preparation may occupy for seconds.
        let thread = Builder::new().name("route search".into()).spawn(move || {
            for mut job in received {
                let known = matches!(job.question.asker, Asker::Traveller(_)).then_some(&mut job.known);
                job.searcher.search(&job.grid, &job.question, known);
                // This fails only when the program ends.
                let _ = results.send(job);
                wake();
            }
        })?;
        Ok(Self { jobs, done: Mutex::new(done), thread: Some(thread) })
    }

    pub fn begin(&self, job: Job) {
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
