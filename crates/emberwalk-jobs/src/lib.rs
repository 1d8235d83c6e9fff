#![doc = include_str!("../README.md")]
//!
//! Long work on other threads, or in slices between frames where there are none.
#![forbid(unsafe_code)]

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;

#[cfg(not(target_arch = "wasm32"))]
pub use std::time::Instant;

#[cfg(target_arch = "wasm32")]
pub use web_time::Instant;

use crate::runner::HasTime;

mod latest;
pub mod planner;
mod runner;
mod worker;

pub use latest::Latest;
pub use worker::Worker;

/// The number of cells that the pathfinder processes between two checks whether to continue: a millisecond or two.
const CELLS_IN_SLICE: u64 = 10_000;

/// How long a frame usually waits for a job.
const PATIENCE: Duration = Duration::from_millis(8);

/// The program whose jobs these are.
pub trait Owner: Send + Sync {
    /// A job is done. It is called on the thread of the job.
    fn wake(&self);

    /// Whether frames are drawn, to which the threads of jobs give way.
    fn draws_frames(&self) -> bool;
}

/// The owner that looks for results by itself.
impl Owner for () {
    fn wake(&self) {}

    fn draws_frames(&self) -> bool {
        false
    }
}

/// Starts jobs. Clones share their panics, and how long the frame has waited for all of them.
///
/// ```
/// use std::time::Duration;
/// use emberwalk_jobs::Jobs;
/// let job = Jobs::default().start("Adding", |_| 3 + 4);
/// assert_eq!(job.wait(Duration::MAX), Some(Ok(7)));
/// ```
#[derive(Clone)]
pub struct Jobs {
    /// How long a frame waits for jobs that are probably quick.
    pub patience: Duration,
    owner: Arc<dyn Owner>,
    /// The time for which this frame has waited, in microseconds.
    waited: Arc<AtomicU64>,
    /// The panics that nobody has been told about.
    panics: Arc<Mutex<Vec<JobPanic>>>,
}

/// Work in the background. Dropping it cancels the work.
#[derive(Debug)]
pub struct Job<T> {
    result: Mutex<Receiver<Result<T, JobPanic>>>,
    state: Arc<State>,
}

/// Work has panicked.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("{task} failed because of an error in the program: {message}")]
pub struct JobPanic {
    task: &'static str,
    message: String,
}

/// The state that a job and its work share.
#[derive(Debug, Default)]
struct State {
    is_cancelled: AtomicBool,
    /// The finished share, as the bits of an `f32`.
    done: AtomicU32,
}

impl State {
    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }
}

/// The work of a job, with exclusive access to a value. It is called until it returns `Continue`.
type Work<C> = Box<dyn FnMut(&mut C, HasTime) -> ControlFlow<()> + Send>;

/// With this, work reports its progress and checks whether to continue.
pub struct Progress<'a> {
    state: &'a State,
    has_time: HasTime<'a>,
}

impl<'a> Progress<'a> {
    /// For work without a job, which continues as long as this says so.
    #[cfg(test)]
    pub(crate) fn without_job(has_time: &'a (dyn Fn() -> bool + Sync)) -> Self {
        static NEVER_CANCELLED: State = State { is_cancelled: AtomicBool::new(false), done: AtomicU32::new(0) };
        Self { state: &NEVER_CANCELLED, has_time }
    }

    /// Reports the finished share of the work, 0 to 1.
    pub fn report(&self, done: f32) {
        self.state.done.store(done.to_bits(), Ordering::Relaxed);
    }

    /// Whether the job was dropped, so that the result is not needed any more.
    pub fn is_cancelled(&self) -> bool {
        self.state.is_cancelled()
    }

    /// Whether to continue for now. Work in slices checks this every few milliseconds.
    pub fn go_on(&self) -> ControlFlow<()> {
        let has_time = !self.is_cancelled() && (self.has_time)();
        if has_time { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Calls `advance` until it is ready, each time with the number of cells that it may process, and checks in
    /// between whether to continue.
    pub fn in_slices<T>(&self, mut advance: impl FnMut(u64) -> Poll<T>) -> ControlFlow<(), T> {
        loop {
            if let Poll::Ready(done) = advance(CELLS_IN_SLICE) {
                return ControlFlow::Continue(done);
            }
            self.go_on()?;
        }
    }
}

impl Default for Jobs {
    fn default() -> Self {
        Self::new(())
    }
}

impl Jobs {
    /// Creates a starter whose jobs wake this program.
    pub fn new(owner: impl Owner + 'static) -> Self {
        Self { patience: PATIENCE, owner: Arc::new(owner), waited: Arc::default(), panics: Arc::default() }
    }

    /// The same with another [`patience`](Self::patience).
    #[must_use]
    pub fn with_patience(&self, patience: Duration) -> Self {
        Self { patience, ..self.clone() }
    }

    /// A frame begins, which has not waited yet.
    pub fn begin_frame(&self) {
        self.waited.store(0, Ordering::Relaxed);
    }

    /// The panics since the last call.
    pub fn take_panics(&self) -> Vec<JobPanic> {
        std::mem::take(&mut lock(&self.panics))
    }

    /// Starts work that cannot be paused. If it panics, the job returns that this task failed.
    pub fn start<T: Send + 'static>(
        &self,
        task: &'static str,
        work: impl FnOnce(&Progress) -> T + Send + 'static,
    ) -> Job<T> {
        let mut work = Some(work);
        self.start_in_slices(task, move |progress| match work.take() {
            Some(work) => ControlFlow::Continue(work(progress)),
            None => ControlFlow::Break(()),
        })
    }

    /// Starts work that can be paused: it is called again and again until it returns a value. It must break whenever
    /// [`Progress::go_on`] does.
    pub fn start_in_slices<T: Send + 'static>(
        &self,
        task: &'static str,
        mut work: impl FnMut(&Progress) -> ControlFlow<(), T> + Send + 'static,
    ) -> Job<T> {
        let (job, mut work) = self.prepare(task, move |(): &mut (), progress: &Progress| work(progress));
        runner::start(task, self.owner.draws_frames(), Box::new(move |has_time| work(&mut (), has_time)));
        job
    }

    /// Creates a job, and its work. If the work panics, its value is replaced with a new one.
    fn prepare<C: Default, T: Send + 'static>(
        &self,
        task: &'static str,
        work: impl FnMut(&mut C, &Progress) -> ControlFlow<(), T> + Send + 'static,
    ) -> (Job<T>, Work<C>) {
        let (sender, result) = channel();
        let state = Arc::new(State::default());
        let job = Job { result: Mutex::new(result), state: state.clone() };
        let jobs = self.clone();
        let mut left = Some(work);
        let work = move |own: &mut C, has_time: HasTime| {
            let Some(work) = left.as_mut().filter(|_| !state.is_cancelled()) else { return ControlFlow::Continue(()) };
            let result = match catch(task, || work(own, &Progress { state: &state, has_time })) {
                Ok(ControlFlow::Break(())) => return ControlFlow::Break(()),
                Ok(ControlFlow::Continue(value)) => Ok(value),
                Err(panic) => {
                    *own = C::default();
                    lock(&jobs.panics).push(panic.clone());
                    Err(panic)
                }
            };
            // The owner of the result does not share anything with the work any more.
            left = None;
            // This fails only if the result is no longer wanted.
            let _ = sender.send(result);
            jobs.owner.wake();
            ControlFlow::Continue(())
        };
        (job, Box::new(work))
    }

    /// The result of a job that was just started and is probably quick, if it is ready within
    /// [`patience`](Self::patience). A frame waits no longer than this for all such jobs together.
    pub fn wait_briefly<T>(&self, job: &Job<T>) -> Option<Result<T, JobPanic>> {
        if self.patience.is_zero() {
            return None;
        }
        let begun = Instant::now();
        let waited = Duration::from_micros(self.waited.load(Ordering::Relaxed));
        let result = job.wait(self.patience.saturating_sub(waited));
        self.waited.fetch_add(begun.elapsed().as_micros() as u64, Ordering::Relaxed);
        result
    }
}

/// Does some work; returns its panic if it panics.
fn catch<T>(task: &'static str, work: impl FnOnce() -> T) -> Result<T, JobPanic> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let message = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown".into());
        JobPanic { task, message }
    })
}

impl<T> Job<T> {
    /// The result if it is ready within this time; afterwards `None` again.
    pub fn wait(&self, at_most: Duration) -> Option<Result<T, JobPanic>> {
        runner::receive(&lock(&self.result), at_most)
    }

    /// The result if it is ready; afterwards `None` again.
    pub fn take(&self) -> Option<Result<T, JobPanic>> {
        self.wait(Duration::ZERO)
    }

    /// The finished share of the work, 0 to 1, as last reported.
    pub fn progress(&self) -> f32 {
        f32::from_bits(self.state.done.load(Ordering::Relaxed))
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.state.cancel();
    }
}

/// Locks a value, even if a thread panicked while it held the lock.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::RecvTimeoutError;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn jobs() -> Jobs {
        Jobs::default()
    }

    /// How often a program was woken.
    #[derive(Clone, Default)]
    struct Woken(Arc<AtomicU32>);

    impl Owner for Woken {
        fn wake(&self) {
            self.0.fetch_add(1, Ordering::Release);
        }

        fn draws_frames(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_job_returns_its_value_once_and_wakes_its_program() {
        let woken = Woken::default();
        let jobs = Jobs::new(woken.clone());
        let job = jobs.start("Adding", |_| 3 + 4);
        assert_eq!(job.wait(LONG), Some(Ok(7)));
        assert_eq!(job.wait(LONG), None, "it is known at once that nothing more comes");
        assert_eq!(job.take(), None);
        while woken.0.load(Ordering::Acquire) == 0 {
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_job_that_takes_longer_is_not_waited_for() {
        let (go, wait) = channel();
        let job = jobs().start("Waiting", move |progress| {
            progress.report(0.5);
            wait.recv()
        });
        assert_eq!(job.wait(Duration::from_millis(1)), None);
        while job.progress() != 0.5 {
            std::thread::yield_now();
        }
        go.send(1).expect("it waits");
        assert_eq!(job.wait(LONG), Some(Ok(Ok(1))));
    }

    #[test]
    fn work_in_slices_is_called_until_it_returns_a_value() {
        let mut calls = 0;
        let job = jobs().start_in_slices("Counting", move |progress| {
            progress.go_on()?;
            calls += 1;
            if calls < 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(calls) }
        });
        assert_eq!(job.wait(LONG), Some(Ok(5)));
    }

    #[test]
    fn dropping_a_job_cancels_its_work() {
        let (sender, ended) = channel::<()>();
        let (begun, has_begun) = channel();
        let job = jobs().start_in_slices("Turning", move |progress| {
            let _ = (&sender, begun.send(()));
            progress.go_on()?;
            ControlFlow::<(), ()>::Break(())
        });
        has_begun.recv_timeout(LONG).expect("it begins");
        drop(job);
        assert_eq!(ended.recv_timeout(LONG), Err(RecvTimeoutError::Disconnected), "the work is dropped");
    }

    #[test]
    fn the_panic_of_a_job_is_its_result_and_is_told_once() {
        let jobs = jobs();
        let job = jobs.start("Dividing", |_| -> u32 { panic!("{} by zero", 3) });
        let panic = JobPanic { task: "Dividing", message: "3 by zero".into() };
        assert_eq!(job.wait(LONG), Some(Err(panic.clone())));
        assert_eq!(panic.to_string(), "Dividing failed because of an error in the program: 3 by zero");
        assert_eq!(jobs.take_panics(), [panic]);
        assert_eq!(jobs.take_panics(), []);
    }
}
