//! Writes the recording that led to a panic.

use std::fs;
use std::path::Path;

use emberwalk_map::output_file::OutputFile;
use emberwalk_world::Recording;
use tracing::error;

/// Writes the recording that led to a panic.
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
