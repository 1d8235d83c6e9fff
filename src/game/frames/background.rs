//! Values that are computed beside the frames.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};

use super::wake::Waker;
use super::work::GoOn;
use super::worker;
use emberwalk_map::parts;

/// About how many pixels at zoom 1 wide and high the squares of a picture are that is painted beside the frames. A page
/// paints small ones between two frames.
pub const PAINTED_AT_ONCE: u32 = worker::PAINTED_AT_ONCE;

/// A value that is computed on a thread of its own, or on a page between frames. The window wakes when it is there.
///
/// The tasks of the engine share few threads, on two processors only one. What takes minutes would keep the pictures of
/// the map waiting.
#[derive(Debug)]
pub struct Background<T> {
    value: Mutex<Receiver<T>>,
    is_unwanted: Arc<AtomicBool>,
}

impl<T: Send + 'static> Background<T> {
    /// Starts to compute a value. If the returned `Background` is dropped meanwhile, so is the value when it is there.
    pub fn compute(waker: &Waker, work: impl FnOnce() -> T + Send + 'static) -> Self {
        let mut work = Some(work);
        Self::compute_with_pauses(waker, move |_| match work.take() {
            Some(work) => ControlFlow::Continue(work()),
            None => ControlFlow::Break(()),
        })
    }

    /// Starts to compute a value in parts, so that a page can draw frames in between. `work` is called again and again
    /// until it returns the value. It has to ask every few milliseconds whether to go on, and to break off if not. If
    /// the returned `Background` is dropped meanwhile, it is broken off for good.
    pub fn compute_with_pauses(
        waker: &Waker,
        mut work: impl FnMut(GoOn<'_>) -> ControlFlow<(), T> + Send + 'static,
    ) -> Self {
        let (sender, value) = channel();
        let (waker, is_unwanted) = (waker.clone(), Arc::new(AtomicBool::new(false)));
        let work = move |go_on: GoOn<'_>| {
            let value = work(go_on)?;
            // This fails only if nobody wants the value any more.
            let _ = sender.send(value);
            waker.wake();
            ControlFlow::Continue(())
        };
        worker::start(Box::new(work), is_unwanted.clone());
        Self { value: Mutex::new(value), is_unwanted }
    }

    /// Does the same with a value that is computed by an asynchronous function of this library, which pauses every few
    /// milliseconds.
    pub(crate) fn compute_in_parts(waker: &Waker, work: impl Future<Output = T> + Send + 'static) -> Self {
        let mut work = Box::pin(work);
        Self::compute_with_pauses(waker, move |go_on| parts::go_on(work.as_mut(), go_on))
    }

    /// Returns the value once it is there; afterwards `None` again.
    pub fn take(&self) -> Option<T> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner).try_recv().ok()
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        self.is_unwanted.store(true, Ordering::Relaxed);
    }
}
