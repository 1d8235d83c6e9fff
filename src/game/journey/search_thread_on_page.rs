//! Searches on large maps. A page has no threads: what takes several passes over the map is done a part in each frame, and
//! then the search in one. On other systems, `search_thread.rs` has this module's place.

use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

use super::search::Job;
use crate::clock::Instant;

/// For how long a frame waits at least for a part of the work.
const PART: Duration = Duration::from_millis(20);

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

    /// Does a part of the job that was begun, in about this time. Returns the result if that was the last part.
    pub fn receive(&mut self, time: Duration) -> Option<Job> {
        let mut job = self.job.take()?;
        let begun = Instant::now();
        let go_on = || match begun.elapsed() < time.max(PART) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        (self.wake)();
        let options = &job.question.query.options;
        if job.searcher.planner.prepare_passes_with_pauses(&job.grid, options, &go_on).is_break() {
            self.job = Some(job);
            return None;
        }
        job.search();
        Some(job)
    }
}
