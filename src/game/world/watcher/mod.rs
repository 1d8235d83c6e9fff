//! A thread that watches the files of a source, and reads them again when they have changed. On a page,
//! `watcher_on_page.rs` has this module's place.

mod debounce;
mod watched_paths;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use bevy::prelude::*;
use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use crate::game::frames::priority;
use crate::game::jobs::{Jobs, catch};
use crate::game::platform::alarm::receive_until;
use crate::game::world::first_load::FirstLoad;
use crate::game::world::followed::Followed;
use crate::game::world::load_progress::LoadProgress;
use crate::game::world::loader::{LoadResult, Loader, MapSource, Version, VersionKey};
use emberwalk_map::diagnostics::Diagnostics;

use debounce::Debounce;
use watched_paths::WatchedPaths;

/// The files that are watched.
#[derive(Resource)]
pub struct FileWatcher {
    thread: Sender<Message>,
    results: Mutex<Receiver<(u32, LoadResult)>>,
    /// The number of requests for another map so far.
    requests: u32,
    progress: LoadProgress,
}

impl FileWatcher {
    /// Watches the files. The window is woken whenever there is a new result.
    pub fn start(files: Followed, jobs: &Jobs) -> Self {
        let (thread, messages) = mpsc::channel();
        let progress = match &files {
            Followed::Read(..) => LoadProgress::default(),
            Followed::Pending(load) => load.progress().clone(),
        };
        let (result_sender, results) = mpsc::channel();
        let waker = jobs.waker().clone();
        let report = move |requests, result| {
            // This fails only after the window has been closed.
            let _ = result_sender.send((requests, result));
            waker.wake();
        };
        let (sender, thread_progress) = (thread.clone(), progress.clone());
        thread::spawn(move || {
            let source = files.source();
            let map = source.file().map(PathBuf::from);
            let assets = source.assets.clone();
            let (mut loader, known) = match files {
                Followed::Read(loader, known) => (loader, *known),
                Followed::Pending(load) => {
                    let (loader, result) = load.receive();
                    let known = key(&result);
                    report(FirstLoad::REQUEST, *result);
                    (loader, known)
                }
            };
            // The first map was as urgent as the frames: without it there is nothing to show.
            priority::give_way();
            loader.start_following();
            let mut thread_state = WatchThread {
                watcher: None,
                loader: *loader,
                known: Some(known),
                progress: thread_progress,
                requests: FirstLoad::REQUEST,
                map,
                assets,
                paths: Default::default(),
                folders: BTreeSet::new(),
                refused: BTreeSet::new(),
                debounce: Debounce::default(),
            };
            thread_state.start_watching(sender);
            thread_state.run(&messages, report);
        });
        Self { thread, results: Mutex::new(results), requests: FirstLoad::REQUEST, progress }
    }

    /// Returns what tells how far the reading of a map is.
    pub fn progress(&self) -> &LoadProgress {
        &self.progress
    }

    /// Does not want the map any more that was requested last. Its files are followed no longer, until another map is
    /// requested.
    pub fn give_up(&mut self) {
        self.progress.end(self.requests);
        self.requests += 1;
        // This cannot fail: the thread lives as long as `self`.
        let _ = self.thread.send(Message::GiveUp);
    }

    /// Reads and watches another map file, or makes a map, instead.
    pub fn open(&mut self, map: MapSource) {
        self.requests += 1;
        self.progress.begin(self.requests, &map.name());
        // This cannot fail: the thread lives as long as `self`.
        let _ = self.thread.send(Message::Open(map));
    }

    /// Returns what tells it that the window saves the map.
    pub fn save_note(&self) -> SaveNote {
        SaveNote(self.thread.clone())
    }

    /// Returns the latest result for the map that was requested last; `None` if there is none since the last call.
    pub fn take_latest(&self) -> Option<LoadResult> {
        let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        results.try_iter().filter(|(requests, _)| *requests == self.requests).last().map(|(_, result)| result)
    }
}

/// Tells the thread that the window saves the map, so that it does not read that as news.
pub struct SaveNote(Sender<Message>);

impl SaveNote {
    /// Notes the text that is about to be written.
    pub fn note(&self, text: Arc<str>) {
        // This fails only after the window has been closed.
        let _ = self.0.send(Message::Saved(text));
    }
}

impl Drop for FileWatcher {
    fn drop(&mut self) {
        let _ = self.thread.send(Message::End);
    }
}

/// A message to the thread.
enum Message {
    /// A file has changed.
    Change(notify::Event),
    /// Open another map.
    Open(MapSource),
    /// Follow the map no more that was to be opened last.
    GiveUp,
    /// The window saves the map with this text.
    Saved(Arc<str>),
    /// The window is closed.
    End,
}

/// The state of the thread.
struct WatchThread {
    /// `None` if the system cannot watch files. Then only requested maps are read.
    watcher: Option<RecommendedWatcher>,
    loader: Loader,
    /// The result that was reported last.
    known: Option<Result<VersionKey, Diagnostics>>,
    progress: LoadProgress,
    requests: u32,
    map: Option<PathBuf>,
    assets: Option<PathBuf>,
    /// The paths to watch for the map, and for the tileset with its images.
    paths: [WatchedPaths; 2],
    /// The folders that are watched.
    folders: BTreeSet<PathBuf>,
    /// The folders that cannot be watched; each has been logged once.
    refused: BTreeSet<PathBuf>,
    debounce: Debounce,
}

impl WatchThread {
    fn start_watching(&mut self, sender: Sender<Message>) {
        let on_event = move |event: notify::Result<notify::Event>| match event {
            Ok(event) if is_change(&event) => drop(sender.send(Message::Change(event))),
            Ok(_) => {}
            Err(error) => warn!("a file may change unnoticed: {error}"),
        };
        match notify::recommended_watcher(on_event) {
            Ok(watcher) => self.watcher = Some(watcher),
            Err(error) => warn!("files are not watched; open them again after a change: {error}"),
        }
        self.update_folders();
        // The files may have changed since they were first read.
        self.mark_all_changed();
    }

    fn run(mut self, messages: &Receiver<Message>, report: impl Fn(u32, LoadResult)) {
        loop {
            let goes_on = match receive_until(messages, self.debounce.due()) {
                Ok(message) => self.handle(message),
                Err(RecvTimeoutError::Timeout) => self.read(messages, &report),
                Err(RecvTimeoutError::Disconnected) => false,
            };
            if !goes_on {
                return;
            }
        }
    }

    /// Returns whether the thread goes on.
    fn handle(&mut self, message: Message) -> bool {
        match message {
            Message::Change(event) => self.note(&event),
            Message::Open(map) => self.open(map),
            Message::GiveUp => self.give_up(),
            Message::Saved(text) => {
                self.known = self.known.take().map(|known| known.map(|key| key.with_text(text)));
            }
            Message::End => return false,
        }
        true
    }

    fn open(&mut self, map: MapSource) {
        self.requests += 1;
        self.known = None;
        // What is imported is read again only until it has no faults.
        self.map = map.file().map(Path::to_owned);
        self.loader.open(map);
        self.update_folders();
        self.mark_all_changed();
    }

    fn give_up(&mut self) {
        self.requests += 1;
        self.map = None;
        self.update_folders();
        self.debounce = Debounce::default();
    }

    /// Reads the files, and reports a new result. If a change may be incomplete, waits for the rest first. Returns
    /// whether the thread goes on.
    fn read(&mut self, messages: &Receiver<Message>, report: &impl Fn(u32, LoadResult)) -> bool {
        // Links may point elsewhere now, and folders may be new or gone.
        self.update_folders();
        let (requests, last) = (self.requests, self.debounce.last());
        let known = self.known.as_ref().and_then(|known| known.as_ref().ok());
        let name = self.loader.source().name();
        let on_progress = |done| {
            // What is as it was is not worth a panel. There already is one for a map that was asked for.
            if self.known.is_some() {
                self.progress.begin(requests, &name);
            }
            self.progress.advance(requests, done);
        };
        let result = catch("Reading the map", || self.loader.load_unless(known, &on_progress))
            .unwrap_or_else(|panic| Err(Diagnostics::of_file(&name, panic.to_string(), None)));
        self.progress.end(requests);
        // Messages that came in the meantime.
        if !messages.try_iter().all(|message| self.handle(message)) {
            return false;
        }
        if self.requests != requests || self.debounce.should_wait(result.is_ok(), last) {
            return true;
        }
        self.debounce = Debounce::default();
        let Some(result) = result.transpose() else { return true };
        let now = key(&result);
        if !matches!((&self.known, &now), (Some(Err(known)), Err(now)) if known == now) {
            report(requests, result);
        }
        self.known = Some(now);
        true
    }

    /// Finds the folders of the files again, and watches them.
    fn update_folders(&mut self) {
        let map = self.map.as_deref().map(WatchedPaths::of_file).unwrap_or_default();
        let assets = self.assets.as_deref().map(WatchedPaths::of_assets).unwrap_or_default();
        let wanted: BTreeSet<PathBuf> = map.folders().chain(assets.folders()).cloned().collect();
        self.paths = [map, assets];
        let Some(watcher) = &mut self.watcher else { return };
        for gone in self.folders.difference(&wanted) {
            // It may no longer exist.
            let _ = watcher.unwatch(gone);
        }
        self.folders.retain(|folder| wanted.contains(folder));
        for folder in wanted {
            if self.folders.contains(&folder) {
                continue;
            }
            match watcher.watch(&folder, RecursiveMode::NonRecursive) {
                Ok(()) => drop(self.folders.insert(folder)),
                Err(error) => {
                    if self.refused.insert(folder.clone()) {
                        warn!("changes in {} go unnoticed: {error}", folder.display());
                    }
                }
            }
        }
    }

    /// Notes a change, if it concerns the files.
    fn note(&mut self, event: &notify::Event) {
        if event.need_rescan() {
            self.mark_all_changed();
        }
        for path in &event.paths {
            let moved = matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)));
            if moved && self.folders.remove(path) {
                // Another folder may have this path from now on.
                if let Some(watcher) = &mut self.watcher {
                    let _ = watcher.unwatch(path);
                }
                self.mark_all_changed();
            }
            let [map, assets] = self.paths.each_ref().map(|paths| paths.contains(path));
            if assets {
                self.loader.mark_tiles_stale();
            }
            if map || assets {
                self.debounce.note_event(path, event.kind);
            }
        }
    }

    fn mark_all_changed(&mut self) {
        self.loader.mark_tiles_stale();
        self.debounce.mark_changed();
    }
}

/// Returns what is remembered of a result.
fn key(result: &LoadResult) -> Result<VersionKey, Diagnostics> {
    result.as_ref().map(Version::key).map_err(Diagnostics::clone)
}

/// Whether something has changed, and was not only read.
fn is_change(event: &notify::Event) -> bool {
    !matches!(event.kind, EventKind::Access(kind) if kind != AccessKind::Close(AccessMode::Write))
}
