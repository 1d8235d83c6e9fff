//! Writes each stroke to a recovery file before the next frame, and offers what a crash has left.
//!
//! The file begins with the text of the map. That of a large map is written beside the frames, when the player begins
//! to paint.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use tracing::{info, warn};

use crate::diagnostics::decode_text;
use crate::files;
use crate::game::app_systems::AppSystems;
use crate::game::frames::background::Background;
use crate::game::frames::wake::Waker;
use crate::game::input::action::{Action, Answer};
use crate::game::mode::GameMode;
use crate::game::notice::Notice;
use crate::game::question::{OpenQuestion, RestoredOn};
use crate::game::world::live_reload::OpenRequest;
use crate::game::world::loader::MapSource;
use crate::game::world::open_map::{MapOpened, OpenMap};
use crate::game::world::pages::Pages;
use crate::game::world::terrain_changed::TerrainChanged;
use crate::map::{BundledMap, Map};
use crate::painting::{FoundRecovery, MapOrigin, Recovery, RecoveryLog, Step, find_recoveries};
use crate::terrain::Tileset;

use super::large_change::{Change, LargeChange, MAX_IN_FRAME, StrokesRestored};
use super::new_file::{self, SaveError};

/// The folder for recovery files; `None` if there is none, as in tests.
#[derive(Resource, Default)]
pub struct RecoveryFolder(pub Option<PathBuf>);

/// The largest length of a map's text that is written in the frame.
const MAX_TEXT_IN_FRAME: usize = 1 << 17;

/// Maps without a file, such as new ones, share an origin.
const WITHOUT_FILE: MapOrigin<'_> = MapOrigin::Unnamed("-");

/// The recovery file of the open map.
#[derive(Resource, Default)]
pub(super) struct RecoveryFile {
    log: Option<RecoveryLog>,
    /// The same while it is created beside the frames.
    created: Option<Background<std::io::Result<RecoveryLog>>>,
    /// The text of the map to which the strokes in `log` apply.
    base: Arc<str>,
    /// Strokes that are not written yet.
    unwritten: Vec<Step>,
    /// Whether the last attempt to write has failed.
    was_refused: bool,
    /// What a crash has left, while that is looked for in a large map beside the frames.
    sought: Option<Background<Option<Found>>>,
    /// What a crash has left, as long as the player is asked about it.
    found: Option<Found>,
    /// What the player has discarded of that. It can be restored until another map is opened.
    discarded: Option<Found>,
    restoring: Option<Restoring>,
}

/// What a crash has left.
struct Found {
    recovery: Recovery,
    on: RestoredOn,
    /// The file in which it is; `None` if the player has discarded that.
    file: Option<FoundRecovery>,
    /// The text of the map for which it was found.
    text: Arc<str>,
}

/// What is being restored beside the frames.
struct Restoring {
    found: Found,
    /// The file of a map of its own, once that is written; `None` if the strokes go to the open map.
    anew: Option<Background<Result<PathBuf, SaveError>>>,
}

impl RecoveryFile {
    /// Removes the file: everything is saved, or the player does not want it.
    pub(super) fn discard(&mut self) {
        self.unwritten.clear();
        self.discarded = None;
        self.created = None;
        self.was_refused = false;
        warn_unless_removed(self.log.take().map_or(Ok(()), RecoveryLog::discard));
    }

    /// Removes what a crash has left, but remembers it for a while.
    pub(super) fn discard_found(&mut self) {
        if let Some(mut found) = self.found.take() {
            found.remove_file();
            self.discarded = Some(found);
        }
    }

    /// Returns the file, for a map that is being saved.
    pub(super) fn take_log(&mut self) -> Option<RecoveryLog> {
        self.log.take()
    }

    /// Puts the file back, if the map was not saved.
    pub(super) fn put_log_back(&mut self, log: Option<RecoveryLog>) {
        self.log = log.or(self.log.take());
    }

    /// Looks for what a crash has left of the open map, or else of one without a file: in this frame, or beside the
    /// frames if the map is large.
    fn look(&mut self, folder: &Path, pages: &Pages, waker: &Waker) -> OpenQuestion {
        // Its lock would hide it.
        self.found = None;
        let (folder, text) = (folder.to_owned(), pages.open_text());
        let (bundled, file) = (pages.open_bundled(), pages.open_file().map(Path::to_owned));
        let is_large = text.len() > MAX_TEXT_IN_FRAME;
        let look = move || Found::look(&folder, origin(bundled, file.as_deref()), text);
        if is_large {
            self.sought = Some(Background::compute(waker, look));
            return OpenQuestion::None;
        }
        look().map_or(OpenQuestion::None, |found| self.ask(found, pages))
    }

    /// Returns the question whether to restore this.
    fn ask(&mut self, found: Found, pages: &Pages) -> OpenQuestion {
        let (strokes, on) = (found.recovery.steps.len(), found.on);
        info!(file = ?logged_file(pages), strokes, "recovery offered");
        self.found = Some(found);
        OpenQuestion::Restore { strokes, on }
    }

    /// Keeps what was not restored after all: in the file in which it is, or else for a while.
    fn keep(&mut self, found: Found) {
        if found.file.is_none() {
            self.discarded = Some(found);
        }
    }
}

impl Found {
    /// Looks for what a crash has left of a map, or else of one without a file.
    fn look(folder: &Path, origin: MapOrigin<'_>, text: Arc<str>) -> Option<Self> {
        let found = |origin, text: &str| find_recoveries(folder, origin, text.as_bytes()).into_iter().next();
        let of_open = found(origin, &text).map(|file| {
            let is_same = file.recovery.other_source.is_none();
            (file, if is_same { RestoredOn::This } else { RestoredOn::OtherVersion })
        });
        let (file, on) = of_open.or_else(|| Some((found(WITHOUT_FILE, "")?, RestoredOn::MapWithoutFile)))?;
        Some(Self { recovery: file.recovery.clone(), on, file: Some(file), text })
    }

    fn remove_file(&mut self) {
        warn_unless_removed(self.file.take().map_or(Ok(()), FoundRecovery::discard));
    }
}

pub(super) fn warn_unless_written(written: std::io::Result<()>) {
    if let Err(error) = written {
        warn!(%error, "the recovery file was not written");
    }
}

fn warn_unless_removed(removed: std::io::Result<()>) {
    if let Err(error) = removed {
        warn!(%error, "the recovery file was not removed");
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<RecoveryFolder>()
        .init_resource::<RecoveryFile>()
        .add_observer(offer)
        .add_observer(end_large)
        .add_systems(Update, offer_sought.in_set(AppSystems::Listen))
        .add_systems(Update, write_steps.after(AppSystems::Act).before(AppSystems::Plan));
}

/// Returns where the open map comes from.
fn origin_of(pages: &Pages) -> MapOrigin<'_> {
    origin(pages.open_bundled(), pages.open_file())
}

fn origin(bundled: Option<BundledMap>, file: Option<&Path>) -> MapOrigin<'_> {
    match (bundled, file) {
        (Some(bundled), _) => MapOrigin::Unnamed(bundled.name),
        (None, Some(file)) => MapOrigin::File(file),
        (None, None) => WITHOUT_FILE,
    }
}

/// Returns the file of the open map for the log; empty if it has none.
fn logged_file(pages: &Pages) -> &Path {
    pages.open_file().unwrap_or(Path::new(""))
}

/// Asks whether to restore what a crash has left of the map that was opened. All questions about the map before are
/// moot.
fn offer(
    _: On<MapOpened>,
    folder: Res<RecoveryFolder>,
    pages: Res<Pages>,
    waker: Res<Waker>,
    mut file: ResMut<RecoveryFile>,
    mut question: ResMut<OpenQuestion>,
) {
    // The player was asked about the strokes on the map before.
    file.discard();
    (file.sought, file.restoring) = (None, None);
    let asked = folder.0.as_ref().map_or(OpenQuestion::None, |folder| file.look(folder, &pages, &waker));
    question.set_if_neq(asked);
}

/// Asks the same once it is known, and no other question is open.
fn offer_sought(pages: Res<Pages>, mut file: ResMut<RecoveryFile>, mut question: ResMut<OpenQuestion>) {
    if file.sought.is_none() || *question != OpenQuestion::None {
        return;
    }
    let file = file.bypass_change_detection();
    let Some(found) = file.sought.as_ref().and_then(Background::take) else { return };
    file.sought = None;
    if let Some(found) = found {
        *question = file.ask(found, &pages);
    }
}

/// What is restored, and where it goes.
#[derive(SystemParam)]
pub(super) struct Restorer<'w> {
    map: ResMut<'w, OpenMap>,
    pages: Res<'w, Pages>,
    folder: Res<'w, RecoveryFolder>,
    file: ResMut<'w, RecoveryFile>,
    large: ResMut<'w, LargeChange>,
    question: ResMut<'w, OpenQuestion>,
    waker: Res<'w, Waker>,
    changes: MessageWriter<'w, TerrainChanged>,
    requests: MessageWriter<'w, OpenRequest>,
    notices: MessageWriter<'w, Notice>,
}

/// Restores what a crash has left, or what the player has just discarded of it.
pub(super) fn restore(mut actions: MessageReader<Action>, mut restorer: Restorer) {
    restorer.go_on();
    for action in actions.read() {
        match action {
            Action::Answer(Answer::Restore) => {
                let Some(found) = restorer.file.found.take() else { continue };
                if *found.text == *restorer.pages.open_text() {
                    restorer.start(found);
                } else if let Some(folder) = &restorer.folder.0 {
                    // The map's file has changed since. Where the strokes go is another question now.
                    drop(found);
                    *restorer.question = restorer.file.look(folder, &restorer.pages, &restorer.waker);
                }
            }
            // The player has discarded it by mistake.
            Action::Undo if !restorer.map.history().can_undo() && !restorer.map.history().can_redo() => {
                if let Some(found) = restorer.file.discarded.take() {
                    restorer.start(found);
                }
            }
            _ => {}
        }
    }
}

impl Restorer<'_> {
    /// Restores strokes: a few cells in this frame, what takes longer beside the frames.
    fn start(&mut self, found: Found) {
        let Recovery { steps, other_source } = &found.recovery;
        if let Some(source) = other_source {
            let pages = Some(&*self.pages).filter(|_| found.on == RestoredOn::OtherVersion);
            let folder = pages.map_or_else(files::current_folder, new_file::folder);
            let anew = NewVersion {
                steps: steps.clone(),
                tileset: self.map.tileset().clone(),
                name: self.map.name().to_owned(),
                stem: pages.map(|pages| new_file::stem(&self.map, Some(pages))),
                source: source.clone(),
            };
            let write = move || anew.write(&folder?);
            if source.len() > MAX_TEXT_IN_FRAME {
                self.notices.write(Notice("The strokes are being restored in a map of their own.".into()));
                let anew = Some(Background::compute(&self.waker, write));
                self.file.restoring = Some(Restoring { found, anew });
            } else {
                self.end_anew(found, write());
            }
        } else if steps.iter().map(Step::cells).sum::<usize>() <= MAX_IN_FRAME {
            let mut restored = 0;
            for step in steps {
                let Some(changed) = self.map.replay(step) else { break };
                restored += 1;
                self.changes.write_batch(Some(changed).filter(|changed| !changed.undo.is_empty()));
            }
            self.end(found, restored);
        } else if self.large.is_running() {
            // One after the other.
            *self.question = self.file.ask(found, &self.pages);
        } else {
            self.large.start(Change::Restore(steps.clone().into()), &mut self.map, &self.waker);
            self.file.restoring = Some(Restoring { found, anew: None });
        }
    }

    /// Notes that what is restored beside the frames was written or given up.
    fn go_on(&mut self) {
        let Some(Restoring { found, anew }) = self.file.bypass_change_detection().restoring.take() else { return };
        match anew {
            Some(anew) => match anew.take() {
                Some(result) => self.end_anew(found, result),
                None => self.file.restoring = Some(Restoring { found, anew: Some(anew) }),
            },
            None if self.large.is_running() => self.file.restoring = Some(Restoring { found, anew }),
            // The player has stopped it.
            None if found.file.is_some() => *self.question = self.file.ask(found, &self.pages),
            None => self.file.keep(found),
        }
    }

    /// Notes how many strokes were done again on the open map.
    fn end(&mut self, mut found: Found, restored: usize) {
        let strokes = found.recovery.steps.len();
        info!(file = ?logged_file(&self.pages), strokes = restored, "recovered");
        if restored < strokes {
            self.notices.write(Notice(format!("Only {restored} of {strokes} strokes could be restored.")));
            return;
        }
        let file = &mut *self.file;
        if file.log.is_some() || file.created.is_some() {
            // They are written to the file that has the strokes since the map was opened.
            found.remove_file();
        } else if let Some(found) = found.file {
            // They are in that file already.
            drop(self.map.bypass_change_detection().take_steps());
            (file.log, file.base) = (Some(found.resume()), self.pages.open_text());
        }
    }

    /// Opens the map of its own to which the strokes were written.
    fn end_anew(&mut self, mut found: Found, result: Result<PathBuf, SaveError>) {
        match result {
            Ok(path) => {
                info!(file = ?path, strokes = found.recovery.steps.len(), "recovered");
                let name = path.file_name().unwrap_or(path.as_os_str()).display();
                self.notices.write(Notice(format!("The strokes are in a map of their own: {name}.")));
                self.requests.write(OpenRequest::new(MapSource::File(path)));
                found.remove_file();
            }
            Err(error) => {
                self.notices.write(Notice(format!("The strokes were not restored: {error}.")));
                // They can be restored when there is room.
                self.file.keep(found);
            }
        }
    }
}

/// Notes that strokes were done again beside the frames.
fn end_large(restored: On<StrokesRestored>, mut restorer: Restorer) {
    if let Some(Restoring { found, .. }) = restorer.file.restoring.take() {
        restorer.end(found, restored.count);
    }
}

/// What is restored to a file of its own: next to that of the open map if it is another version of that, else in the
/// current folder.
struct NewVersion {
    steps: Vec<Step>,
    source: Vec<u8>,
    tileset: Arc<Tileset>,
    /// What messages call the map.
    name: String,
    /// How the name of the file begins; `None` for the name of the map.
    stem: Option<String>,
}

impl NewVersion {
    fn write(&self, folder: &Path) -> Result<PathBuf, SaveError> {
        let source = &self.source;
        let mut map = Map::parse(&self.name, &decode_text(&self.name, source.clone())?, &self.tileset)?;
        for step in &self.steps {
            step.apply(&mut map)?;
        }
        let stem = self.stem.clone().unwrap_or_else(|| new_file::stem(&map, None));
        new_file::write(&map.patch(map.name(), source)?, folder, &stem)
    }
}

/// Writes what was done in this frame to the recovery file.
fn write_steps(
    mut map: ResMut<OpenMap>,
    mode: Res<State<GameMode>>,
    folder: Res<RecoveryFolder>,
    pages: Res<Pages>,
    waker: Res<Waker>,
    mut file: ResMut<RecoveryFile>,
    mut notices: MessageWriter<Notice>,
) {
    let has_steps = map.history().has_steps();
    let steps = if has_steps { map.bypass_change_detection().take_steps() } else { Vec::new() };
    let (Some(folder), text) = (&folder.0, pages.open_text()) else { return };
    let is_large = text.len() > MAX_TEXT_IN_FRAME;
    let file = &mut *file;
    let is_early = is_large && *mode.get() == GameMode::Painting && file.log.is_none() && !file.was_refused;
    if !has_steps && !is_early && file.created.is_none() {
        return;
    }
    // To compare long texts takes a while.
    if !Arc::ptr_eq(&file.base, &text) {
        if file.base != text {
            // The map's file is a later version, and all strokes before were saved or given up.
            file.discard();
        }
        file.base = text.clone();
    }
    // Without those that could not be written, the later ones would be applied to another map.
    file.unwritten.extend(steps);
    let written = file.write(is_large, folder, &pages, &waker);
    let was_refused = std::mem::replace(&mut file.was_refused, written.is_err());
    if let Err(error) = written {
        warn!(%error, "the recovery file was not written");
        if !was_refused {
            notices.write(Notice("Strokes cannot be kept for a crash: the disk or its folder refuses.".into()));
        }
    }
}

impl RecoveryFile {
    /// Writes what is not written yet, if the file is there or can be created in this frame.
    fn write(&mut self, is_large: bool, folder: &Path, pages: &Pages, waker: &Waker) -> std::io::Result<()> {
        if let Some(created) = &self.created {
            let Some(log) = created.take() else { return Ok(()) };
            self.created = None;
            self.log = Some(log?);
        }
        let log = match &mut self.log {
            Some(log) => log,
            None if is_large => {
                let (folder, text) = (folder.to_owned(), self.base.clone());
                let (bundled, map_file) = (pages.open_bundled(), pages.open_file().map(Path::to_owned));
                let create =
                    move || RecoveryLog::create(&folder, origin(bundled, map_file.as_deref()), text.as_bytes());
                self.created = Some(Background::compute(waker, create));
                return Ok(());
            }
            None => self.log.insert(RecoveryLog::create(folder, origin_of(pages), self.base.as_bytes())?),
        };
        if !self.unwritten.is_empty() {
            log.append(&self.unwritten)?;
            self.unwritten.clear();
        }
        Ok(())
    }
}
