//! Where a map comes from that is opened while the window is.

use std::path::{Path, PathBuf};

use emberwalk_generate::NewMap;

/// What messages call a map that is made.
pub(super) const NEW_MAP: &str = "the new map";

/// Where a map comes from that is opened while the window is.
#[derive(Clone, Debug, PartialEq)]
pub enum MapSource {
    /// A file.
    File(PathBuf),
    /// A file of another format, from which a map is made.
    Imported(PathBuf),
    /// It is made.
    New(NewMap),
}

impl MapSource {
    /// Returns what messages call the map.
    pub fn name(&self) -> String {
        match self {
            Self::File(file) | Self::Imported(file) => file_name(file),
            Self::New(_) => NEW_MAP.to_owned(),
        }
    }

    /// The file that is read.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(file) | Self::Imported(file) => Some(file),
            Self::New(_) => None,
        }
    }
}

/// The name of a file without its folder.
pub(super) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).display().to_string()
}
