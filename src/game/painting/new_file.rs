//! Writes a map to a file that is not there yet.

use std::io;
use std::path::{Path, PathBuf};

use crate::diagnostics::Diagnostics;
use crate::game::world::pages::Pages;
use crate::map::Map;
use crate::output_file::{reason, write_new};
use crate::painting::{StrokeError, file_stem, new_file_names};

/// Why a map was not saved.
#[derive(Debug, thiserror::Error)]
pub(super) enum SaveError {
    /// Another program has changed the file.
    #[error("another program has changed it")]
    Changed,
    /// The text of the file cannot be changed.
    #[error("{0}")]
    Text(#[from] Diagnostics),
    /// The file cannot be read or written.
    #[error("{}", reason(.0))]
    File(#[from] io::Error),
    /// A stroke cannot be applied.
    #[error("{0}")]
    Stroke(#[from] StrokeError),
    /// There is no free name.
    #[error("there are too many files of this name")]
    NoName,
}

/// Writes `source`, the text of a map, with this map in it. The file has the name of that of the open map. Returns the
/// path, and the content of the file.
pub(super) fn write(map: &Map, source: &[u8], folder: &Path, pages: &Pages) -> Result<(PathBuf, Vec<u8>), SaveError> {
    let content = map.patch(map.name(), source)?;
    let stem = match pages.open_file().and_then(Path::file_stem) {
        Some(stem) => stem.to_string_lossy().into_owned(),
        None => file_stem(map, pages.open_bundled()),
    };
    let path = write_new(new_file_names(folder, &stem), &content)?.ok_or(SaveError::NoName)?;
    Ok((path, content))
}
