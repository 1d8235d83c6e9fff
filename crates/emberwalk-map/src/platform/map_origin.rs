//! The origin of a map, and the names of its recovery files.

use std::path::{Path, PathBuf};

/// The extension of a recovery file.
pub(super) const EXTENSION: &str = "recovery";

/// The maximum length of a map's text and of a recovery file, in bytes. Longer recovery files are not trusted.
pub(crate) const MAX_BYTES: u64 = 256 << 20;

/// Where a map comes from. A crashed window's recovery file is offered when the same map is opened again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapOrigin {
    /// A file.
    File(PathBuf),
    /// A map without a file, such as a bundled map, by its name.
    Unnamed(&'static str),
}

impl MapOrigin {
    /// The start of the names of its recovery files. `absolute` makes paths to the same file the same.
    pub(super) fn file_prefix(&self, absolute: impl Fn(&Path) -> PathBuf) -> String {
        let mut hasher = blake3::Hasher::new();
        match self {
            Self::File(file) => {
                // Two paths to the same file are the same map.
                let file = absolute(file);
                hasher.update(b"file").update(file.as_os_str().as_encoded_bytes());
            }
            Self::Unnamed(name) => {
                hasher.update(b"name").update(name.as_bytes());
            }
        }
        format!("{}-", &hasher.finalize().to_hex()[..16])
    }
}
