//! Searches on large maps. A page has no threads: a part of the search is done in each frame. On other systems,
//! `search_thread.rs` has this module's place.

use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

use super::search::Job;
use emberwalk_map::clock::Instant;

/// For how long a frame searches.
const PART: Duration = Duration::from_millis(10);

/// What stands for the thread.
pub(super) struct SearchThread {
    job: Option<Job>,
    wake: Box<dyn Fn() + Send + Sync>,
}

impl SearchThread {
    /// Calls `wake` after each part of a job. This never fails.
    pub fn start(wake: impl Fn() + Send + Sync + 'static) -> io::Result<Self> {
        Ok(Self { job: None, wake: Box::new(wake) })
    }

    pub fn begin(&mut self, job: Job) {
        self.job = Some(job);
    }

    /// Does a part of the job that was begun, however long a frame may wait. Returns the result if that was the last
    /// part.
    pub fn receive(&mut self, _: Duration) -> Option<Job> {
        let mut job = self.job.take()?;
        let begun = Instant::now();
        let go_on = || match begun.elapsed() < PART {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        (self.wake)();
        if job.search(&go_on).is_break() {
            self.job = Some(job);
            return None;
        }
        Some(job)
    }
}
