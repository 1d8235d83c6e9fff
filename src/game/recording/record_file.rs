//! Writes what happens to a file, line by line, so that a crash loses little of it.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bevy::prelude::*;
use tracing::{error, info};

use crate::game::app_systems::AppSystems;
use crate::game::world::open_map::OpenMap;
use crate::recording::{Entry, Recording};
use emberwalk_map::output_file::reason;
use emberwalk_map::terrain::Tileset;
use emberwalk_path::crowd::CrowdTime;

use super::recorder::Recorder;

/// A file to which everything is written that happens from now on.
#[derive(Resource, Debug)]
pub struct RecordFile {
    path: PathBuf,
    file: File,
    written: usize,
    start: Option<CrowdTime>,
}

impl RecordFile {
    /// Begins a file. One that is there is replaced.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), file: File::create(path)?, written: 0, start: None })
    }

    fn write(&mut self, entries: &[(CrowdTime, Entry)], tileset: &Tileset) -> io::Result<()> {
        let mut lines = if self.start.is_none() { Recording::new(tileset).head() } else { String::new() };
        let start = *self.start.get_or_insert(entries[0].0);
        entries.iter().for_each(|(time, entry)| lines.push_str(&Recording::line(*time - start, entry)));
        self.file.write_all(lines.as_bytes())
    }
}

/// Ends the file.
impl Drop for RecordFile {
    fn drop(&mut self) {
        // A file without its end is as good.
        if self.start.is_some() && self.file.write_all(Recording::END.as_bytes()).is_ok() {
            info!(file = ?self.path, "recording saved");
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, write.run_if(resource_exists::<RecordFile>).in_set(AppSystems::Show));
}

fn write(recorder: Res<Recorder>, map: Res<OpenMap>, mut file: ResMut<RecordFile>, mut commands: Commands) {
    let file = file.bypass_change_detection();
    let (entries, written) = recorder.since(file.written);
    if entries.is_empty() {
        return;
    }
    if let Err(error) = file.write(entries, map.tileset()) {
        error!(file = ?file.path, reason = reason(&error), "recording not written any more");
        commands.remove_resource::<RecordFile>();
    }
    file.written = written;
}
