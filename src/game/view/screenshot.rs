//! Saves screenshots in the current folder, each as a new file.

use std::io;
use std::path::PathBuf;

use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use tracing::{error, info};

use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::input::action::Action;
use crate::game::notice::Notice;
use emberwalk_map::output_file::{reason, write_new};
use emberwalk_picture::png;

/// The highest number in a file name.
const MAX_NUMBER: u32 = 100_000;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, take_screenshot.in_set(AppSystems::Act))
        .add_systems(Update, wait_for_picture.run_if(any_with_component::<Screenshot>).in_set(AppSystems::Show));
}

fn take_screenshot(mut actions: MessageReader<Action>, mut commands: Commands) {
    for _ in actions.read().filter(|action| **action == Action::Screenshot) {
        commands.spawn(Screenshot::primary_window()).observe(save);
    }
}

/// The graphics card delivers the picture some frames later.
fn wait_for_picture(mut wakes: MessageWriter<Wake>) {
    wakes.write(Wake::NextFrame);
}

/// Writes the screenshot to a new file; existing files are never overwritten.
fn save(captured: On<ScreenshotCaptured>, mut notices: MessageWriter<Notice>) {
    let written = captured.image.clone().try_into_dynamic().map_err(io::Error::other).and_then(|picture| {
        let paths = (1..=MAX_NUMBER).map(|number| PathBuf::from(format!("emberwalk-{number:03}.png")));
        let path = write_new(paths, &png::encode(&picture.to_rgb8())?)?;
        path.ok_or_else(|| io::Error::other("this folder has too many screenshots"))
    });
    match written {
        Ok(path) => {
            info!(file = ?path, "screenshot saved");
            notices.write(Notice(format!("Saved {}", path.display())));
        }
        Err(error) => {
            let reason = reason(&error);
            error!(reason, "screenshot not saved");
            notices.write(Notice(format!("Could not save the screenshot: {reason}")));
        }
    }
}
