//! Reads requested maps in the background, and reloads the open one when its files have changed.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::Duration;

use bevy::prelude::*;
use tracing::info;

use crate::game::frames::wake::Waker;
use crate::game::jobs::Jobs;
use crate::game::platform::error::WindowError;
use crate::game::platform::watcher::FileWatcher;
use crate::game::screen::notice::Notice;
use emberwalk_jobs::Job;
use emberwalk_map::clock::Instant;
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_map::threads::lock;

use super::loader::{Loader, MapVersion, VersionKey};
use super::request::{MapRequest, MapSource};

/// After this time, a card shows that a map is being read.
pub const PATIENCE: Duration = Duration::from_millis(500);

/// Whether the window can show the first map, or the errors in its files.
pub type FirstCheck = Box<dyn Fn(&Result<MapVersion, Diagnostics>) -> Result<(), WindowError> + Send + Sync>;

/// Reads one map after the other, and follows the files of the last one.
#[derive(Resource)]
pub struct MapReader {
    /// The loader that read the last files.
    loader: Loader,
    last: LastRead,
    reading: Option<Reading>,
    /// A result that has not been taken yet.
    latest: Option<Result<MapVersion, Diagnostics>>,
    /// The request of the player, until a valid version of that map is open.
    awaited: Option<MapRequest>,
    /// Checks the first map when it is read, unless another one was requested before.
    check: Option<FirstCheck>,
    watcher: Arc<Mutex<FileWatcher>>,
    jobs: Jobs,
}

/// The last text that was read. A job that saves the map shares it, so that the reader ignores this change of the file.
#[derive(Clone, Default)]
pub(in crate::game) struct LastRead(Arc<Mutex<Last>>);

#[derive(Default)]
struct Last {
    /// The version or the errors; `None` before the first ones.
    result: Option<Result<VersionKey, Diagnostics>>,
    /// How often the window has saved the map.
    saves: u64,
}

/// A map that is being read or created.
pub struct Reading {
    source: MapSource,
    is_asked: bool,
    /// How often the map was saved before.
    saves: u64,
    /// The start of the reading, if there is certainly a new version to read.
    begun: Arc<OnceLock<Instant>>,
    /// The result has no version if it is the known one.
    job: Job<(Loader, Result<Option<MapVersion>, Diagnostics>)>,
}

impl LastRead {
    /// Records the text that is about to be written.
    pub(in crate::game) fn note_saved(&self, text: Arc<str>) {
        let mut last = lock(&self.0);
        last.result = last.result.take().map(|result| result.map(|key| key.with_text(text)));
        last.saves += 1;
    }

    fn result(&self) -> Option<Result<VersionKey, Diagnostics>> {
        lock(&self.0).result.clone()
    }

    fn is_some(&self) -> bool {
        lock(&self.0).result.is_some()
    }

    fn saves(&self) -> u64 {
        lock(&self.0).saves
    }
}

impl Reading {
    /// The name of the map in messages.
    pub fn name(&self) -> String {
        self.source.name()
    }

    /// Whether the map is created, and not read from a file.
    pub(in crate::game) fn is_new(&self) -> bool {
        matches!(self.source, MapSource::New(_))
    }

    /// The finished share of the work, 0 to 1.
    pub fn done(&self) -> f32 {
        self.job.progress()
    }

    /// The time for which it has been read.
    pub fn elapsed(&self) -> Duration {
        self.begun.get().map_or(Duration::ZERO, Instant::elapsed)
    }
}

impl FromWorld for MapReader {
    fn from_world(world: &mut World) -> Self {
        Self::new(MapRequest::of_path("valley"), world.get_resource_or_init::<Jobs>().clone())
    }
}

impl MapReader {
    /// Begins to read the first map, while the engine starts. If there are too many threads, it is read immediately on
    /// this one.
    pub fn start(first: MapRequest) -> Self {
        // The window that is woken does not exist yet.
        let mut reader = Self::new(first.clone(), Jobs::new(Waker::default()));
        reader.read(reader.loader.clone(), true);
        reader.awaited = Some(first);
        reader
    }

    /// Creates a reader that has not begun to read this map.
    fn new(first: MapRequest, jobs: Jobs) -> Self {
        let waker = jobs.waker().clone();
        Self {
            loader: Loader::new(first),
            last: LastRead::default(),
            reading: None,
            latest: None,
            awaited: None,
            check: None,
            watcher: Arc::new(Mutex::new(FileWatcher::new(move || waker.wake()))),
            jobs,
        }
    }

    /// The same reader with a check for the first map. When that is read, early or late, the window closes or does not
    /// even open if the check fails.
    #[must_use]
    pub fn with_check(self, check: FirstCheck) -> Self {
        Self { check: Some(check), ..self }
    }

    /// Waits for the first map for at most this time, and checks it if it is ready.
    ///
    /// # Errors
    /// The error of the check.
    pub fn check_first(&mut self, at_most: Duration) -> Result<(), WindowError> {
        self.receive(at_most);
        match (&self.latest, self.check.take_if(|_| self.latest.is_some())) {
            (Some(read), Some(check)) => check(read),
            _ => Ok(()),
        }
    }

    /// Checks the read map, if it is the first map and was not checked before.
    ///
    /// # Errors
    /// The error of the check.
    pub(super) fn check_late(&mut self, read: &Result<MapVersion, Diagnostics>) -> Result<(), WindowError> {
        self.check.take().map_or(Ok(()), |check| check(read))
    }

    /// Waits for the map for at most this time, and returns the result if it is ready.
    pub fn wait(&mut self, at_most: Duration) -> Option<&Result<MapVersion, Diagnostics>> {
        self.receive(at_most);
        self.latest.as_ref()
    }

    /// Takes the first map, if [`wait`](Self::wait) has found it to be ready and valid. Otherwise, returns the valley
    /// with the embedded tileset, and the first map remains awaited.
    ///
    /// # Errors
    /// Fails only if the embedded files have errors, which a user cannot correct.
    pub fn first_version(&mut self) -> Result<MapVersion, Diagnostics> {
        match self.latest.take() {
            Some(Ok(version)) => {
                self.awaited = None;
                Ok(version)
            }
            _ => Loader::new(MapRequest::of_path("valley")).load(&|_| {}),
        }
    }

    /// The waker of the window, which is called after reading.
    pub fn waker(&self) -> &Waker {
        self.jobs.waker()
    }

    /// The errors of the files that were read last.
    pub fn errors(&self) -> Option<Diagnostics> {
        self.last.result().and_then(Result::err)
    }

    /// The map that is being read; `None` if none is, or if there may be no new version to read.
    pub fn reading(&self) -> Option<&Reading> {
        self.reading.as_ref().filter(|reading| reading.begun.get().is_some())
    }

    /// The requested map that has no valid version yet. Until it has one, another map is open.
    pub fn awaited(&self) -> Option<&MapRequest> {
        self.awaited.as_ref()
    }

    /// Whether the open map stays hidden, because the first map is still being read for the first time.
    pub fn hides_open_map(&self) -> bool {
        self.awaited.is_some() && !self.last.is_some()
    }

    /// Reads another map file or creates a map, and follows the file.
    pub(super) fn open(&mut self, request: MapRequest) {
        self.awaited = Some(request.clone());
        self.read_other(request);
    }

    /// Follows a file, which the open map has from now on, and no longer waits for another map.
    pub(in crate::game) fn follow(&mut self, file: PathBuf) {
        self.follow_instead(Some(MapSource::File(file)));
    }

    /// Follows the source of the open map again, if it has one, instead of the last source.
    pub(super) fn follow_instead(&mut self, source: Option<MapSource>) {
        self.awaited = None;
        match source {
            Some(source) => self.read_other(MapRequest::new(source)),
            None => self.last = LastRead::default(),
        }
    }

    /// Records that the awaited map is open; returns whether one was awaited.
    pub(super) fn end_waiting(&mut self) -> bool {
        self.awaited.take().is_some()
    }

    /// Cancels reading the requested map, if there is one, and follows the files of the previous one. Returns the
    /// notice for the player.
    pub(in crate::game) fn stop(&mut self) -> Option<Notice> {
        let reading = self.reading().filter(|_| self.awaited.is_some())?;
        let name = reading.name();
        let notice = Notice(match reading.is_new() {
            true => "The new map was not made.".to_owned(),
            false => format!("{name} was not opened."),
        });
        info!(file = ?name, "loading stopped");
        self.awaited = None;
        self.check = None;
        self.reading = None;
        self.latest = None;
        self.read_again();
        Some(notice)
    }

    /// The record of the last reading, for a job that saves the map.
    pub(in crate::game) fn last_read(&self) -> LastRead {
        self.last.clone()
    }

    /// The map that was read since the last call. Begins to read the files again if they have changed.
    pub(super) fn take_latest(&mut self) -> Option<Result<MapVersion, Diagnostics>> {
        self.receive(Duration::ZERO);
        if self.reading.is_none() && lock(&self.watcher).has_changed() {
            self.read_again();
        }
        self.latest.take()
    }

    fn read_other(&mut self, request: MapRequest) {
        self.check = None;
        let mut loader = self.loader.clone();
        loader.open(request);
        self.read(loader, true);
    }

    /// Reads the files again that were read last, if any were.
    fn read_again(&mut self) {
        if self.last.is_some() {
            self.read(self.loader.clone(), false);
        }
    }

    fn read(&mut self, mut loader: Loader, is_asked: bool) {
        let source = loader.source().clone();
        let begun = Arc::new(OnceLock::new());
        // Reading unchanged files should not show a panel.
        if is_asked {
            begun.get_or_init(Instant::now);
        }
        let last = self.last.clone();
        let saves = last.saves();
        let watcher = self.watcher.clone();
        let has_begun = begun.clone();
        let job = self.jobs.start_in_slices("Reading the map", move |progress| {
            let wait = lock(&watcher).time_until_quiet();
            if let Some(wait) = wait {
                thread::sleep(wait);
                return ControlFlow::Break(());
            }
            let mut watching = lock(&watcher);
            progress.go_on()?;
            let changed = watching.watch(loader.source().file(), loader.assets());
            drop(watching);
            let known = last.result().filter(|_| !is_asked);
            let result = loader.load_unless(known.and_then(Result::ok).as_ref(), &|done| {
                has_begun.get_or_init(Instant::now);
                progress.report(done);
            });
            if !lock(&watcher).is_complete(result.is_ok(), changed) {
                return ControlFlow::Break(());
            }
            loader.is_following = true;
            ControlFlow::Continue((loader.clone(), result))
        });
        self.reading = Some(Reading { source, is_asked, saves, begun, job });
    }

    /// Takes the result, if it is ready within this time.
    fn receive(&mut self, at_most: Duration) {
        let Some(read) = self.reading.as_ref().and_then(|reading| reading.job.wait(at_most)) else { return };
        let Some(reading) = self.reading.take() else { return };
        let result = match read {
            // The open map was saved meanwhile, and its file may have been read before that.
            Ok((loader, _)) if self.awaited.is_none() && reading.saves != self.last.saves() => {
                return self.read(loader, reading.is_asked);
            }
            Ok((loader, result)) => {
                self.loader = loader;
                result
            }
            Err(panic) => Err(Diagnostics::of_file(&reading.name(), panic.to_string(), None)),
        };
        let Some(result) = result.transpose() else { return };
        let now = result.as_ref().map(MapVersion::key).map_err(Diagnostics::clone);
        let mut last = lock(&self.last.0);
        let is_known = !reading.is_asked && matches!((&last.result, &now), (Some(Err(last)), Err(now)) if last == now);
        last.result = Some(now);
        drop(last);
        self.latest = Some(result).filter(|_| !is_known);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn a_file_that_was_read_before_it_was_saved_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("meadow.ron");
        let meadow = |overlay: &str| format!("(name: \"Meadow\", base: [\"GGG\"], overlay: [{overlay:?}])");
        fs::write(&file, meadow("...")).unwrap();
        let mut reader = MapReader::start(MapRequest::of_path(&file));
        assert!(reader.wait(LONG).is_some());
        reader.first_version().unwrap();
        reader.follow(file.clone());
        let begun = Instant::now();
        while reader.reading().is_some_and(|reading| reading.done() < 1.0) {
            assert!(begun.elapsed() < LONG);
            thread::sleep(Duration::from_millis(1));
        }
        let saved: Arc<str> = meadow("W..").into();
        reader.last_read().note_saved(saved.clone());
        fs::write(&file, &*saved).unwrap();
        let version = loop {
            assert!(begun.elapsed() < LONG);
            match reader.take_latest() {
                Some(version) => break version.unwrap(),
                None => thread::sleep(Duration::from_millis(1)),
            }
        };
        assert_eq!(version.text, saved);
    }
}
