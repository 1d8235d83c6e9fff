//! What is being read beside the frames, and how far that is.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bevy::prelude::*;

use emberwalk_map::clock::Instant;

use super::loader::NEW_MAP;

/// After this time the player is told that a map is being read.
pub const PATIENCE: Duration = Duration::from_millis(500);

/// The map that is being read or made. Clones are about the same one, on whichever thread.
#[derive(Resource, Clone, Debug, Default)]
pub struct LoadProgress(Arc<Mutex<Option<Load>>>);

/// A map that is being read or made.
#[derive(Clone, Debug)]
pub struct Load {
    /// What messages call it.
    pub name: String,
    /// How much of the work is done, 0 to 1.
    pub done: f32,
    since: Instant,
    /// The number of the request.
    request: u32,
}

impl LoadProgress {
    /// Returns what is being read; `None` if nothing is.
    pub fn get(&self) -> Option<Load> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes that a map is being read for this request, unless that or a later one is known.
    pub(super) fn begin(&self, request: u32, name: &str) {
        self.change(|load| {
            if load.as_ref().is_none_or(|load| load.request < request) {
                *load = Some(Load { name: name.to_owned(), done: 0.0, since: Instant::now(), request });
            }
        });
    }

    /// Notes how much is done for this request, if it is still wanted.
    pub(super) fn advance(&self, request: u32, done: f32) {
        self.change(|load| {
            if let Some(load) = load.as_mut().filter(|load| load.request == request) {
                load.done = done;
            }
        });
    }

    /// Notes that nothing is read any more for this request or an earlier one.
    pub(super) fn end(&self, request: u32) {
        self.change(|load| *load = load.take().filter(|load| load.request > request));
    }

    fn change(&self, change: impl FnOnce(&mut Option<Load>)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Load {
    /// Whether the map is made, and not read from a file.
    pub fn is_new(&self) -> bool {
        self.name == NEW_MAP
    }

    /// Returns for how long that has taken by now.
    pub fn elapsed(&self) -> Duration {
        self.since.elapsed()
    }
}
