//! Saves screenshots in the current folder, each as a new file.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use image::ImageFormat;
use tracing::{error, info};

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;
use crate::game::notice::Notice;

/// The highest number in a file name.
const MAX_NUMBER: u32 = 100_000;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, take_screenshot.in_set(AppSystems::Act));
}

fn take_screenshot(mut actions: MessageReader<Action>, mut commands: Commands) {
    for _ in actions.read().filter(|action| **action == Action::Screenshot) {
        commands.spawn(Screenshot::primary_window()).observe(save);
    }
}

/// Writes the screenshot to a new file; existing files are never overwritten.
fn save(captured: On<ScreenshotCaptured>, mut notices: MessageWriter<Notice>) {
    let written = captured.image.clone().try_into_dynamic().map_err(io::Error::other).and_then(|picture| {
        let (file, path) = create_new()?;
        let mut out = BufWriter::new(file);
        let encoded = picture.to_rgb8().write_to(&mut out, ImageFormat::Png).map_err(io::Error::other);
        if let Err(error) = encoded.and_then(|()| out.flush()) {
            // An incomplete file is useless. If it cannot be removed, the error of writing says enough.
            let _ = fs::remove_file(&path);
            return Err(error);
        }
        Ok(path)
    });
    match written {
        Ok(path) => {
            info!(file = ?path, "screenshot saved");
            notices.write(Notice(format!("Saved {}", path.display())));
        }
        Err(error) => {
            error!(%error, "screenshot not saved");
            notices.write(Notice(format!("Could not save the screenshot: {error}")));
        }
    }
}

/// Creates the first file of the series that does not exist yet.
fn create_new() -> io::Result<(File, PathBuf)> {
    for number in 1..=MAX_NUMBER {
        let path = PathBuf::from(format!("emberwalk-{number:03}.png"));
        match File::create_new(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("this folder has too many screenshots"))
}
