//! How plugins ask for frames, and how other threads wake the window.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bevy::prelude::*;

/// Asks for a frame. After input, frames follow anyway. To get a frame at a later time, a system asks in every frame
/// until then; so no request ever has to be withdrawn.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// The next frame follows immediately, because something moves.
    NextFrame,
    /// The next frame follows at the latest after this time, counted from the beginning of this one.
    After(Duration),
}

/// Wakes the window from any thread, for example because a job has a result. Clones wake the same window.
/// Without a window, it does nothing.
#[derive(Resource, Clone, Default)]
pub struct Waker {
    called: Arc<AtomicBool>,
    wake: Arc<OnceLock<Box<dyn Fn() + Send + Sync>>>,
}

impl Waker {
    /// From now on, this and all clones wake an event loop with this function.
    pub(super) fn connect(&self, wake: impl Fn() + Send + Sync + 'static) {
        // There is only one event loop.
        let _ = self.wake.set(Box::new(wake));
    }

    /// Whether there is a window.
    pub(in crate::game) fn has_window(&self) -> bool {
        self.wake.get().is_some()
    }

    /// Makes the window draw the next frames.
    pub fn wake(&self) {
        self.called.store(true, Ordering::Release);
        if let Some(wake) = self.wake.get() {
            wake();
        }
    }

    /// Whether the window was woken since the last call.
    pub(in crate::game) fn was_called(&self) -> bool {
        self.called.swap(false, Ordering::Acquire)
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_message::<Wake>().init_resource::<Waker>();
}
