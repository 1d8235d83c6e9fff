//! The source of a map that is opened while the window is open.

use std::path::{Path, PathBuf};

use emberwalk_generate::NewMap;

/// The name of a new map in messages.
pub(in crate::game) const NEW_MAP: &str = "the new map";

/// The source of a map that is opened while the window is open.
#[derive(Clone, Debug, PartialEq)]
pub enum MapSource {
    /// A file.
    File(PathBuf),
    /// A file of another format, from which a map is made.
    Imported(PathBuf),
    /// The map is created.
    New(NewMap),
}

impl MapSource {
    /// The name of the map in messages.
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
pub(in crate::game) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).display().to_string()
}
