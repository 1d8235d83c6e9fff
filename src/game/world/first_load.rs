//! The first map, which is read while the engine starts. A large one arrives after the window has opened.

use emberwalk_map::clock::Instant;
use emberwalk_map::diagnostics::Diagnostics;

use crate::game::frames::wake::Waker;
use crate::game::jobs::{Job, JobPanic, Jobs};

use super::load_progress::LoadProgress;
use super::loader::{LoadResult, Loader, Source};

/// A loader, and what it has read.
type Loaded = (Box<Loader>, Box<LoadResult>);

/// The first map while it is being read.
#[derive(Debug)]
pub struct FirstLoad {
    source: Source,
    progress: LoadProgress,
    job: Job<Loaded>,
}

/// The first map.
#[derive(Debug)]
pub enum FirstMap {
    /// It was read, or has faults.
    Read(Box<Loader>, Box<LoadResult>),
    /// It is still being read.
    Pending(FirstLoad),
}

impl FirstLoad {
    /// The number of the request for it.
    pub(super) const REQUEST: u32 = 0;

    /// Starts to read the files of a source. If there are too many threads, it reads them here and now.
    pub fn start(source: Source) -> Self {
        let progress = LoadProgress::default();
        progress.begin(Self::REQUEST, &source.name());
        let (reader_source, reader_progress) = (source.clone(), progress.clone());
        // There is no window yet that could be woken.
        let job = Jobs::new(Waker::default()).start("Reading the map", move |_| {
            let mut loader = Loader::new(reader_source);
            let result = loader.load(&|done| reader_progress.advance(Self::REQUEST, done));
            reader_progress.end(Self::REQUEST);
            (Box::new(loader), Box::new(result))
        });
        Self { source, progress, job }
    }

    /// Returns which files are read.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Returns what tells how far the reading is.
    pub(super) fn progress(&self) -> &LoadProgress {
        &self.progress
    }

    /// Waits for the map, however long that takes.
    pub fn wait(self) -> FirstMap {
        let (loader, result) = self.receive();
        FirstMap::Read(loader, result)
    }

    pub(super) fn receive(self) -> Loaded {
        let Self { source, job, .. } = self;
        loaded(source, job.finish())
    }

    /// Waits for the map until then.
    pub fn wait_until(self, end: Instant) -> FirstMap {
        match self.job.wait(end.saturating_duration_since(Instant::now())) {
            None => FirstMap::Pending(self),
            Some(result) => {
                let (loader, result) = loaded(self.source, result);
                FirstMap::Read(loader, result)
            }
        }
    }
}

/// Returns what was read. An error in the program is shown like one in the files.
fn loaded(source: Source, result: Result<Loaded, JobPanic>) -> Loaded {
    result.unwrap_or_else(|panic| {
        let result = Err(Diagnostics::of_file(&source.name(), panic.to_string(), None));
        (Box::new(Loader::new(source)), Box::new(result))
    })
}
