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

use crate::diagnostics::Diagnostics;

use crate::game::world::loader::{Loader, Version};
use debounce::Touched;
use watched_paths::Places;

/// What the files say, good or bad.
pub type Outcome = Result<Version, Diagnostics>;

/// The files that are watched.
#[derive(Resource)]
pub struct Watch {
    thread: Sender<Heard>,
    news: Mutex<Receiver<(u32, Outcome)>>,
    /// How many other maps have been asked for.
    asked: u32,
}

impl Watch {
    /// Watches what `loader` reads, which has come to `known`. `wake` is called, on another thread, whenever there is news.
    pub fn start(mut loader: Loader, known: Outcome, wake: impl Fn() + Send + 'static) -> Self {
        loader.only_files();
        let (thread, heard) = mpsc::channel();
        let (told, news) = mpsc::channel();
        let tell = move |asked, outcome| {
            // Who does not listen any more has closed the window.
            let _ = told.send((asked, outcome));
            wake();
        };
        let ear = thread.clone();
        thread::spawn(move || {
            let source = loader.source();
            let map = source.file().map(PathBuf::from);
            let assets = source.assets.clone();
            let mut lookout = Lookout {
                watcher: None,
                loader,
                known: Some(known),
                asked: 0,
                map,
                assets,
                places: Default::default(),
                folders: BTreeSet::new(),
                refused: BTreeSet::new(),
                touched: Touched::default(),
            };
            lookout.open_eyes(ear);
            lookout.run(&heard, tell);
        });
        Self { thread, news: Mutex::new(news), asked: 0 }
    }

    /// Reads and watches another map file instead.
    pub fn open(&mut self, map: PathBuf) {
        self.asked += 1;
        // The thread ends only with the watch.
        let _ = self.thread.send(Heard::Open(map));
    }

    /// What the files of the map that was asked for last have come to since this was last asked, if there is news.
    pub fn news(&self) -> Option<Outcome> {
        let news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        news.try_iter().filter(|(asked, _)| *asked == self.asked).last().map(|(_, outcome)| outcome)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.thread.send(Heard::End);
    }
}

/// What the thread is told.
enum Heard {
    /// A file has changed.
    Change(notify::Event),
    /// Another map is to be read.
    Open(PathBuf),
    /// Nobody listens any more.
    End,
}

/// The thread's own.
struct Lookout {
    /// None where the system cannot watch: then only maps that are asked for are read.
    watcher: Option<RecommendedWatcher>,
    loader: Loader,
    /// What was told last.
    known: Option<Outcome>,
    asked: u32,
    map: Option<PathBuf>,
    assets: Option<PathBuf>,
    /// Where the map is, and the tileset with its images.
    places: [Places; 2],
    /// The folders that are watched.
    folders: BTreeSet<PathBuf>,
    /// The folders that could not be watched, which has been said.
    refused: BTreeSet<PathBuf>,
    touched: Touched,
}

impl Lookout {
    fn open_eyes(&mut self, ear: Sender<Heard>) {
        let hear = move |event: notify::Result<notify::Event>| match event {
            Ok(event) if is_change(&event) => drop(ear.send(Heard::Change(event))),
            Ok(_) => {}
            Err(error) => warn!("a change of a file may go unnoticed: {error}"),
        };
        match notify::recommended_watcher(hear) {
            Ok(watcher) => self.watcher = Some(watcher),
            Err(error) => warn!("files are not watched, open them again when they have changed: {error}"),
        }
        self.look_around();
        // They may have changed between the first reading and now.
        self.touch_all();
    }

    fn run(mut self, heard: &Receiver<Heard>, tell: impl Fn(u32, Outcome)) {
        loop {
            let next = match self.touched.due() {
                None => heard.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(due) => heard.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            let going_on = match next {
                Ok(heard) => self.hear(heard),
                Err(RecvTimeoutError::Timeout) => self.read(heard, &tell),
                Err(RecvTimeoutError::Disconnected) => false,
            };
            if !going_on {
                return;
            }
        }
    }

    /// Says whether to go on.
    fn hear(&mut self, heard: Heard) -> bool {
        match heard {
            Heard::Change(event) => self.note(&event),
            Heard::Open(map) => self.open(map),
            Heard::End => return false,
        }
        true
    }

    fn open(&mut self, map: PathBuf) {
        self.asked += 1;
        self.known = None;
        self.map = Some(map.clone());
        self.loader.open(map);
        self.look_around();
        self.touch_all();
    }

    /// Reads the files, and tells what is news. What may be half of a change is kept back for a while. Says whether to go on.
    fn read(&mut self, heard: &Receiver<Heard>, tell: &impl Fn(u32, Outcome)) -> bool {
        // Links may lead elsewhere now, and folders have come or gone.
        self.look_around();
        let (asked, last) = (self.asked, self.touched.last());
        let outcome = self.loader.load();
        // What has happened in the meantime.
        if !heard.try_iter().all(|heard| self.hear(heard)) {
            return false;
        }
        if self.asked != asked || self.touched.keeps_back(outcome.is_ok(), last) {
            return true;
        }
        self.touched = Touched::default();
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

    /// Finds out where the files are now, and watches there.
    fn look_around(&mut self) {
        let map = self.map.as_deref().map(Places::of_file).unwrap_or_default();
        let assets = self.assets.as_deref().map(Places::of_assets).unwrap_or_default();
        let wanted: BTreeSet<PathBuf> = map.folders().chain(assets.folders()).cloned().collect();
        self.places = [map, assets];
        let Some(watcher) = &mut self.watcher else { return };
        for gone in self.folders.difference(&wanted) {
            // It may not be there any more.
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
                        warn!("changes in {} are not noticed: {error}", folder.display());
                    }
                }
            }
        }
    }

    /// Takes note of a change, if it concerns the files.
    fn note(&mut self, event: &notify::Event) {
        if event.need_rescan() {
            self.touch_all();
        }
        for path in &event.paths {
            let moved = matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)));
            if moved && self.folders.remove(path) {
                // What is called so from now on is another folder.
                if let Some(watcher) = &mut self.watcher {
                    let _ = watcher.unwatch(path);
                }
                self.touch_all();
            }
            let [map, assets] = self.places.each_ref().map(|places| places.hold(path));
            if assets {
                self.loader.doubt_tiles();
            }
            if map || assets {
                self.touched.note(path, event.kind);
            }
        }
    }

    fn touch_all(&mut self) {
        self.loader.doubt_tiles();
        self.touched.begin();
    }
}

/// Whether something has changed, rather than only been looked at.
fn is_change(event: &notify::Event) -> bool {
    !matches!(event.kind, EventKind::Access(kind) if kind != AccessKind::Close(AccessMode::Write))
}
