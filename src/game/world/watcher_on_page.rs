//! Reads the maps that are asked for, one after the other. The files of a page are its own, so nobody else changes them.
//! On other systems, `watcher/` has this module's place.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bevy::prelude::*;

use super::first_load::FirstLoad;
use super::followed::Followed;
use super::load_progress::LoadProgress;
use super::loader::{LoadResult, Loader, MapSource};

/// Reads the maps that are asked for.
#[derive(Resource)]
pub struct FileWatcher {
    reader: Mutex<Reader>,
    /// The number of requests for another map so far.
    requests: u32,
    progress: LoadProgress,
}

/// What reads them.
struct Reader {
    loader: Loader,
    /// Whether the map of the loader has not been read yet.
    is_due: bool,
    /// A map that was being read when the window was opened.
    first: Option<LoadResult>,
    /// Asks for a frame.
    wake: Box<dyn Fn() + Send>,
}

impl FileWatcher {
    /// Takes the reader of the first map. `wake` is called whenever there is something to take.
    pub fn start(files: Followed, wake: impl Fn() + Send + 'static) -> Self {
        let (progress, mut loader, first) = match files {
            Followed::Read(loader, _) => (LoadProgress::default(), loader, None),
            Followed::Pending(load) => {
                let progress = load.progress().clone();
                let (loader, result) = load.receive();
                (progress, loader, Some(*result))
            }
        };
        loader.start_following();
        let reader = Reader { loader: *loader, is_due: false, first, wake: Box::new(wake) };
        Self { reader: Mutex::new(reader), requests: FirstLoad::REQUEST, progress }
    }

    /// Returns what tells how far the reading of a map is.
    pub fn progress(&self) -> &LoadProgress {
        &self.progress
    }

    /// Does not want the map any more that was requested last.
    pub fn give_up(&mut self) {
        self.progress.end(self.requests);
        self.requests += 1;
        self.reader().is_due = false;
    }

    /// Reads another map file, or makes a map, instead.
    pub fn open(&mut self, map: MapSource) {
        self.requests += 1;
        self.progress.begin(self.requests, &map.name());
        let mut reader = self.reader();
        reader.loader.open(map);
        reader.is_due = true;
        (reader.wake)();
    }

    /// Returns the latest result for the map that was requested last; `None` if there is none since the last call.
    pub fn take_latest(&self) -> Option<LoadResult> {
        let mut reader = self.reader();
        if let Some(first) = reader.first.take() {
            return Some(first);
        }
        if !std::mem::take(&mut reader.is_due) {
            return None;
        }
        let result = reader.loader.load(&|done| self.progress.advance(self.requests, done));
        self.progress.end(self.requests);
        Some(result)
    }

    fn reader(&self) -> MutexGuard<'_, Reader> {
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
