//! A search of the player's own program: its trace is judged on the open map, and played instead of the planner's search.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use bevy::prelude::*;
use tracing::info;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::{Wake, Waker};
use crate::game::platform::watcher::FileWatcher;
use crate::game::screen::mode::{GameMode, Screen, SearchPage};
use crate::game::screen::notice::{Notice, file_name};
use crate::game::world::dropped::OpenTrace;
use crate::trace_text::{self, Unread};
use emberwalk_map::diagnostics::read_bytes;
use emberwalk_map::threads::lock;
use emberwalk_path::trace::{SaidEnd, Trace};

/// The trace that is played, if there is one.
#[derive(Resource, Default)]
pub struct OwnSearch {
    trace: Option<Arc<Trace>>,
    /// The file of the trace, which is read again when it changes.
    file: Option<(PathBuf, Mutex<FileWatcher>)>,
    /// A number that changes with the trace.
    version: u64,
}

impl OwnSearch {
    /// A trace that is played when the window opens, and the file that it came from.
    pub fn new(trace: Trace, file: Option<PathBuf>, waker: &Waker) -> Self {
        let file = file.map(|file| Self::watched(file, waker.clone()));
        Self { trace: Some(Arc::new(trace)), file, version: 1 }
    }

    fn watched(file: PathBuf, waker: Waker) -> (PathBuf, Mutex<FileWatcher>) {
        let mut watcher = FileWatcher::new(move || waker.wake());
        watcher.watch(Some(&file), None);
        (file, Mutex::new(watcher))
    }

    /// The trace with a number that changes with it; `None` if the planner's search is played.
    pub(super) fn trace(&self) -> Option<(u64, &Arc<Trace>)> {
        Some((self.version, self.trace.as_ref()?))
    }

    /// Whether there is a trace.
    pub fn is_open(&self) -> bool {
        self.trace.is_some()
    }

    /// The name of the file, if there is one.
    pub(in crate::game) fn file_name(&self) -> Option<String> {
        self.file.as_ref().map(|(file, _)| file_name(file))
    }

    /// Plays the planner's search again.
    pub(super) fn close(&mut self) {
        self.set(None);
        self.file = None;
    }

    fn set(&mut self, trace: Option<Trace>) {
        self.trace = trace.map(Arc::new);
        self.version += 1;
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<OwnSearch>()
        .add_systems(PreStartup, show_first)
        .add_systems(Update, (open, read_again, act).chain().in_set(AppSystems::Act));
}

/// Opens the search view if the window begins with a trace.
fn show_first(own: Res<OwnSearch>, mut screen: ResMut<Screen>) {
    if own.is_open() {
        screen.search = SearchPage::Open;
    }
}

/// Reads a trace, and says in a notice if there is none in the file. The events before a line that cannot be understood are
/// played.
fn read(file: &Path, notices: &mut MessageWriter<Notice>) -> Option<Trace> {
    let name = file_name(file);
    let trace = read_bytes(file).map_err(|_| format!("{name} cannot be read.")).and_then(|bytes| {
        let (mut trace, unread) = trace_text::read(&*bytes, |_| {});
        match unread {
            Some(unread) if !trace.events.is_empty() => trace.end = unread.end(),
            Some(Unread::Line { number, words, .. }) => return Err(format!("{name}, line {number}: {words}.")),
            _ if trace.events.is_empty() && trace.end == SaidEnd::Nothing => {
                return Err(format!("{name} has no events of a search."));
            }
            _ => {}
        }
        Ok(trace)
    });
    trace.map_err(|error| notices.write(Notice(error))).ok()
}

fn open(
    mut requests: MessageReader<OpenTrace>,
    waker: Res<Waker>,
    mut own: ResMut<OwnSearch>,
    mut screen: ResMut<Screen>,
    mut notices: MessageWriter<Notice>,
) {
    for OpenTrace(file) in requests.read() {
        let Some(trace) = read(file, &mut notices) else { continue };
        info!(?file, events = trace.events.len(), "trace opened");
        own.set(Some(trace));
        own.file = Some(OwnSearch::watched(file.clone(), waker.clone()));
        screen.mode = GameMode::Walking;
        if !screen.plays_search() {
            screen.search = SearchPage::Open;
        }
    }
}

/// Reads a file again that has changed, as soon as it is complete.
fn read_again(mut own: ResMut<OwnSearch>, mut wakes: MessageWriter<Wake>, mut notices: MessageWriter<Notice>) {
    let Some((file, watcher)) = &own.file else { return };
    let mut watcher = lock(watcher);
    if !watcher.has_changed() {
        return;
    }
    wakes.write(Wake::NextFrame);
    if watcher.time_until_quiet().is_some() {
        return;
    }
    let changed = watcher.watch(Some(file), None);
    // A shell empties the file before a program writes it.
    let is_empty = std::fs::metadata(file).is_ok_and(|file| file.len() == 0);
    let trace = if is_empty { None } else { read(file, &mut notices) };
    watcher.is_complete(true, changed);
    drop(watcher);
    if trace.is_some() {
        own.set(trace);
    }
}

fn act(mut actions: MessageReader<Action>, mut own: ResMut<OwnSearch>) {
    if actions.read().filter(|action| **action == Action::CloseOwnSearch).count() > 0 {
        own.close();
    }
}
