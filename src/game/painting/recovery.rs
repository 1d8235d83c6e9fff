//! Writes each stroke to a recovery file before the next frame. `restore.rs` offers what a crash has left.
//!
//! The file begins with the text of the map. That of a large map is written beside the frames, when the player begins
//! to paint.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bevy::prelude::*;
use tracing::warn;

use crate::game::app_systems::AppSystems;
use crate::game::jobs::{Job, Jobs};
use crate::game::mode::GameMode;
use crate::game::notice::Notice;
use crate::game::world::open_map::OpenMap;
use crate::game::world::pages::Pages;
use emberwalk_map::BundledMap;
use emberwalk_map::editing::{FoundRecovery, MapOrigin, RecoveryLog, Step};

/// The folder for recovery files; `None` if there is none, as in tests.
#[derive(Resource, Default)]
pub struct RecoveryFolder(pub Option<PathBuf>);

/// The largest length of a map's text that is written in the frame.
pub(super) const MAX_TEXT_IN_FRAME: usize = 1 << 17;

/// Maps without a file, such as new ones, share an origin.
pub(super) const WITHOUT_FILE: MapOrigin<'_> = MapOrigin::Unnamed("-");

/// Where the open map comes from.
pub(super) struct OpenOrigin {
    bundled: Option<BundledMap>,
    file: Option<PathBuf>,
}

impl OpenOrigin {
    pub fn of(pages: &Pages) -> Self {
        Self { bundled: pages.open_bundled(), file: pages.open_file().map(Path::to_owned) }
    }

    pub fn get(&self) -> MapOrigin<'_> {
        match (&self.bundled, &self.file) {
            (Some(bundled), _) => MapOrigin::Unnamed(bundled.name),
            (None, Some(file)) => MapOrigin::File(file),
            (None, None) => WITHOUT_FILE,
        }
    }
}

/// The recovery file of the open map.
#[derive(Resource, Default)]
pub(super) struct RecoveryFile {
    log: Option<RecoveryLog>,
    /// The same while it is created beside the frames.
    created: Option<Job<std::io::Result<RecoveryLog>>>,
    /// The text of the map to which the strokes in `log` apply.
    base: Arc<str>,
    /// Strokes that are not written yet.
    unwritten: Vec<Step>,
    /// An older file, whose strokes are among these.
    replaced: Option<FoundRecovery>,
    /// Whether the last attempt to write has failed.
    was_refused: bool,
}

impl RecoveryFile {
    /// Removes the file: everything is saved, or the player does not want it.
    pub(super) fn discard(&mut self) {
        self.unwritten.clear();
        self.created = None;
        self.was_refused = false;
        warn_unless_removed(self.log.take().map_or(Ok(()), RecoveryLog::discard));
        self.remove_replaced();
    }

    /// Removes an older file once the strokes in it are written to this one.
    pub(super) fn replace(&mut self, older: Option<FoundRecovery>) {
        self.remove_replaced();
        self.replaced = older;
    }

    fn remove_replaced(&mut self) {
        warn_unless_removed(self.replaced.take().map_or(Ok(()), FoundRecovery::discard));
    }

    /// Returns the file, for a map that is being saved.
    pub(super) fn take_log(&mut self) -> Option<RecoveryLog> {
        self.log.take()
    }

    /// Puts the file back, if the map was not saved.
    pub(super) fn put_log_back(&mut self, log: Option<RecoveryLog>) {
        self.log = log.or(self.log.take());
    }

    /// Whether there is a file for the strokes since the map was opened, or one is being created.
    pub(super) fn is_begun(&self) -> bool {
        self.log.is_some() || self.created.is_some()
    }

    /// Goes on with a file whose strokes were applied to the map with this text.
    pub(super) fn resume(&mut self, log: RecoveryLog, base: Arc<str>) {
        (self.log, self.base) = (Some(log), base);
    }
}

pub(super) fn warn_unless_written(written: std::io::Result<()>) {
    if let Err(error) = written {
        warn!(%error, "the recovery file was not written");
    }
}

pub(super) fn warn_unless_removed(removed: std::io::Result<()>) {
    if let Err(error) = removed {
        warn!(%error, "the recovery file was not removed");
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<RecoveryFolder>()
        .init_resource::<RecoveryFile>()
        .add_systems(Update, write_steps.after(AppSystems::Act).before(AppSystems::Plan));
}

/// Writes what was done in this frame to the recovery file.
fn write_steps(
    mut map: ResMut<OpenMap>,
    mode: Res<State<GameMode>>,
    folder: Res<RecoveryFolder>,
    pages: Res<Pages>,
    jobs: Res<Jobs>,
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
    let written = file.write(is_large, folder, &pages, &jobs);
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
    fn write(&mut self, is_large: bool, folder: &Path, pages: &Pages, jobs: &Jobs) -> std::io::Result<()> {
        if let Some(created) = &self.created {
            let Some(log) = created.take() else { return Ok(()) };
            self.created = None;
            self.log = Some(log.map_err(std::io::Error::other)??);
        }
        let log = match &mut self.log {
            Some(log) => log,
            None if is_large => {
                let (folder, origin, text) = (folder.to_owned(), OpenOrigin::of(pages), self.base.clone());
                let create = move || RecoveryLog::create(&folder, origin.get(), text.as_bytes());
                self.created = Some(jobs.start("Writing the recovery file", move |_| create()));
                return Ok(());
            }
            None => self.log.insert(RecoveryLog::create(folder, OpenOrigin::of(pages).get(), self.base.as_bytes())?),
        };
        if !self.unwritten.is_empty() {
            log.append(&self.unwritten)?;
            self.unwritten.clear();
            self.remove_replaced();
        }
        Ok(())
    }
}
