//! How plugins ask for frames, and how other threads wake the window.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bevy::prelude::*;

/// Asks for a frame. Input asks for the frames after it by itself. What needs a frame at a later time asks in every
/// frame until then; so nothing has to take a request back.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// The next frame follows at once, because something moves.
    NextFrame,
    /// The next frame follows at the latest after this time, counted from the beginning of this one.
    After(Duration),
}

/// Wakes the window from any thread, for example because a background task has a result. Clones wake the same window.
/// Without a window, it does nothing.
#[derive(Resource, Clone, Default)]
pub struct Waker {
    called: Arc<AtomicBool>,
    wake: Option<Arc<dyn Fn() + Send + Sync>>,
}

impl Waker {
    /// Creates one that wakes an event loop with this function.
    pub(super) fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self { called: Arc::default(), wake: Some(Arc::new(wake)) }
    }

    /// Makes the window draw the next frames.
    pub fn wake(&self) {
        self.called.store(true, Ordering::Release);
        if let Some(wake) = &self.wake {
            wake();
        }
    }

    /// Returns whether the window was woken since the last call.
    pub(super) fn was_called(&self) -> bool {
        self.called.swap(false, Ordering::Acquire)
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_message::<Wake>().init_resource::<Waker>();
}
