//! Reads the maps that are asked for, one after the other. The files of a page are its own, so nobody else changes them.
//! On other systems, `watcher/` has this module's place.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bevy::prelude::*;

use crate::game::jobs::{Job, Jobs};
use emberwalk_map::diagnostics::Diagnostics;

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
    /// The map that is being read, and the loader that has read it.
    ongoing: Option<Job<(Loader, LoadResult)>>,
    /// A map that was being read when the window was opened.
    first: Option<LoadResult>,
    jobs: Jobs,
}

impl FileWatcher {
    /// Takes the reader of the first map. The window is woken whenever there is something to take.
    pub fn start(files: Followed, jobs: &Jobs) -> Self {
        let (progress, mut loader, first) = match files {
            Followed::Read(loader, _) => (LoadProgress::default(), loader, None),
            Followed::Pending(load) => {
                let progress = load.progress().clone();
                let (loader, result) = load.receive();
                (progress, loader, Some(*result))
            }
        };
        loader.start_following();
        let reader = Reader { loader: *loader, ongoing: None, first, jobs: jobs.clone() };
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
        self.reader().ongoing = None;
    }

    /// Reads another map file, or makes a map, instead.
    pub fn open(&mut self, map: MapSource) {
        self.requests += 1;
        self.progress.begin(self.requests, &map.name());
        let (progress, request) = (self.progress.clone(), self.requests);
        let mut reader = self.reader();
        reader.loader.open(map);
        let mut loader = reader.loader.clone();
        reader.ongoing = Some(reader.jobs.start("Reading the map", move |_| {
            let result = loader.load(&|done| progress.advance(request, done));
            (loader, result)
        }));
    }

    /// Returns what tells it that the window saves the map.
    pub fn save_note(&self) -> SaveNote {
        SaveNote
    }

    /// Returns the latest result for the map that was requested last; `None` if there is none since the last call.
    pub fn take_latest(&self) -> Option<LoadResult> {
        let mut reader = self.reader();
        if let Some(first) = reader.first.take() {
            return Some(first);
        }
        let read = reader.ongoing.as_ref()?.take()?;
        reader.ongoing = None;
        self.progress.end(self.requests);
        Some(match read {
            Ok((loader, result)) => {
                reader.loader = loader;
                result
            }
            Err(panic) => Err(Diagnostics::of_file(&reader.loader.source().name(), panic.to_string(), None)),
        })
    }

    fn reader(&self) -> MutexGuard<'_, Reader> {
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Is told that the window saves the map. Nobody reads its file for that here.
pub struct SaveNote;

impl SaveNote {
    /// Notes the text that is about to be written.
    pub fn note(&self, _: Arc<str>) {}
}
