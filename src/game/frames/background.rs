//! Values that are computed beside the frames.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

use super::wake::Waker;

/// A value that is computed on a thread of its own. The window wakes when it is there.
///
/// The tasks of the engine share few threads, on two processors only one. What takes minutes would keep the pictures of
/// the map waiting.
#[derive(Debug)]
pub struct Background<T>(Mutex<Receiver<T>>);

impl<T: Send + 'static> Background<T> {
    /// Starts to compute a value. If the returned `Background` is dropped meanwhile, so is the value when it is there.
    pub fn compute(waker: &Waker, work: impl FnOnce() -> T + Send + 'static) -> Self {
        let (sender, receiver) = channel();
        let waker = waker.clone();
        let work = Arc::new(Mutex::new(Some(move || {
            // This fails only if nobody wants the value any more.
            let _ = sender.send(work());
            waker.wake();
        })));
        let on_thread = work.clone();
        let started = Builder::new().name("background".into()).spawn(move || {
            let work = lock(&on_thread).take();
            work.into_iter().for_each(|work| work());
        });
        if started.is_err() {
            // There are too many threads, so the frame has to wait.
            let work = lock(&work).take();
            work.into_iter().for_each(|work| work());
        }
        Self(Mutex::new(receiver))
    }

    /// Returns the value once it is there; afterwards `None` again.
    pub fn take(&self) -> Option<T> {
        lock(&self.0).try_recv().ok()
    }
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
