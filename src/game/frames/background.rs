//! Values that are computed beside the frames.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};

use bevy::tasks::AsyncComputeTaskPool;

use super::wake::Waker;

/// A value that is computed on another thread. The window wakes when it is there.
#[derive(Debug)]
pub struct Background<T>(Mutex<Receiver<T>>);

impl<T: Send + 'static> Background<T> {
    /// Starts to compute a value. If the returned `Background` is dropped meanwhile, so is the value when it is there.
    pub fn compute(waker: &Waker, work: impl FnOnce() -> T + Send + 'static) -> Self {
        let (sender, receiver) = channel();
        let waker = waker.clone();
        let task = async move {
            // This fails only if nobody wants the value any more.
            let _ = sender.send(work());
            waker.wake();
        };
        AsyncComputeTaskPool::get().spawn(task).detach();
        Self(Mutex::new(receiver))
    }

    /// Returns the value once it is there; afterwards `None` again.
    pub fn take(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).try_recv().ok()
    }
}
