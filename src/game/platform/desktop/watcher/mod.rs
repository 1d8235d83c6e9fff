//! Watches the files of a map and of its tileset.

mod debounce;
mod watched_paths;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bevy::prelude::*;
use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use emberwalk_map::threads::lock;

use debounce::Debounce;
use watched_paths::WatchedPaths;

/// The files that are watched.
pub(in crate::game) struct FileWatcher {
    /// `None` as long as there is nothing to watch, or if the system cannot watch files.
    watcher: Option<RecommendedWatcher>,
    wake: Arc<dyn Fn() + Send + Sync>,
    /// The paths to watch: of the map, and of the tileset with its images.
    paths: Arc<Mutex<WatchedPaths>>,
    /// The folders that are watched.
    folders: BTreeSet<PathBuf>,
    /// The folders that cannot be watched; each has been logged once.
    refused: BTreeSet<PathBuf>,
    events: Receiver<notify::Event>,
    sender: Sender<notify::Event>,
    debounce: Debounce,
}

impl FileWatcher {
    /// Creates a watcher that calls `wake` when files have changed.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        let (sender, events) = channel();
        Self {
            watcher: None,
            wake: Arc::new(wake),
            paths: Arc::default(),
            folders: BTreeSet::new(),
            refused: BTreeSet::new(),
            events,
            sender,
            debounce: Debounce::default(),
        }
    }

    /// Whether the files have changed since they were read.
    pub(in crate::game) fn has_changed(&mut self) -> bool {
        self.note_events();
        self.debounce.due().is_some()
    }

    /// How long to wait until a change is complete; `None` if it is, or if nothing has changed.
    pub(in crate::game) fn time_until_quiet(&mut self) -> Option<Duration> {
        self.note_events();
        let wait = self.debounce.due()?.saturating_duration_since(Instant::now());
        Some(wait).filter(|wait| !wait.is_zero())
    }

    /// Watches the files of a map and of a tileset, which are about to be read. Links are followed to their current
    /// targets. Returns the time of the last change.
    pub fn watch(&mut self, map: Option<&Path>, assets: Option<&Path>) -> Option<Instant> {
        let paths = WatchedPaths::of(map, assets);
        let wanted: BTreeSet<PathBuf> = paths.folders().cloned().collect();
        *lock(&self.paths) = paths;
        if self.watcher.is_none() && !wanted.is_empty() {
            self.start();
        }
        self.watch_folders(wanted);
        self.debounce.last()
    }

    /// Whether the files that were read after the change at `last` are complete. If not, they must be read again.
    pub fn is_complete(&mut self, is_good: bool, last: Option<Instant>) -> bool {
        self.note_events();
        let is_complete = !self.debounce.should_wait(is_good, last);
        if is_complete {
            self.debounce = Debounce::default();
        }
        is_complete
    }

    fn start(&mut self) {
        let paths = self.paths.clone();
        let sender = self.sender.clone();
        let wake = self.wake.clone();
        let on_event = move |event: notify::Result<notify::Event>| match event {
            Ok(event) if is_change(&event) && lock(&paths).concerns(&event) => {
                // This fails only after the window has been closed.
                let _ = sender.send(event);
                wake();
            }
            Ok(_) => {}
            Err(error) => warn!("a file may change unnoticed: {error}"),
        };
        match notify::recommended_watcher(on_event) {
            Ok(watcher) => self.watcher = Some(watcher),
            Err(error) => warn!("files are not watched; open them again after a change: {error}"),
        }
    }

    fn watch_folders(&mut self, wanted: BTreeSet<PathBuf>) {
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

    /// Records the changes that concern the files.
    fn note_events(&mut self) {
        for event in self.events.try_iter() {
            if event.need_rescan() {
                self.debounce.mark_changed();
            }
            for path in &event.paths {
                let moved = matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)));
                if moved && self.folders.remove(path) {
                    // Another folder may have this path now.
                    if let Some(watcher) = &mut self.watcher {
                        let _ = watcher.unwatch(path);
                    }
                    self.debounce.mark_changed();
                }
                if lock(&self.paths).contains(path) {
                    self.debounce.note_event(path, event.kind);
                }
            }
        }
    }
}

/// Whether something has changed, and was not only read.
fn is_change(event: &notify::Event) -> bool {
    !matches!(event.kind, EventKind::Access(kind) if kind != AccessKind::Close(AccessMode::Write))
}
