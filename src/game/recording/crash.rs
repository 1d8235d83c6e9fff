//! Keeps what has happened if the program panics, and tells the player of it at the next start.

use std::fs;
use std::path::{Path, PathBuf};

use bevy::prelude::*;
use emberwalk_map::output_file::OutputFile;
use tracing::{error, info, warn};

use crate::game::painting::recovery::RecoveryFolder;
use crate::game::screen::notice::{Notice, name_and_folder};
use crate::recording::Recording;

use super::recorder::Recorder;

/// The file of which the player does not know yet.
const NEW: &str = "crash.emberplay.ron";

/// The file of which the player was told.
const TOLD: &str = "last-crash.emberplay.ron";

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, (keep_in_folder, tell).run_if(resource_changed::<RecoveryFolder>));
}

fn keep_in_folder(folder: Res<RecoveryFolder>, mut recorder: ResMut<Recorder>) {
    recorder.crash_file = folder.0.as_ref().map(|folder| folder.join(NEW));
}

/// Writes what led to a panic.
pub(super) fn keep(file: &Path, recording: &Recording) {
    let folder = file.parent().map_or(Ok(()), fs::create_dir_all);
    let written = folder.and_then(|()| OutputFile::new(file)?.write(recording.to_ron().as_bytes()));
    match written {
        Ok(()) => {
            error!(?file, "the program panicked; this recording shows what led to it: please attach it to a report")
        }
        Err(error) => error!(%error, "the program panicked, and what led to it was not recorded"),
    }
}

/// Tells the player of what the last panic has left.
fn tell(folder: Res<RecoveryFolder>, mut notices: MessageWriter<Notice>) {
    let Some(folder) = &folder.0 else { return };
    let [new, told]: [PathBuf; 2] = [NEW, TOLD].map(|name| folder.join(name));
    if !new.is_file() {
        return;
    }
    match fs::rename(&new, &told) {
        Ok(()) => {
            info!(file = ?told, "recording of a panic found");
            let file = name_and_folder(&told);
            notices.write(Notice(format!(
                "Emberwalk ended with an error last time. Please report it, with the recording {file}."
            )));
        }
        Err(error) => warn!(%error, file = ?new, "the recording of a panic cannot be renamed"),
    }
}
