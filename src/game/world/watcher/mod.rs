//! A thread that watches the files of a source, and reads them again when they have changed.

mod debounce;
mod watched_paths;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use bevy::prelude::*;
use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use crate::game::world::loader::{LoadResult, Loader};

use debounce::Debounce;
use watched_paths::WatchedPaths;

/// The files that are watched.
#[derive(Resource)]
pub struct FileWatcher {
    thread: Sender<Message>,
    news: Mutex<Receiver<(u32, LoadResult)>>,
    /// The number of other maps that have been asked for so far.
    asked: u32,
}

impl FileWatcher {
    /// Watches what `loader` reads; `known` is what it has read last. `wake` is called, on another thread, whenever there is
    /// news.
    pub fn start(mut loader: Loader, known: LoadResult, wake: impl Fn() + Send + 'static) -> Self {
        loader.only_files();
        let (thread, messages) = mpsc::channel();
        let (told, news) = mpsc::channel();
        let tell = move |asked, outcome| {
            // It fails only when the window is closed.
            let _ = told.send((asked, outcome));
            wake();
        };
        let sender = thread.clone();
        thread::spawn(move || {
            let source = loader.source();
            let map = source.file().map(PathBuf::from);
            let assets = source.assets.clone();
            let mut thread_state = WatchThread {
                watcher: None,
                loader,
                known: Some(known),
                asked: 0,
                map,
                assets,
                paths: Default::default(),
                folders: BTreeSet::new(),
                refused: BTreeSet::new(),
                debounce: Debounce::default(),
            };
            thread_state.start_watching(sender);
            thread_state.run(&messages, tell);
        });
        Self { thread, news: Mutex::new(news), asked: 0 }
    }

    /// Reads and watches another map file instead.
    pub fn open(&mut self, map: PathBuf) {
        self.asked += 1;
        // The thread lives as long as this.
        let _ = self.thread.send(Message::Open(map));
    }

    /// The latest news about the map that was asked for last, if there is any since the last call.
    pub fn news(&self) -> Option<LoadResult> {
        let news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        news.try_iter().filter(|(asked, _)| *asked == self.asked).last().map(|(_, outcome)| outcome)
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
    /// Another map is to be read.
    Open(PathBuf),
    /// The window is closed.
    End,
}

/// The state of the thread.
struct WatchThread {
    /// `None` if the system cannot watch: then only maps that are asked for are read.
    watcher: Option<RecommendedWatcher>,
    loader: Loader,
    /// What was reported last.
    known: Option<LoadResult>,
    asked: u32,
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

    fn run(mut self, messages: &Receiver<Message>, tell: impl Fn(u32, LoadResult)) {
        loop {
            let next = match self.debounce.due() {
                None => messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(due) => messages.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            let going_on = match next {
                Ok(message) => self.handle(message),
                Err(RecvTimeoutError::Timeout) => self.read(messages, &tell),
                Err(RecvTimeoutError::Disconnected) => false,
            };
            if !going_on {
                return;
            }
        }
    }

    /// Returns whether the thread goes on.
    fn handle(&mut self, message: Message) -> bool {
        match message {
            Message::Change(event) => self.note(&event),
            Message::Open(map) => self.open(map),
            Message::End => return false,
        }
        true
    }

    fn open(&mut self, map: PathBuf) {
        self.asked += 1;
        self.known = None;
        self.map = Some(map.clone());
        self.loader.open(map);
        self.update_folders();
        self.mark_all_changed();
    }

    /// Reads the files, and reports what is new. What may be half of a change is held back for a while. Returns whether the
    /// thread goes on.
    fn read(&mut self, messages: &Receiver<Message>, tell: &impl Fn(u32, LoadResult)) -> bool {
        // Links may point elsewhere now, and folders may be new or gone.
        self.update_folders();
        let (asked, last) = (self.asked, self.debounce.last());
        let outcome = self.loader.load();
        // Messages that came in the meantime.
        if !messages.try_iter().all(|message| self.handle(message)) {
            return false;
        }
        if self.asked != asked || self.debounce.holds_back(outcome.is_ok(), last) {
            return true;
        }
        self.debounce = Debounce::default();
        let is_known = match (&self.known, &outcome) {
            (Some(Ok(known)), Ok(now)) => known.is_same(now),
            (Some(Err(known)), Err(now)) => known == now,
            _ => false,
        };
        self.known = Some(outcome.clone());
        if !is_known {
            tell(asked, outcome);
        }
        true
    }

    /// Finds the folders of the files as they are now, and watches them.
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
                // From now on another folder may have this path.
                if let Some(watcher) = &mut self.watcher {
                    let _ = watcher.unwatch(path);
                }
                self.mark_all_changed();
            }
            let [map, assets] = self.paths.each_ref().map(|paths| paths.contains(path));
            if assets {
                self.loader.doubt_tiles();
            }
            if map || assets {
                self.debounce.note(path, event.kind);
            }
        }
    }

    fn mark_all_changed(&mut self) {
        self.loader.doubt_tiles();
        self.debounce.begin();
    }
}

/// Whether something has changed, and was not only read.
fn is_change(event: &notify::Event) -> bool {
    !matches!(event.kind, EventKind::Access(kind) if kind != AccessKind::Close(AccessMode::Write))
}
