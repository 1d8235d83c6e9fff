//! Work in the background: whatever may take longer than a frame is a [`Job`].
//!
//! A job runs on a thread of its own. The web version has no threads: there, work runs between frames, in slices if it
//! can be paused. A job wakes the window when it is done. If its work panics, the player is told so, and whoever waits
//! for the result gets the [`JobPanic`] in its place.

use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bevy::prelude::*;

use emberwalk_map::clock::Instant;

use super::app_systems::AppSystems;
use super::frames::wake::Waker;
use super::notice::Notice;

#[cfg_attr(target_arch = "wasm32", path = "runner_on_page.rs")]
mod runner;
pub(super) mod worker;

/// How many cells the pathfinder looks at between two questions whether to go on: a millisecond or two.
const CELLS_IN_SLICE: u64 = 10_000;

/// How long a frame usually waits for a job.
const PATIENCE: Duration = Duration::from_millis(8);

/// Starts jobs.
#[derive(Resource, Clone)]
pub struct Jobs {
    /// How long a frame waits for jobs that are probably quick.
    pub patience: Duration,
    waker: Waker,
    /// For how many microseconds this frame has waited.
    waited: Arc<AtomicU64>,
    /// The panics that the player has not been told about.
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

/// What a job and its work share.
#[derive(Debug)]
pub(super) struct State {
    task: &'static str,
    is_cancelled: AtomicBool,
    /// The part that is done, as the bits of an `f32`.
    done: AtomicU32,
}

impl State {
    pub fn new(task: &'static str) -> Arc<Self> {
        Arc::new(Self { task, is_cancelled: AtomicBool::new(false), done: AtomicU32::new(0) })
    }

    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    pub fn set_cancelled(&self, is_cancelled: bool) {
        self.is_cancelled.store(is_cancelled, Ordering::Relaxed);
    }
}

/// How work reports its progress, and learns whether to go on.
pub struct Progress<'a> {
    state: &'a State,
    slice: Slice<'a>,
}

/// The time that work has for now.
#[derive(Clone, Copy)]
struct Slice<'a> {
    has_time: &'a (dyn Fn() -> bool + Sync),
    /// Whether the work has a thread of its own, on which it may wait.
    may_wait: bool,
}

impl Progress<'_> {
    /// Reports the part of the work that is done, 0 to 1.
    pub fn report(&self, done: f32) {
        self.state.done.store(done.to_bits(), Ordering::Relaxed);
    }

    /// Whether nobody wants the result any more.
    pub fn is_cancelled(&self) -> bool {
        self.state.is_cancelled()
    }

    /// Says whether to go on for now. Work in slices asks this every few milliseconds.
    pub fn go_on(&self) -> ControlFlow<()> {
        let has_time = !self.is_cancelled() && (self.slice.has_time)();
        if has_time { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Calls `advance` until it returns something, each time with the number of cells that it may look at, and asks in
    /// between whether to go on.
    pub fn in_slices<T>(&self, mut advance: impl FnMut(u64) -> Option<T>) -> ControlFlow<(), T> {
        loop {
            if let Some(done) = advance(CELLS_IN_SLICE) {
                return ControlFlow::Continue(done);
            }
            self.go_on()?;
        }
    }
}

#[cfg(test)]
impl<'a> Progress<'a> {
    pub(super) fn of(state: &'a State, has_time: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { state, slice: Slice { has_time, may_wait: false } }
    }
}

/// Work that can be paused, with a value that it has for itself meanwhile.
pub(super) trait Work<C>: Send {
    fn state(&self) -> &Arc<State>;

    /// Works until it is done (`Continue`) or is not to go on for now (`Break`).
    fn advance(&mut self, own: &mut C, progress: &Progress) -> ControlFlow<()>;

    /// Hands back the result, or the panic; nothing if it was cancelled.
    fn finish(self: Box<Self>, panic: Option<JobPanic>);
}

/// The work of a [`Job`].
struct JobWork<T, F> {
    work: F,
    value: Option<T>,
    result: Sender<Result<T, JobPanic>>,
    state: Arc<State>,
}

impl<C, T: Send, F: FnMut(&mut C, &Progress) -> ControlFlow<(), T> + Send> Work<C> for JobWork<T, F> {
    fn state(&self) -> &Arc<State> {
        &self.state
    }

    fn advance(&mut self, own: &mut C, progress: &Progress) -> ControlFlow<()> {
        self.value = Some((self.work)(own, progress)?);
        ControlFlow::Continue(())
    }

    fn finish(self: Box<Self>, panic: Option<JobPanic>) {
        let Self { work, value, result, .. } = *self;
        // Whoever gets the result need not share anything with the work any more.
        drop(work);
        if let Some(done) = panic.map(Err).or(value.map(Ok)) {
            // This fails only if nobody wants the result any more.
            let _ = result.send(done);
        }
    }
}

impl FromWorld for Jobs {
    fn from_world(world: &mut World) -> Self {
        Self::new(world.get_resource_or_init::<Waker>().clone())
    }
}

impl Jobs {
    /// Creates one whose jobs wake this window.
    pub fn new(waker: Waker) -> Self {
        Self { patience: PATIENCE, waker, waited: Arc::default(), panics: Arc::default() }
    }

    /// Returns what wakes the window, for threads that are no jobs.
    pub fn waker(&self) -> &Waker {
        &self.waker
    }

    /// Starts work that cannot be paused. If it panics, the player is told that this task failed.
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

    /// Starts work that can be paused: it is called again and again until it returns a value. It breaks off whenever
    /// [`Progress::go_on`] does.
    pub fn start_in_slices<T: Send + 'static>(
        &self,
        task: &'static str,
        mut work: impl FnMut(&Progress) -> ControlFlow<(), T> + Send + 'static,
    ) -> Job<T> {
        let (job, work) = Job::of(task, move |(): &mut (), progress: &Progress| work(progress));
        let (jobs, mut left) = (self.clone(), Some(work));
        runner::start(
            task,
            self.waker.has_window(),
            Box::new(move |slice| {
                left = left.take().and_then(|work| jobs.advance(work, &mut (), slice));
                if left.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            }),
        );
        job
    }

    /// Returns the result of a job that was just started, and is probably quick, if it is there within
    /// [`patience`](Self::patience). A frame waits no longer than that for all such jobs together.
    pub fn wait_briefly<T>(&self, job: &Job<T>) -> Option<Result<T, JobPanic>> {
        // Without any patience, no frame has the result of what it has started.
        if self.patience.is_zero() { None } else { self.receive(&job.results(), self.patience) }
    }

    /// Returns a result that work in the background sends, if it is there before this frame has waited for so long.
    pub(super) fn receive<R>(&self, results: &Receiver<R>, limit: Duration) -> Option<R> {
        let begun = Instant::now();
        let waited = Duration::from_micros(self.waited.load(Ordering::Relaxed));
        let result = runner::receive(results, limit.saturating_sub(waited));
        self.waited.fetch_add(begun.elapsed().as_micros() as u64, Ordering::Relaxed);
        result
    }

    /// Does a slice of some work, and returns what is left. After a panic, the value that it has had is a new one.
    fn advance<C: Default>(&self, mut work: Box<dyn Work<C>>, own: &mut C, slice: Slice) -> Option<Box<dyn Work<C>>> {
        let state = work.state().clone();
        let panic = if state.is_cancelled() {
            None
        } else {
            match catch(state.task, || work.advance(own, &Progress { state: &state, slice })) {
                Ok(ControlFlow::Break(())) => return Some(work),
                Ok(ControlFlow::Continue(())) => None,
                Err(panic) => {
                    *own = C::default();
                    self.panics.lock().unwrap_or_else(PoisonError::into_inner).push(panic.clone());
                    Some(panic)
                }
            }
        };
        work.finish(panic);
        self.waker.wake();
        None
    }
}

/// Does some work, and returns its panic if it panics.
///
/// # Errors
/// The panic.
pub fn catch<T>(task: &'static str, work: impl FnOnce() -> T) -> Result<T, JobPanic> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| JobPanic { task, message: message(&*panic) })
}

/// Returns the message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown".into())
}

impl<T: Send + 'static> Job<T> {
    /// Creates a job, and what does its work.
    fn of<C>(
        task: &'static str,
        work: impl FnMut(&mut C, &Progress) -> ControlFlow<(), T> + Send + 'static,
    ) -> (Self, Box<dyn Work<C>>) {
        let (sender, result) = channel();
        let state = State::new(task);
        let work = JobWork { work, value: None, result: sender, state: state.clone() };
        (Self { result: Mutex::new(result), state }, Box::new(work))
    }
}

impl<T> Job<T> {
    /// Returns the result if it is there within this time; afterwards `None` again.
    pub fn wait(&self, at_most: Duration) -> Option<Result<T, JobPanic>> {
        runner::receive(&self.results(), at_most)
    }

    /// Returns the result if it is there; afterwards `None` again.
    pub fn take(&self) -> Option<Result<T, JobPanic>> {
        self.wait(Duration::ZERO)
    }

    fn results(&self) -> MutexGuard<'_, Receiver<Result<T, JobPanic>>> {
        self.result.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the result, however long that takes. The web version must not call it.
    ///
    /// # Errors
    /// The panic of the work.
    pub fn finish(self) -> Result<T, JobPanic> {
        let result = self.wait(Duration::MAX);
        result.unwrap_or_else(|| unreachable!("nobody has taken the result"))
    }

    /// Returns the part of the work that is done, 0 to 1, as the work has reported it.
    pub fn progress(&self) -> f32 {
        f32::from_bits(self.state.done.load(Ordering::Relaxed))
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.state.set_cancelled(true);
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Jobs>().add_systems(Update, (begin_frame, report_panics).in_set(AppSystems::Listen));
}

/// Nothing was waited for in this frame.
fn begin_frame(jobs: Res<Jobs>) {
    jobs.waited.store(0, Ordering::Relaxed);
}

/// Tells the player which jobs have panicked.
fn report_panics(jobs: Res<Jobs>, mut notices: MessageWriter<Notice>) {
    let mut panics = jobs.panics.lock().unwrap_or_else(PoisonError::into_inner);
    notices.write_batch(panics.drain(..).map(|panic| Notice(format!("{panic}."))));
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::RecvTimeoutError;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn jobs() -> Jobs {
        Jobs::new(Waker::default())
    }

    #[test]
    fn a_job_returns_its_value_once_and_wakes_the_window() {
        let jobs = jobs();
        let job = jobs.start("Adding", |_| 3 + 4);
        assert_eq!(job.wait(LONG), Some(Ok(7)));
        assert_eq!(job.wait(LONG), None, "it is known at once that nothing more comes");
        assert_eq!(job.take(), None);
        while !jobs.waker.was_called() {
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
    fn the_panic_of_a_job_is_its_result_and_the_player_is_told() {
        let mut app = App::new();
        app.add_message::<Notice>().add_plugins(plugin);
        let job = app.world().resource::<Jobs>().start("Dividing", |_| -> u32 { panic!("{} by zero", 3) });
        let panic = JobPanic { task: "Dividing", message: "3 by zero".into() };
        assert_eq!(job.wait(LONG), Some(Err(panic)));
        app.update();
        let notices: Vec<_> = app.world_mut().resource_mut::<Messages<Notice>>().drain().collect();
        assert_eq!(notices.len(), 1);
        assert_eq!(notices[0].0, "Dividing failed because of an error in the program: 3 by zero.");
    }
}
