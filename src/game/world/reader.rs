//! Reads requested maps in the background, and reloads the open one when its files have changed.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::Duration;

use bevy::prelude::*;

use crate::game::frames::wake::Waker;
use crate::game::jobs::{Job, Jobs};
use crate::game::platform::watcher::FileWatcher;
use crate::game::world::map_source::{MapSource, NEW_MAP};
use emberwalk_map::clock::Instant;
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_map::threads::lock;

use super::loader::{LoadResult, Loader, Source, Version, VersionKey};

/// After this time, a card shows that a map is being read.
pub const PATIENCE: Duration = Duration::from_millis(500);

/// Reads one map after the other, and follows the files of the last one.
#[derive(Resource)]
pub struct MapReader {
    /// The loader that read the last files.
    loader: Loader,
    known: Known,
    reading: Option<Reading>,
    /// A result that has not been taken yet.
    latest: Option<LoadResult>,
    watcher: Arc<Mutex<FileWatcher>>,
    jobs: Jobs,
}

/// The last result; `None` before the first one.
type Known = Arc<Mutex<Option<Result<VersionKey, Diagnostics>>>>;

/// A map that is being read. The result has no version if it is the known one.
struct Reading {
    name: String,
    is_asked: bool,
    /// The start of the reading, if there is certainly a new version to read.
    begun: Arc<OnceLock<Instant>>,
    job: Job<(Loader, Result<Option<Version>, Diagnostics>)>,
}

/// A map that is being read or created.
#[derive(Clone, Debug)]
pub struct Load {
    /// Its name in messages.
    pub name: String,
    /// The finished share of the work, 0 to 1.
    pub done: f32,
    /// The time for which it has been read.
    pub elapsed: Duration,
}

impl Load {
    /// Whether the map is created, and not read from a file.
    pub fn is_new(&self) -> bool {
        self.name == NEW_MAP
    }
}

/// Tells the reader that the window saves the map, so that it ignores this change of the file.
pub struct SaveNote(Known);

impl SaveNote {
    /// Records the text that is about to be written.
    pub fn note(&self, text: Arc<str>) {
        let mut known = lock(&self.0);
        *known = known.take().map(|known| known.map(|key| key.with_text(text)));
    }
}

impl MapReader {
    /// Begins to read the first map, while the engine starts. If there are too many threads, it is read immediately on
    /// this one.
    pub fn start(source: Source) -> Self {
        // The window that is woken does not exist yet.
        let waker = Waker::default();
        let (name, loader, wake) = (source.name(), Loader::new(source), waker.clone());
        let mut reader = Self {
            loader: loader.clone(),
            known: Known::default(),
            reading: None,
            latest: None,
            watcher: Arc::new(Mutex::new(FileWatcher::new(move || wake.wake()))),
            jobs: Jobs::new(waker),
        };
        reader.read(loader, name, true);
        reader
    }

    /// Waits for the map for at most this time, and returns the result if it is ready.
    pub fn wait(&mut self, at_most: Duration) -> Option<&LoadResult> {
        self.receive(at_most);
        self.latest.as_ref()
    }

    /// Takes the result for which [`wait`](Self::wait) has waited.
    pub(super) fn take_waited(&mut self) -> Option<LoadResult> {
        self.latest.take()
    }

    /// The waker of the window, which is called after reading.
    pub fn waker(&self) -> &Waker {
        self.jobs.waker()
    }

    /// The files that were read last, or are read first.
    pub(super) fn source(&self) -> &Source {
        self.loader.source()
    }

    /// The errors of the files that were read last.
    pub fn errors(&self) -> Option<Diagnostics> {
        lock(&self.known).as_ref().and_then(|known| known.as_ref().err().cloned())
    }

    /// The map that is being read; `None` if none is.
    pub fn load(&self) -> Option<Load> {
        let Reading { name, begun, job, .. } = self.reading.as_ref()?;
        Some(Load { name: name.clone(), done: job.progress(), elapsed: begun.get()?.elapsed() })
    }

    /// Reads another map file or creates a map, and follows the file.
    pub fn open(&mut self, map: MapSource) {
        let (mut loader, name) = (self.loader.clone(), map.name());
        loader.open(map);
        self.read(loader, name, true);
    }

    /// Cancels reading the requested map, and follows the files of the previous one.
    pub fn give_up(&mut self) {
        (self.reading, self.latest) = (None, None);
        self.read_again();
    }

    /// The message that the window saves the map.
    pub fn save_note(&self) -> SaveNote {
        SaveNote(self.known.clone())
    }

    /// The map that was read since the last call. Begins to read the files again if they have changed.
    pub fn take_latest(&mut self) -> Option<LoadResult> {
        self.receive(Duration::ZERO);
        if self.reading.is_none() && lock(&self.watcher).has_changed() {
            self.read_again();
        }
        self.latest.take()
    }

    /// Reads the files again that were read last, if any were.
    fn read_again(&mut self) {
        if lock(&self.known).is_some() {
            self.read(self.loader.clone(), self.loader.source().name(), false);
        }
    }

    fn read(&mut self, mut loader: Loader, name: String, is_asked: bool) {
        let begun = Arc::new(OnceLock::new());
        // Reading unchanged files should not show a panel.
        if is_asked {
            begun.get_or_init(Instant::now);
        }
        let (known, watcher, has_begun) = (self.known.clone(), self.watcher.clone(), begun.clone());
        let job = self.jobs.start_in_slices("Reading the map", move |progress| {
            let wait = lock(&watcher).time_until_quiet();
            if let Some(wait) = wait {
                thread::sleep(wait);
                return ControlFlow::Break(());
            }
            let mut watching = lock(&watcher);
            progress.go_on()?;
            let last = watching.watch(loader.file(), loader.source().assets.as_deref());
            drop(watching);
            let known = lock(&known).clone().filter(|_| !is_asked);
            let result = loader.load_unless(known.and_then(Result::ok).as_ref(), &|done| {
                has_begun.get_or_init(Instant::now);
                progress.report(done);
            });
            if !lock(&watcher).is_complete(result.is_ok(), last) {
                return ControlFlow::Break(());
            }
            loader.is_following = true;
            ControlFlow::Continue((loader.clone(), result))
        });
        self.reading = Some(Reading { name, is_asked, begun, job });
    }

    /// Takes the result, if it is ready within this time.
    fn receive(&mut self, at_most: Duration) {
        let Some(read) = self.reading.as_ref().and_then(|reading| reading.job.wait(at_most)) else { return };
        let Some(Reading { name, is_asked, .. }) = self.reading.take() else { return };
        let result = match read {
            Ok((loader, result)) => {
                self.loader = loader;
                result
            }
            Err(panic) => Err(Diagnostics::of_file(&name, panic.to_string(), None)),
        };
        let Some(result) = result.transpose() else { return };
        let now = result.as_ref().map(Version::key).map_err(Diagnostics::clone);
        let mut known = lock(&self.known);
        let is_known = !is_asked && matches!((&*known, &now), (Some(Err(known)), Err(now)) if known == now);
        *known = Some(now);
        drop(known);
        self.latest = Some(result).filter(|_| !is_known);
    }
}
