//! Offers to restore unsaved strokes from the recovery file of a crashed window, and restores them.
//!
//! Long work runs in the background.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use tracing::{debug, info};

use crate::game::action::{Action, Answer};
use crate::game::app_systems::AppSystems;
use crate::game::frames::time_limits::lengthened;
use crate::game::frames::wake::Wake;
use crate::game::jobs::Jobs;
use crate::game::screen::notice::{Notice, file_name};
use crate::game::world::open_map::{MapOpened, OpenMap};
use crate::game::world::pages::Pages;
use crate::game::world::question::{OpenQuestion, RestoredOn};
use crate::game::world::reader::MapReader;
use crate::game::world::request::{MapRequest, MapSource};
use emberwalk_jobs::{Job, JobPanic};
use emberwalk_map::clock::Instant;
use emberwalk_map::editing::{FoundRecoveries, FoundRecovery, MapOrigin, Recovery, find_recoveries};
use emberwalk_map::{MapContent, files};

use super::large_change::{Change, Changer, RestoreEnd};
use super::new_file::{self, SaveError};
use super::recovery::{KeptMap, RecoveryFolder, WITHOUT_FILE, origin, warn_unless};

/// How long the window retries if another process has locked the latest file, because a killed process needs a while to
/// end.
const PATIENCE: Duration = Duration::from_secs(5);

/// The time between two attempts.
const INTERVAL: Duration = Duration::from_millis(200);

/// The strokes that a crash has left.
#[derive(Resource, Default)]
pub(super) struct LeftStrokes {
    /// The search for recovery files.
    sought: Option<Job<Looked>>,
    /// When to look again, and until when.
    again: Option<Instant>,
    until: Option<Instant>,
    /// The strokes that the open question is about.
    found: Option<Found>,
    /// The strokes that the player discarded. Undo restores them as long as the map has the same text.
    discarded: Option<Found>,
    restoring: Option<Restoring>,
}

/// The result of a search for recovery files.
struct Looked {
    found: Option<Found>,
    /// Whether another process has locked the latest strokes.
    is_latest_locked: bool,
}

/// The strokes that a crash has left.
struct Found {
    recovery: Arc<Recovery>,
    on: RestoredOn,
    /// Their file; `None` if the player has discarded it.
    file: Option<FoundRecovery>,
    /// The text of the map for which they were found.
    text: Arc<str>,
}

/// The strokes that are being restored in the background.
struct Restoring {
    found: Found,
    /// The job that writes a separate map and returns its file; `None` if the strokes go into the open map.
    own_map: Option<Job<Result<PathBuf, SaveError>>>,
}

impl LeftStrokes {
    /// Removes the file of the strokes found, but remembers them in case the player changes their mind.
    pub(super) fn discard(&mut self) {
        if let Some(mut found) = self.found.take() {
            found.remove_file();
            self.discarded = Some(found);
        }
    }

    /// Whether undo restores strokes that the player has discarded by mistake: nothing was painted since.
    pub(super) fn can_be_restored(&self, pages: &Pages, map: &OpenMap) -> bool {
        let is_first = !map.history().can_undo() && !map.history().can_redo();
        is_first && self.discarded.as_ref().is_some_and(|found| found.is_for(pages))
    }

    /// Looks for unsaved strokes of the open map, or else of a map without a file.
    fn look(&mut self, folder: &Path, pages: &Pages, jobs: &Jobs) -> OpenQuestion {
        // Dropped first, because its lock would hide its file.
        self.found = None;
        self.again = None;
        let folder = folder.to_owned();
        let origin = origin(pages);
        let text = pages.open_text();
        let sought = jobs.start("Looking for unsaved strokes", move |_| Found::look(&folder, origin, text));
        let looked = jobs.wait_briefly(&sought);
        self.sought = Some(sought).filter(|_| looked.is_none());
        looked.and_then(Result::ok).map_or(OpenQuestion::None, |looked| self.offer(looked, pages))
    }

    /// The question whether to restore the strokes found. If another process has locked later ones, looks again later,
    /// until the wait is over.
    fn offer(&mut self, looked: Looked, pages: &Pages) -> OpenQuestion {
        let Looked { found, is_latest_locked } = looked;
        let now = Instant::now();
        if is_latest_locked && self.until.is_some_and(|until| now < until) {
            debug!("recovery file locked");
            self.again = Some(now + INTERVAL);
            return OpenQuestion::None;
        }
        let Some(found) = found else {
            debug!("nothing to recover");
            return OpenQuestion::None;
        };
        self.ask(found, pages)
    }

    /// The question whether to restore these strokes.
    fn ask(&mut self, found: Found, pages: &Pages) -> OpenQuestion {
        let strokes = found.recovery.strokes;
        let on = found.on;
        info!(file = ?logged_file(pages), strokes, "recovery offered");
        self.found = Some(found);
        OpenQuestion::Restore { strokes, on }
    }

    /// Keeps strokes that were not restored: in their file, or else in memory.
    fn keep(&mut self, found: Found) {
        if found.file.is_none() {
            self.discarded = Some(found);
        }
    }
}

impl Found {
    /// Looks for unsaved strokes of a map, or else of a map without a file.
    fn look(folder: &Path, origin: MapOrigin, text: Arc<str>) -> Looked {
        let mut looked = Looked { found: None, is_latest_locked: false };
        for (origin, source, is_open) in [(origin, &*text.clone(), true), (WITHOUT_FILE, "", false)] {
            let FoundRecoveries { found, is_latest_locked } = find_recoveries(folder, &origin, source);
            looked.is_latest_locked |= is_latest_locked;
            if let Some(file) = found.into_iter().next() {
                let on = match (is_open, file.recovery.is_of(source)) {
                    (true, true) => RestoredOn::This,
                    (true, false) => RestoredOn::OtherVersion,
                    (false, _) => RestoredOn::MapWithoutFile,
                };
                looked.found = Some(Self { recovery: file.recovery.clone(), on, file: Some(file), text });
                break;
            }
        }
        looked
    }

    /// Whether they were found for the current text of the open map.
    fn is_for(&self, pages: &Pages) -> bool {
        *self.text == *pages.open_text()
    }

    fn remove_file(&mut self) {
        warn_unless("removed", self.file.take().map_or(Ok(()), |found| found.file.discard()));
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<LeftStrokes>().add_observer(offer).add_systems(Update, offer_sought.in_set(AppSystems::Listen));
}

/// The file of the open map for the log; empty if it has none.
fn logged_file(pages: &Pages) -> &Path {
    pages.open_file().unwrap_or(Path::new(""))
}

/// Asks whether to restore unsaved strokes of the opened map. Questions about the previous map are obsolete.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn offer(
    _: On<MapOpened>,
    folder: Res<RecoveryFolder>,
    map: Res<OpenMap>,
    reader: Res<MapReader>,
    pages: Res<Pages>,
    jobs: Res<Jobs>,
    mut kept: ResMut<KeptMap>,
    mut left: ResMut<LeftStrokes>,
    mut question: ResMut<OpenQuestion>,
) {
    // The player has already decided about unsaved strokes of the previous map.
    kept.discard();
    *left = LeftStrokes { until: Some(Instant::now() + lengthened(PATIENCE)), ..LeftStrokes::default() };
    // The placeholder map that is open until the first map is ready was not requested by the player, and a recording that
    // is played cannot be changed.
    let folder = folder.0.as_ref().filter(|_| !reader.hides_open_map() && !map.is_replay());
    let asked = folder.map_or(OpenQuestion::None, |folder| left.look(folder, &pages, &jobs));
    question.set_if_neq(asked);
}

/// Asks once the search has finished and no other question is open.
fn offer_sought(
    folder: Res<RecoveryFolder>,
    pages: Res<Pages>,
    jobs: Res<Jobs>,
    mut left: ResMut<LeftStrokes>,
    mut question: ResMut<OpenQuestion>,
    mut wakes: MessageWriter<Wake>,
) {
    if *question != OpenQuestion::None {
        return;
    }
    if let (Some(again), Some(folder)) = (left.again, &folder.0) {
        let wait = again.saturating_duration_since(Instant::now());
        if wait.is_zero() {
            question.set_if_neq(left.look(folder, &pages, &jobs));
        }
        wakes.write(Wake::After(wait));
    } else if let Some(looked) = left.sought.as_ref().and_then(Job::take) {
        left.sought = None;
        if let Ok(looked) = looked {
            question.set_if_neq(left.offer(looked, &pages));
        }
    }
}

/// Restores strokes.
#[derive(SystemParam)]
pub(super) struct Restorer<'w, 's> {
    changer: Changer<'w, 's>,
    pages: Res<'w, Pages>,
    folder: Res<'w, RecoveryFolder>,
    kept: ResMut<'w, KeptMap>,
    left: ResMut<'w, LeftStrokes>,
    question: ResMut<'w, OpenQuestion>,
    requests: MessageWriter<'w, MapRequest>,
}

/// Restores the strokes found, or the strokes that the player has just discarded.
pub(super) fn restore(mut actions: MessageReader<Action>, mut restorer: Restorer) {
    for action in actions.read() {
        match action {
            Action::Answer(Answer::Restore) => {
                let Some(found) = restorer.left.found.take() else { continue };
                if found.is_for(&restorer.pages) {
                    restorer.start(found);
                } else if let Some(folder) = &restorer.folder.0 {
                    // The map file has changed since then, so the question must be asked again.
                    drop(found);
                    *restorer.question = restorer.left.look(folder, &restorer.pages, &restorer.changer.jobs);
                }
            }
            Action::Undo if restorer.left.can_be_restored(&restorer.pages, &restorer.changer.map) => {
                if let Some(found) = restorer.left.discarded.take() {
                    restorer.start(found);
                }
            }
            _ => {}
        }
    }
    // After the loop, so that an undo that stops the restoring does not restore the discarded strokes as well.
    restorer.go_on();
}

impl Restorer<'_, '_> {
    /// Restores strokes: on the open map if they belong to it, or else in a separate map.
    fn start(&mut self, found: Found) {
        if found.on == RestoredOn::This {
            self.start_on_open_map(found);
        } else {
            self.start_own_map(found);
        }
    }

    fn start_on_open_map(&mut self, found: Found) {
        if self.changer.large.is_running() {
            // One change at a time.
            *self.question = self.left.ask(found, &self.pages);
            return;
        }
        self.changer.make(Change::Restore(found.recovery.clone()));
        self.left.restoring = Some(Restoring { found, own_map: None });
    }

    /// Restores strokes in a separate file: next to the open map's file if it is another version of that map, else in the
    /// current folder.
    fn start_own_map(&mut self, found: Found) {
        let pages = Some(&*self.pages).filter(|_| found.on == RestoredOn::OtherVersion);
        let folder = pages.map_or_else(files::current_folder, new_file::folder);
        let stem = pages.map(|pages| new_file::stem(&self.changer.map, Some(pages)));
        let recovery = found.recovery.clone();
        let tileset = self.changer.map.tileset().clone();
        let own_map = self.changer.jobs.start("Restoring the strokes", move |_| {
            let folder = folder?;
            let text = &recovery.text;
            let stem = match stem {
                Some(stem) => stem,
                None => new_file::stem(&MapContent::parse("the map", text, &tileset)?, None),
            };
            new_file::write(text.as_bytes(), &folder, &stem)
        });
        match self.changer.jobs.wait_briefly(&own_map) {
            Some(result) => self.end_own_map(found, result),
            None => {
                let notice = "The strokes are being restored in a separate map.";
                self.changer.notices.write(Notice(notice.into()));
                self.left.restoring = Some(Restoring { found, own_map: Some(own_map) });
            }
        }
    }

    /// Checks the restoring in progress, and finishes it if it succeeded, failed or was stopped.
    fn go_on(&mut self) {
        let Some(Restoring { found, own_map }) = self.left.restoring.take() else { return };
        let Some(job) = &own_map else {
            match self.changer.large.take_restored() {
                None => self.left.restoring = Some(Restoring { found, own_map }),
                Some(RestoreEnd::Stopped) if found.file.is_some() => *self.question = self.left.ask(found, &self.pages),
                Some(RestoreEnd::Stopped) => self.left.keep(found),
                Some(RestoreEnd::Refused(refusal)) => {
                    self.changer.notices.write(Notice(format!("The strokes were not restored: {refusal}")));
                    self.left.keep(found);
                }
                Some(RestoreEnd::Restored) => {
                    info!(file = ?logged_file(&self.pages), strokes = found.recovery.strokes, "recovered");
                    found.file.into_iter().for_each(|file| self.kept.resume(file));
                }
            }
            return;
        };
        match job.take() {
            Some(result) => self.end_own_map(found, result),
            None => self.left.restoring = Some(Restoring { found, own_map }),
        }
    }

    /// Opens the separate map to which the strokes were written.
    fn end_own_map(&mut self, mut found: Found, result: Result<Result<PathBuf, SaveError>, JobPanic>) {
        match result {
            Ok(Ok(path)) => {
                info!(file = ?path, strokes = found.recovery.strokes, "recovered");
                let name = file_name(&path);
                self.changer.notices.write(Notice(format!("The strokes are restored in a separate map: {name}.")));
                self.requests.write(MapRequest::new(MapSource::File(path)));
                found.remove_file();
                return;
            }
            Ok(Err(error)) => {
                self.changer.notices.write(Notice(format!(
                    "The strokes were not restored: {error}. They are kept for the next start."
                )));
            }
            Err(_) => {}
        }
        // They can be restored later, for example when the disk has space again.
        self.left.keep(found);
    }
}
