//! Work in the background: whatever may take longer than a frame is a [`Job`].
//!
//! A job runs on a thread of its own. The web version has no threads: there, work runs between frames, in slices if it
//! can be paused. A job wakes the window when it is done. If its work panics, the player is told so, and whoever waits
//! for the result gets the [`JobPanic`] in its place.

use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bevy::prelude::*;

use super::app_systems::AppSystems;
use super::frames::wake::Waker;
use super::notice::Notice;

#[cfg_attr(target_arch = "wasm32", path = "runner_on_page.rs")]
mod runner;

/// How long a frame usually waits for a job.
const PATIENCE: Duration = Duration::from_millis(8);

/// Starts jobs.
#[derive(Resource, Clone)]
pub struct Jobs {
    /// How long a frame waits for work that is probably quick.
    pub patience: Duration,
    waker: Waker,
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
#[derive(Debug, Default)]
struct State {
    is_cancelled: AtomicBool,
    /// The part that is done, as the bits of an `f32`.
    done: AtomicU32,
}

/// How work reports its progress, and learns whether to go on.
pub struct Progress<'a> {
    state: &'a State,
    /// Whether the slice goes on, on the web version.
    has_time: &'a (dyn Fn() -> bool + Sync),
}

impl Progress<'_> {
    /// Reports the part of the work that is done, 0 to 1.
    pub fn report(&self, done: f32) {
        self.state.done.store(done.to_bits(), Ordering::Relaxed);
    }

    /// Whether nobody wants the result any more.
    pub fn is_cancelled(&self) -> bool {
        self.state.is_cancelled.load(Ordering::Relaxed)
    }

    /// Says whether to go on for now. Work in slices asks this every few milliseconds.
    pub fn go_on(&self) -> ControlFlow<()> {
        if self.is_cancelled() || !(self.has_time)() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
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
        Self { patience: PATIENCE, waker, panics: Arc::default() }
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
        work: impl FnMut(&Progress) -> ControlFlow<(), T> + Send + 'static,
    ) -> Job<T> {
        let (sender, result) = channel();
        let state = Arc::new(State::default());
        let (jobs, of_work, mut work) = (self.clone(), state.clone(), Some(work));
        let run = move |has_time: &(dyn Fn() -> bool + Sync)| {
            let progress = Progress { state: &of_work, has_time };
            let Some(running) = work.as_mut().filter(|_| !progress.is_cancelled()) else {
                return ControlFlow::Continue(());
            };
            let result = match catch(task, || running(&progress)) {
                Ok(ControlFlow::Break(())) => return ControlFlow::Break(()),
                Ok(ControlFlow::Continue(value)) => Ok(value),
                Err(panic) => {
                    jobs.panics.lock().unwrap_or_else(PoisonError::into_inner).push(panic.clone());
                    Err(panic)
                }
            };
            // Whoever gets the result need not share anything with the work any more.
            work = None;
            // This fails only if nobody wants the result any more.
            let _ = sender.send(result);
            jobs.waker.wake();
            ControlFlow::Continue(())
        };
        runner::start(task, Box::new(run));
        Job { result: Mutex::new(result), state }
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

impl<T> Job<T> {
    /// Returns the result if it is there within this time; afterwards `None` again. Work that is probably quick is waited
    /// for at once, for [`Jobs::patience`], so that it ends in its frame.
    pub fn wait(&self, at_most: Duration) -> Option<Result<T, JobPanic>> {
        runner::receive(&self.result.lock().unwrap_or_else(PoisonError::into_inner), at_most)
    }

    /// Returns the result if it is there; afterwards `None` again.
    pub fn take(&self) -> Option<Result<T, JobPanic>> {
        self.wait(Duration::ZERO)
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
        self.state.is_cancelled.store(true, Ordering::Relaxed);
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Jobs>().add_systems(Update, report_panics.in_set(AppSystems::Listen));
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
