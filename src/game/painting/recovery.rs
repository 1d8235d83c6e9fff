//! Writes each stroke to a recovery file before the next frame, and offers what a crash has left.
//!
//! The file begins with the text of the map. That of a large map is written beside the frames, when the player begins
//! to paint.

use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    /// What a crash has left, as long as the player is asked about it.
    found: Option<Found>,
    /// What the player has discarded of that. It can be restored until another map is opened.
    discarded: Option<(Recovery, RestoredOn)>,
}

/// What a crash has left.
struct Found {
    file: FoundRecovery,
    on: RestoredOn,
    /// The text of the map for which it was found.
    text: Arc<str>,
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
        if let Some(Found { file, on, .. }) = self.found.take() {
            self.discarded = Some((file.recovery.clone(), on));
            warn_unless_removed(file.discard());
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

    /// Looks for what a crash has left of the open map, or else of one without a file.
    fn look(&mut self, folder: &Path, pages: &Pages) -> OpenQuestion {
        // Its lock would hide it.
        self.found = None;
        let text = pages.open_text();
        let found = |origin, text: &str| find_recoveries(folder, origin, text.as_bytes()).into_iter().next();
        let of_open = found(origin_of(pages), &text).map(|file| {
            let is_same = file.recovery.other_source.is_none();
            (file, if is_same { RestoredOn::This } else { RestoredOn::OtherVersion })
        });
        let Some((file, on)) = of_open.or_else(|| Some((found(WITHOUT_FILE, "")?, RestoredOn::MapWithoutFile))) else {
            return OpenQuestion::None;
        };
        let strokes = file.recovery.steps.len();
        info!(file = ?logged_file(pages), strokes, "recovery offered");
        self.found = Some(Found { file, on, text });
        OpenQuestion::Restore { strokes, on }
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
    mut file: ResMut<RecoveryFile>,
    mut question: ResMut<OpenQuestion>,
) {
    // The player was asked about the strokes on the map before.
    file.discard();
    let asked = folder.0.as_ref().map_or(OpenQuestion::None, |folder| file.look(folder, &pages));
    question.set_if_neq(asked);
}

/// Restores what a crash has left, or what the player has just discarded of it.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
pub(super) fn restore(
    mut actions: MessageReader<Action>,
    mut map: ResMut<OpenMap>,
    pages: Res<Pages>,
    folder: Res<RecoveryFolder>,
    mut file: ResMut<RecoveryFile>,
    mut question: ResMut<OpenQuestion>,
    mut changes: MessageWriter<TerrainChanged>,
    mut requests: MessageWriter<OpenRequest>,
    mut notices: MessageWriter<Notice>,
) {
    for action in actions.read() {
        let (recovery, on, found) = match action {
            Action::Answer(Answer::Restore) => {
                let Some(Found { file: found, on, text }) = file.found.take() else { continue };
                if *text != *pages.open_text()
                    && let Some(folder) = &folder.0
                {
                    // The map's file has changed since. Where the strokes go is another question now.
                    drop(found);
                    *question = file.look(folder, &pages);
                    continue;
                }
                (found.recovery.clone(), on, Some(found))
            }
            // The player has discarded it by mistake.
            Action::Undo if !map.history().can_undo() && !map.history().can_redo() => {
                let Some((recovery, on)) = file.discarded.take() else { continue };
                (recovery, on, None)
            }
            _ => continue,
        };
        let steps = &recovery.steps;
        if let Some(source) = &recovery.other_source {
            let pages = Some(&*pages).filter(|_| on == RestoredOn::OtherVersion);
            match restore_anew(source, steps, &map, pages) {
                Ok(path) => {
                    info!(file = ?path, strokes = steps.len(), "recovered");
                    let name = path.file_name().unwrap_or(path.as_os_str()).display();
                    notices.write(Notice(format!("The strokes are in a map of their own: {name}.")));
                    requests.write(OpenRequest::new(MapSource::File(path)));
                    warn_unless_removed(found.map_or(Ok(()), FoundRecovery::discard));
                }
                Err(error) => {
                    notices.write(Notice(format!("The strokes were not restored: {error}.")));
                    // They can be restored when there is room.
                    file.discarded = found.is_none().then_some((recovery, on));
                }
            }
            continue;
        }
        let mut restored = 0;
        for step in steps {
            let Some(changed) = map.replay(step) else { break };
            restored += 1;
            changes.write_batch(Some(changed).filter(|changed| !changed.undo.is_empty()));
        }
        info!(file = ?logged_file(&pages), strokes = restored, "recovered");
        if restored < steps.len() {
            notices.write(Notice(format!("Only {restored} of {} strokes could be restored.", steps.len())));
        } else if let Some(found) = found {
            // They are in that file already.
            drop(map.bypass_change_detection().take_steps());
            (file.log, file.base) = (Some(found.resume()), pages.open_text());
        }
    }
}

/// Writes what was restored to a file of its own: next to that of the open map if it is another version of that, else
/// in the current folder.
fn restore_anew(source: &[u8], steps: &[Step], open: &Map, pages: Option<&Pages>) -> Result<PathBuf, SaveError> {
    let mut map = Map::parse(open.name(), &decode_text(open.name(), source.to_vec())?, open.tileset())?;
    for step in steps {
        step.apply(&mut map)?;
    }
    let folder = pages.map_or_else(files::current_folder, new_file::folder)?;
    new_file::write(&map.patch(map.name(), source)?, &folder, &new_file::stem(&map, pages))
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
