//! Saves the map in case of a crash: after each stroke it is written to a recovery file. `restore.rs` offers to restore
//! it.

use std::io;
use std::path::{Path, PathBuf};

use bevy::prelude::*;
use tracing::warn;

use crate::game::app_systems::AppSystems;
use crate::game::jobs::Jobs;
use crate::game::screen::notice::Notice;
use crate::game::world::open_map::OpenMap;
use crate::game::world::pages::Pages;
use crate::game::world::question::OpenQuestion;
use emberwalk_jobs::Job;
use emberwalk_map::editing::{FoundRecovery, MapOrigin, Recovery, RecoveryFile};

use super::new_file::patched;

/// The folder for recovery files; `None` if there is none, as in tests.
#[derive(Resource, Default)]
pub struct RecoveryFolder(pub Option<PathBuf>);

/// Maps without a file, such as new ones, share an origin.
pub(super) const WITHOUT_FILE: MapOrigin = MapOrigin::Unnamed("-");

/// Where the open map comes from.
pub(super) fn origin(pages: &Pages) -> MapOrigin {
    match (pages.open_bundled(), pages.open_file()) {
        (Some(bundled), _) => MapOrigin::Unnamed(bundled.name),
        (None, Some(file)) => MapOrigin::File(file.to_owned()),
        (None, None) => WITHOUT_FILE,
    }
}

/// The recovery data of the open map.
#[derive(Resource, Default)]
pub(super) struct KeptMap {
    file: Option<RecoveryFile>,
    /// An older file, which is removed once the next version, which contains its strokes, is written.
    replaced: Option<FoundRecovery>,
    /// The version of the map that is in the file, or will be once it is written.
    version: Option<MapVersion>,
    /// The content of the file while it is made in the background.
    packed: Option<Job<io::Result<Vec<u8>>>>,
    /// Whether the last attempt to write has failed.
    was_refused: bool,
}

/// Identifies the open map and the state of its history.
type MapVersion = (u64, u64);

impl KeptMap {
    /// Removes the file: everything is saved, or the player does not want it.
    pub(super) fn discard(&mut self) {
        self.packed = None;
        self.version = None;
        self.was_refused = false;
        warn_unless("removed", self.file.take().map_or(Ok(()), RecoveryFile::discard));
        self.remove_replaced();
    }

    /// Continues a recovery file whose strokes have been restored on the open map.
    pub(super) fn resume(&mut self, found: FoundRecovery) {
        self.remove_replaced();
        match self.file {
            Some(_) => self.replaced = Some(found),
            None => self.file = Some(found.file),
        }
    }

    fn remove_replaced(&mut self) {
        warn_unless("removed", self.replaced.take().map_or(Ok(()), |found| found.file.discard()));
    }

    /// Hands the file over to the job that saves the map.
    pub(super) fn take_file(&mut self) -> Option<RecoveryFile> {
        self.packed = None;
        self.version = None;
        self.file.take()
    }

    /// Takes the file back if the map was not saved.
    pub(super) fn put_file_back(&mut self, file: Option<RecoveryFile>) {
        self.file = file;
    }

    fn write(&mut self, content: &[u8], folder: &Path, pages: &Pages) -> io::Result<()> {
        match &mut self.file {
            Some(file) => file.replace(content)?,
            None => self.file = Some(RecoveryFile::create(folder, &origin(pages), content)?),
        }
        self.remove_replaced();
        Ok(())
    }
}

/// Logs that an operation on a recovery file, `done`, has failed.
pub(super) fn warn_unless(done: &str, result: io::Result<()>) {
    if let Err(error) = result {
        warn!(%error, "the recovery file was not {done}");
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<RecoveryFolder>()
        .init_resource::<KeptMap>()
        .add_systems(Update, keep_map.after(AppSystems::Act).before(AppSystems::Plan));
}

/// Writes the map to the recovery file if there is a new version of it, and removes the file if that version is saved.
///
/// For a large map, the content is created in the background, one version at a time. Of the versions painted meanwhile,
/// only the last one is written.
fn keep_map(
    map: Res<OpenMap>,
    folder: Res<RecoveryFolder>,
    pages: Res<Pages>,
    question: Res<OpenQuestion>,
    jobs: Res<Jobs>,
    mut kept: ResMut<KeptMap>,
    mut notices: MessageWriter<Notice>,
) {
    let Some(folder) = &folder.0 else { return };
    if *question == OpenQuestion::Saving {
        return;
    }
    let mut packed = None;
    if let Some(running) = &kept.packed {
        let Some(content) = running.take() else { return };
        packed = Some(content);
        kept.packed = None;
    }
    let version = (map.frame().opened, map.history().state());
    if kept.version != Some(version) {
        let Some(strokes) = map.history().strokes_to_save() else {
            kept.discard();
            kept.version = Some(version);
            return;
        };
        kept.version = Some(version);
        let content = map.history().content().clone();
        let base = pages.open_text();
        let first_text = pages.first_text();
        let job = jobs.start("Writing the recovery file", move |_| {
            let text = patched(&content, &first_text, &base).map_err(io::Error::other)?;
            Recovery::pack(content.name(), &base, &text, strokes)
        });
        packed = jobs.wait_briefly(&job);
        kept.packed = Some(job).filter(|_| packed.is_none());
    }
    let Some(packed) = packed else { return };
    let content = packed.map_err(io::Error::other).flatten();
    let written = content.and_then(|content| kept.write(&content, folder, &pages));
    let was_refused = std::mem::replace(&mut kept.was_refused, written.is_err());
    if written.is_err() && !was_refused {
        notices.write(Notice("Cannot write the recovery file: unsaved strokes would be lost in a crash.".into()));
    }
    warn_unless("written", written);
}
