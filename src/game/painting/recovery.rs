//! Writes each stroke to a recovery file before the next frame, and offers what a crash has left.

use std::path::{Path, PathBuf};

use bevy::prelude::*;
use tracing::{info, warn};

use crate::diagnostics::decode_text;
use crate::game::app_systems::AppSystems;
use crate::game::input::action::{Action, Answer};
use crate::game::notice::Notice;
use crate::game::question::OpenQuestion;
use crate::game::world::open_map::{MapOpened, OpenMap};
use crate::game::world::pages::Pages;
use crate::game::world::terrain_changed::TerrainChanged;
use crate::map::Map;
use crate::painting::{FoundRecovery, MapOrigin, RecoveryLog, Step, find_recoveries};

use super::new_file::{self, SaveError};

/// The folder for recovery files; `None` if there is none, as in tests.
#[derive(Resource, Default)]
pub struct RecoveryFolder(pub Option<PathBuf>);

/// The recovery file of the open map.
#[derive(Resource, Default)]
pub(super) struct RecoveryFile {
    log: Option<RecoveryLog>,
    /// The number of the cost grid of the map that it is for. A version of the file that was read later has another.
    grid: u64,
    /// What a crash has left, as long as the player is asked about it.
    found: Option<FoundRecovery>,
    /// Whether the last write has failed. It is said once.
    has_failed: bool,
}

impl RecoveryFile {
    /// Removes the file: everything is saved, or the player does not want it.
    pub(super) fn discard(&mut self) {
        let removed = self.log.take().map(RecoveryLog::discard);
        let found = self.found.take().map(FoundRecovery::discard);
        for error in [removed, found].into_iter().flatten().filter_map(Result::err) {
            warn!(%error, "the recovery file was not removed");
        }
    }

    /// Notes what the file of the map is about to contain.
    pub(super) fn note_saving(&mut self, content: &[u8]) {
        if let Some(Err(error)) = self.log.as_mut().map(|log| log.note_saving(content)) {
            warn!(%error, "the recovery file was not written");
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<RecoveryFolder>().init_resource::<RecoveryFile>().add_observer(offer).add_systems(
        Update,
        (restore.in_set(AppSystems::Act), write_steps.after(AppSystems::Act).before(AppSystems::Plan)),
    );
}

/// Returns where the open map comes from.
fn origin(pages: &Pages) -> MapOrigin<'_> {
    match (pages.open_bundled(), pages.open_file()) {
        (Some(bundled), _) => MapOrigin::Unnamed(bundled.name),
        (None, Some(file)) => MapOrigin::File(file),
        (None, None) => MapOrigin::Unnamed("-"),
    }
}

/// Returns the file of the open map for the log; empty if it has none.
fn logged_file(pages: &Pages) -> &Path {
    pages.open_file().unwrap_or(Path::new(""))
}

/// Asks whether to restore what a crash has left of the map that was opened.
fn offer(
    _: On<MapOpened>,
    folder: Res<RecoveryFolder>,
    pages: Res<Pages>,
    mut file: ResMut<RecoveryFile>,
    mut question: ResMut<OpenQuestion>,
) {
    let Some(folder) = &folder.0 else { return };
    // The file of the map that was open stays only if the window was closed by force.
    file.log = None;
    file.found = find_recoveries(folder, origin(&pages), pages.open_text().as_bytes()).into_iter().next();
    if let Some(found) = &file.found {
        let strokes = found.recovery.steps.len();
        info!(file = ?logged_file(&pages), strokes, "recovery offered");
        *question = OpenQuestion::Restore { strokes, is_other: found.recovery.other_source.is_some() };
    }
}

/// Restores what a crash has left.
fn restore(
    mut actions: MessageReader<Action>,
    mut map: ResMut<OpenMap>,
    pages: Res<Pages>,
    mut file: ResMut<RecoveryFile>,
    mut changes: MessageWriter<TerrainChanged>,
    mut notices: MessageWriter<Notice>,
) {
    for _ in actions.read().filter(|action| **action == Action::Answer(Answer::Restore)) {
        let Some(found) = file.found.take() else { continue };
        let steps = &found.recovery.steps;
        if let Some(source) = &found.recovery.other_source {
            match restore_anew(source, steps, &map, &pages) {
                Ok(path) => {
                    info!(file = ?path, strokes = steps.len(), "recovered");
                    let name = path.file_name().unwrap_or(path.as_os_str()).display();
                    notices.write(Notice(format!("The strokes are in a map of their own: {name}.")));
                    found.discard().unwrap_or_else(|error| warn!(%error, "the recovery file was not removed"));
                }
                Err(error) => drop(notices.write(Notice(format!("The strokes were not restored: {error}.")))),
            }
            continue;
        }
        let mut restored = 0;
        for step in steps {
            match map.replay(step) {
                Some(changed) => {
                    restored += 1;
                    changes.write(changed);
                }
                None => break,
            }
        }
        info!(file = ?logged_file(&pages), strokes = restored, "recovered");
        if restored == steps.len() {
            found.discard().unwrap_or_else(|error| warn!(%error, "the recovery file was not removed"));
        } else {
            notices.write(Notice(format!("Only {restored} of {} strokes could be restored.", steps.len())));
        }
    }
}

/// Writes what was restored to a file of its own, next to that of the open map, because that is another map by now.
fn restore_anew(source: &[u8], steps: &[Step], open: &Map, pages: &Pages) -> Result<PathBuf, SaveError> {
    let mut map = Map::parse(open.name(), &decode_text(open.name(), source.to_vec())?, open.tileset())?;
    for step in steps {
        step.apply(&mut map)?;
    }
    let folder = match pages.open_file().and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => folder.to_owned(),
        None => std::env::current_dir()?,
    };
    Ok(new_file::write(&map, source, &folder, pages)?.0)
}

/// Writes what was done in this frame to the recovery file.
fn write_steps(
    mut map: ResMut<OpenMap>,
    folder: Res<RecoveryFolder>,
    pages: Res<Pages>,
    mut file: ResMut<RecoveryFile>,
    mut notices: MessageWriter<Notice>,
) {
    if !map.history().has_steps() {
        return;
    }
    let steps = map.bypass_change_detection().take_steps();
    let Some(folder) = &folder.0 else { return };
    let file = &mut *file;
    if std::mem::replace(&mut file.grid, map.costs().id()) != map.costs().id()
        && let Some(Err(error)) = file.log.take().map(RecoveryLog::discard)
    {
        warn!(%error, "the recovery file was not removed");
    }
    let log = match &mut file.log {
        Some(log) => Ok(log),
        None => {
            RecoveryLog::create(folder, origin(&pages), pages.open_text().as_bytes()).map(|log| file.log.insert(log))
        }
    };
    if let Err(error) = log.and_then(|log| log.append(&steps)) {
        warn!(%error, "the recovery file was not written");
        if !std::mem::replace(&mut file.has_failed, true) {
            notices.write(Notice("Strokes cannot be kept for a crash: the disk or its folder refuses.".into()));
        }
    }
}
