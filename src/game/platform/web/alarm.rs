//! Wakes the event loop at a time, with a browser timer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use bevy::prelude::Resource;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

use emberwalk_map::clock::Instant;

/// Wakes the event loop at a time.
#[derive(Resource)]
pub(in crate::game) struct Alarm {
    wake: Arc<dyn Fn() + Send + Sync>,
    time: Option<Instant>,
    /// How often the time was set. A timer that was started for an earlier time does nothing.
    settings: Arc<AtomicU32>,
}

impl Alarm {
    /// Creates an alarm that calls `wake`.
    pub fn start(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self { wake: Arc::new(wake), time: None, settings: Arc::default() }
    }

    /// Rings at this time and at no other.
    pub fn set(&mut self, time: Option<Instant>) {
        if self.time == time {
            return;
        }
        self.time = time;
        let setting = self.settings.fetch_add(1, Ordering::Relaxed) + 1;
        let (Some(time), Some(window)) = (time, web_sys::window()) else { return };
        let wake = self.wake.clone();
        let settings = self.settings.clone();
        let ring = Closure::once_into_js(move || {
            if settings.load(Ordering::Relaxed) == setting {
                wake();
            }
        });
        let millis = time.saturating_duration_since(Instant::now()).as_millis();
        let millis = i32::try_from(millis).unwrap_or(i32::MAX);
        // This fails only if the page is being closed.
        let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(ring.unchecked_ref(), millis);
    }
}
