//! Chooses the file for the recording of a panic, and tells the player about it at the next start.

use std::fs;
use std::path::PathBuf;

use bevy::prelude::*;
use tracing::{info, warn};

use crate::game::painting::recovery::RecoveryFolder;
use crate::game::screen::notice::{Notice, name_and_folder};
use crate::game::world::open_map::OpenMap;

/// The file that the player has not been told about.
const NEW: &str = "crash.emberplay.ron";

/// The file that the player has been told about.
const TOLD: &str = "last-crash.emberplay.ron";

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, (keep_in_folder, tell).run_if(resource_changed::<RecoveryFolder>));
}

fn keep_in_folder(folder: Res<RecoveryFolder>, mut map: ResMut<OpenMap>) {
    map.bypass_change_detection().set_crash_file(folder.0.as_ref().map(|folder| folder.join(NEW)));
}

/// Tells the player about the recording of the last panic.
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
