//! The recovery file: the unsaved map that can be restored after a crash.
//!
//! The file consists of a line that names the format, a line of JSON with a [`Header`], and the compressed text of the
//! map. It is always replaced as a whole, so that it is complete at any time.

use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};

use crate::platform::{MAX_BYTES, MapOrigin, RecoveryFile};

const FORMAT: &[u8] = b"Emberwalk recovery 2\n";

/// The text of a map that is kept in case of a crash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovery {
    /// The text of the map file, as saving would write it.
    pub text: String,
    /// The number of strokes since the map was saved, excluding undone strokes.
    pub strokes: usize,
    /// The hash of the text that the map file had.
    base: String,
}

/// The header of a recovery file: a line about its text.
#[derive(Serialize, Deserialize)]
struct Header {
    /// The name of the map, for people to read.
    map: String,
    strokes: usize,
    /// The hash of the text that the map file had.
    base: String,
    /// The hash of the text in the recovery file.
    text: String,
}

fn hash(text: &[u8]) -> String {
    blake3::hash(text).to_string()
}

impl Recovery {
    /// Packs the content of a recovery file. The map called `name` had the text `base` when it was last read or saved,
    /// and would now be saved as `text`.
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

    /// Reads the content of a recovery file; `None` if it is damaged or not a recovery file.
    pub fn unpack(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.strip_prefix(FORMAT)?;
        let (header, packed) = bytes.split_at_checked(bytes.iter().position(|byte| *byte == b'\n')?)?;
        let Header { strokes, base, text: expected, .. } = serde_json::from_slice(header).ok()?;
        let mut text = Vec::new();
        DeflateDecoder::new(&packed[1..]).take(MAX_BYTES).read_to_end(&mut text).ok()?;
        (hash(&text) == expected).then_some(())?;
        Some(Self { text: String::from_utf8(text).ok()?, strokes, base })
    }

    /// Whether it was made from a map whose file had this text.
    pub fn is_of(&self, text: &str) -> bool {
        self.base == hash(text.as_bytes())
    }
}

/// A recovery file left by a crash, locked as long as this value exists.
///
/// If the value is dropped, the file stays and will be found again.
#[derive(Debug)]
pub struct FoundRecovery {
    /// Its content.
    pub recovery: Arc<Recovery>,
    /// The file.
    pub file: RecoveryFile,
}

/// The recovery files of a map left by crashed windows.
#[derive(Debug, Default)]
pub struct FoundRecoveries {
    /// The files that can be restored, the latest first.
    pub found: Vec<FoundRecovery>,
    /// Whether another process has locked a later file than all of these: an open window, or a killed window that has
    /// not ended yet.
    pub is_latest_locked: bool,
}

/// Looks in `folder` for recovery files of a map that crashed windows left. The map file currently has the text
/// `source`.
///
/// Files of open windows are left out. Files with the same text as `source` are removed, because it was saved.
/// Unreadable files and files of other maps are ignored.
pub fn find_recoveries(folder: &Path, origin: &MapOrigin, source: &str) -> FoundRecoveries {
    let mut recoveries = FoundRecoveries::default();
    for file in RecoveryFile::find(folder, origin) {
        let Some((file, bytes)) = file else {
            recoveries.is_latest_locked |= recoveries.found.is_empty();
            continue;
        };
        match Recovery::unpack(&bytes) {
            // Even if it cannot be removed, it is not offered.
            Some(recovery) if recovery.text == source => drop(file.discard()),
            Some(recovery) => {
                recoveries.found.push(FoundRecovery { recovery: recovery.into(), file });
            }
            None => {}
        }
    }
    recoveries
}
