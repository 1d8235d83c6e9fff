//! A worker owns a value and works on it in the background, the most urgent work first.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard};

use crate::runner::HasTime;
use crate::{Job, Jobs, Progress, State, Work, lock, runner};

/// Owns a value, and works on it in the background until this is dropped.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::time::Duration;
/// use emberwalk_jobs::{Jobs, Worker};
/// let worker = Worker::<Vec<u32>>::new("Collecting", Jobs::default());
/// let job = worker.start(0, "Adding", |numbers, _| {
///     numbers.push(7);
///     ControlFlow::Continue(numbers.len())
/// });
/// assert_eq!(job.wait(Duration::MAX), Some(Ok(1)));
/// ```
pub struct Worker<C> {
    task: &'static str,
    jobs: Jobs,
    shared: Arc<Shared<C>>,
    state: Arc<State>,
}

struct Shared<C> {
    own: Mutex<C>,
    queue: Mutex<Queue<C>>,
}

struct Queue<C> {
    /// The most urgent work first.
    waiting: Vec<Waiting<C>>,
    /// Whether the work is being done.
    is_served: bool,
}

/// Work with its urgency: 0 is the most urgent.
struct Waiting<C> {
    urgency: u8,
    state: Arc<State>,
    work: Work<C>,
}

impl<C: Default + Send + 'static> Worker<C> {
    /// Creates a worker for this value.
    pub fn new(task: &'static str, jobs: Jobs) -> Self {
        let queue = Mutex::new(Queue { waiting: Vec::new(), is_served: false });
        let shared = Arc::new(Shared { own: Mutex::default(), queue });
        Self { task, jobs, shared, state: Arc::default() }
    }

    /// Like [`Jobs::start_in_slices`], with the value of the worker. More urgent work, which has a lower number, pauses
    /// this work.
    pub fn start<T: Send + 'static>(
        &self,
        urgency: u8,
        task: &'static str,
        work: impl FnMut(&mut C, &Progress) -> ControlFlow<(), T> + Send + 'static,
    ) -> Job<T> {
        let (started, work) = self.jobs.prepare(task, work);
        let mut queue = self.shared.queue();
        queue.waiting.retain(|waiting| !waiting.state.is_cancelled());
        let place = queue.waiting.partition_point(|other| other.urgency <= urgency);
        queue.waiting.insert(place, Waiting { urgency, state: started.state.clone(), work });
        if !std::mem::replace(&mut queue.is_served, true) {
            let shared = self.shared.clone();
            let state = self.state.clone();
            drop(queue);
            let serve = move |has_time: HasTime| match state.is_cancelled() {
                true => ControlFlow::Continue(()),
                false => shared.serve(&Progress { state: &state, has_time }),
            };
            runner::start(self.task, self.jobs.owner.draws_frames(), Box::new(serve));
        }
        started
    }
}

impl<C> Drop for Worker<C> {
    fn drop(&mut self) {
        self.state.cancel();
    }
}

impl<C> Shared<C> {
    fn queue(&self) -> MutexGuard<'_, Queue<C>> {
        lock(&self.queue)
    }

    /// Takes the most urgent work. If there is none, the next work is started again.
    fn next(&self) -> Option<Waiting<C>> {
        let mut queue = self.queue();
        queue.is_served = !queue.waiting.is_empty();
        queue.is_served.then(|| queue.waiting.remove(0))
    }

    fn has_more_urgent(&self, urgency: u8) -> bool {
        self.queue().waiting.first().is_some_and(|first| first.urgency < urgency)
    }
}

impl<C: Send> Shared<C> {
    /// Does work until none is left.
    fn serve(&self, progress: &Progress) -> ControlFlow<(), ()> {
        while let Some(mut next) = self.next() {
            let has_time = || progress.go_on().is_continue() && !self.has_more_urgent(next.urgency);
            let is_left = (next.work)(&mut lock(&self.own), &has_time).is_break();
            if is_left {
                let mut queue = self.queue();
                let place = queue.waiting.partition_point(|other| other.urgency < next.urgency);
                queue.waiting.insert(place, next);
            }
            progress.go_on()?;
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn worker() -> Worker<Vec<u8>> {
        Worker::new("Testing", Jobs::default())
    }

    /// Records a number.
    fn note(worker: &Worker<Vec<u8>>, urgency: u8, number: u8) -> Job<()> {
        worker.start(urgency, "Noting", move |notes, _| {
            notes.push(number);
            ControlFlow::Continue(())
        })
    }

    fn noted(worker: &Worker<Vec<u8>>) -> Vec<u8> {
        let job = worker.start(u8::MAX, "Reading", |notes, _| ControlFlow::Continue(notes.clone()));
        job.wait(LONG).expect("it is done").expect("it does not panic")
    }

    /// Starts work that continues until it is told to end. It records when it is paused, and its number at the end.
    fn long(worker: &Worker<Vec<u8>>, urgency: u8, number: u8) -> (std::sync::mpsc::Sender<()>, Job<()>) {
        let (end, ended) = channel();
        let (begun, has_begun) = channel();
        let job = worker.start(urgency, "Going on", move |notes: &mut Vec<u8>, progress| {
            let _ = begun.send(());
            while ended.try_recv().is_err() {
                progress.go_on().map_break(|()| notes.push(0))?;
                std::thread::yield_now();
            }
            notes.push(number);
            ControlFlow::Continue(())
        });
        has_begun.recv_timeout(LONG).expect("it begins");
        (end, job)
    }

    #[test]
    fn the_most_urgent_work_is_done_first_and_pauses_what_is_less_urgent() {
        let worker = worker();
        let (end, job) = long(&worker, 5, 9);
        let jobs = [(7, 4), (5, 3), (7, 5)].map(|(urgency, number)| note(&worker, urgency, number));
        assert_eq!(note(&worker, 1, 2).wait(LONG), Some(Ok(())), "it does not wait for the long one");
        assert_eq!(job.take(), None);
        end.send(()).expect("it goes on");
        assert_eq!(job.wait(LONG), Some(Ok(())));
        jobs.iter().for_each(|job| assert_eq!(job.wait(LONG), Some(Ok(()))));
        assert_eq!(noted(&worker), [0, 2, 9, 3, 4, 5]);
    }

    #[test]
    fn cancelled_work_is_dropped_while_it_waits() {
        let worker = worker();
        let (end, _job) = long(&worker, 1, 9);
        let shared = Arc::new(());
        let held = shared.clone();
        drop(worker.start(2, "Holding", move |_, _| {
            let _ = &held;
            ControlFlow::Continue(())
        }));
        let _other = note(&worker, 2, 3);
        assert_eq!(Arc::strong_count(&shared), 1);
        end.send(()).expect("it goes on");
        assert_eq!(noted(&worker), [9, 3]);
    }

    #[test]
    fn after_a_panic_the_worker_begins_anew_and_goes_on() {
        let worker = worker();
        let _ = note(&worker, 1, 2).wait(LONG);
        let job = worker.start(1, "Failing", |_, _| -> ControlFlow<(), ()> { panic!("a bug") });
        let panic = job.wait(LONG).expect("it ends").expect_err("it panics");
        assert_eq!(panic.to_string(), "Failing failed because of an error in the program: a bug");
        let _ = note(&worker, 1, 3).wait(LONG);
        assert_eq!(noted(&worker), [3], "what the panic has left is not used");
    }

    #[test]
    fn work_ends_with_the_worker() {
        let worker = worker();
        let shared = Arc::downgrade(&worker.shared);
        let _ = note(&worker, 1, 2).wait(LONG);
        let (_end, _job) = long(&worker, 1, 3);
        drop(worker);
        let begun = std::time::Instant::now();
        while shared.strong_count() > 0 {
            assert!(begun.elapsed() < LONG, "the work goes on for ever");
            std::thread::yield_now();
        }
    }
}
