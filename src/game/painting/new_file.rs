//! The text of a map that is saved, and names for new files.

use std::io;
use std::path::{Path, PathBuf};

use crate::game::world::pages::Pages;
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_map::editing::{file_stem, new_file_names};
use emberwalk_map::output_file::{reason, write_new};
use emberwalk_map::{MapContent, files};

/// Why a map was not saved.
#[derive(Debug, thiserror::Error)]
pub(super) enum SaveError {
    /// Another program has changed the file.
    #[error("another program has changed it")]
    Changed,
    /// There is another file with this name.
    #[error("a file with this name exists")]
    Exists,
    /// The text of the file cannot be changed.
    #[error("{0}")]
    Text(#[from] Diagnostics),
    /// The file cannot be read or written.
    #[error("{}", reason(.0))]
    File(#[from] io::Error),
}

/// The name, without extension, under which the open map is saved next time; `pages` is `None` for another map
/// without a file.
pub(in crate::game) fn stem(map: &MapContent, pages: Option<&Pages>) -> String {
    match pages.and_then(Pages::open_file).and_then(Path::file_stem) {
        Some(stem) => stem.to_string_lossy().into_owned(),
        None => file_stem(map, pages.and_then(Pages::open_bundled)),
    }
}

/// The folder in which the open map is saved next time.
pub(in crate::game) fn folder(pages: &Pages) -> io::Result<PathBuf> {
    match pages.open_file().and_then(Path::parent) {
        Some(folder) if !folder.as_os_str().is_empty() => Ok(folder.to_owned()),
        _ => files::current_folder(),
    }
}

/// Writes a new file, whose name begins with `stem`. Returns its path.
pub(super) fn write(content: &[u8], folder: &Path, stem: &str) -> Result<PathBuf, SaveError> {
    write_new(new_file_names(folder, stem), content)?.ok_or(SaveError::Exists)
}

/// The text before the map was saved for the first time, with all changes. If that is not possible, returns the
/// text as it was read or saved last, with all changes.
pub(super) fn patched(content: &MapContent, first_text: &str, text: &str) -> Result<Vec<u8>, Diagnostics> {
    let patch = |text: &str| content.patch(content.name(), text.as_bytes());
    // The tileset may lack terrain that only the first text uses.
    patch(first_text).or_else(|_| patch(text))
}
