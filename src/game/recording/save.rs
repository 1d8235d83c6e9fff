//! Saves the past in a new file.

use std::path::PathBuf;

use bevy::prelude::*;
use tracing::{error, info};

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::screen::notice::{Done, Notice, name_and_folder};
use crate::game::world::open_map::OpenMap;
use emberwalk_map::output_file::{reason, write_new};

/// The highest number in a file name.
const MAX_NUMBER: u32 = 100_000;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, save.in_set(AppSystems::Act));
}

/// Writes a new file; existing files are never overwritten.
fn save(
    mut actions: MessageReader<Action>,
    map: Res<OpenMap>,
    mut done: MessageWriter<Done>,
    mut notices: MessageWriter<Notice>,
) {
    for _ in actions.read().filter(|action| **action == Action::SaveRecording) {
        let paths = (1..=MAX_NUMBER).map(|number| PathBuf::from(format!("emberwalk-{number:03}.emberplay.ron")));
        match write_new(paths, map.recording().to_ron().as_bytes()) {
            Ok(Some(path)) => {
                info!(file = ?path, "recording saved");
                done.write(Done(format!("Saved {}.", name_and_folder(&path))));
            }
            Ok(None) => drop(notices.write(Notice("This folder has too many recordings.".into()))),
            Err(error) => {
                let reason = reason(&error);
                error!(reason, "recording not saved");
                notices.write(Notice(format!("Could not save the recording: {reason}")));
            }
        }
    }
}
