//! The recovery file: the unsaved map that can be restored after a crash.
//!
//! The file has a line that names its format, a line of JSON with a [`Header`], and the compressed text of the map. It is
//! replaced as a whole, so that it is always complete.

use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};

use crate::platform::{MAX_BYTES, MapOrigin, RecoveryFile};

const FORMAT: &[u8] = b"Emberwalk recovery 2\n";

/// The text of a map that is kept for a crash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovery {
    /// The text of the map's file, as saving would write it.
    pub text: String,
    /// The number of strokes since the map was saved, without those that were undone.
    pub strokes: usize,
    /// The hash of the text that the file had.
    base: String,
}

/// The line of a recovery file about the text in it.
#[derive(Serialize, Deserialize)]
struct Header {
    /// The name of the map, for people.
    map: String,
    strokes: usize,
    /// The hash of the text that the map's file had.
    base: String,
    /// The hash of the text that the recovery file has.
    text: String,
}

fn hash(text: &[u8]) -> String {
    blake3::hash(text).to_string()
}

impl Recovery {
    /// The content of a recovery file. The map of this name had the text `base` when it was read or saved last,
    /// and would be saved as `text` now.
    ///
    /// # Errors
    /// Never.
    pub fn pack(map: &str, base: &str, text: &[u8], strokes: usize) -> io::Result<Vec<u8>> {
        let header = Header { map: map.into(), strokes, base: hash(base.as_bytes()), text: hash(text) };
        let mut bytes = [FORMAT, &serde_json::to_vec(&header)?, b"\n"].concat();
        let mut encoder = DeflateEncoder::new(&mut bytes, Compression::fast());
        encoder.write_all(text)?;
        encoder.finish()?;
        Ok(bytes)
    }

    /// Reads the content of a recovery file; `None` if it is not a recovery file, or if it is damaged.
    pub fn unpack(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.strip_prefix(FORMAT)?;
        let (header, packed) = bytes.split_at_checked(bytes.iter().position(|byte| *byte == b'\n')?)?;
        let Header { strokes, base, text: expected, .. } = serde_json::from_slice(header).ok()?;
        let mut text = Vec::new();
        DeflateDecoder::new(&packed[1..]).take(MAX_BYTES).read_to_end(&mut text).ok()?;
        (hash(&text) == expected).then_some(())?;
        Some(Self { text: String::from_utf8(text).ok()?, strokes, base })
    }

    /// Whether it was made of a map whose file had this text.
    pub fn is_of(&self, text: &str) -> bool {
        self.base == hash(text.as_bytes())
    }
}

/// A recovery file that a crash has left, locked as long as this value exists.
///
/// If the value is dropped, the file stays, and is found again.
#[derive(Debug)]
pub struct FoundRecovery {
    /// Its content.
    pub recovery: Arc<Recovery>,
    /// The file.
    pub file: RecoveryFile,
}

/// The recovery files of a map that crashed windows have left.
#[derive(Debug, Default)]
pub struct FoundRecoveries {
    /// The files that can be restored, the latest first.
    pub found: Vec<FoundRecovery>,
    /// Whether another process has locked a later file than all of these: a window that is open, or one that was killed
    /// and has not ended yet.
    pub is_latest_locked: bool,
}

/// Looks for what crashed windows have left in `folder` of a map, whose file has the text `source` now.
///
/// Files of windows that are open are left out. Files with the same text are removed: it was saved. Other files and
/// unreadable files are ignored.
pub fn find_recoveries(folder: &Path, origin: &MapOrigin, source: &str) -> FoundRecoveries {
    let mut recoveries = FoundRecoveries::default();
    for file in RecoveryFile::find(folder, origin) {
        let Some((file, bytes)) = file else {
            recoveries.is_latest_locked |= recoveries.found.is_empty();
            continue;
        };
        match Recovery::unpack(&bytes) {
            // If it cannot be removed, it is not offered either.
            Some(recovery) if recovery.text == source => drop(file.discard()),
            Some(recovery) => {
                recoveries.found.push(FoundRecovery { recovery: recovery.into(), file });
            }
            None => {}
        }
    }
    recoveries
}
