//! The recovery file: what a crash leaves of the strokes that were not saved.
//!
//! The file has a first line that names its format, and then records: the length of the content in four bytes, eight
//! bytes of a hash of the content, and the content. A record is written by one call, so that it is in the file even if
//! the program is killed right afterwards. Only the last record can be incomplete, and it is then ignored.

use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

use crate::files;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::bytes::{Reader, write_block};
use super::history::Step;
use super::locked_file::LockedFile;
use super::stroke::{Direction, Stroke};

const FORMAT: &[u8] = b"Emberwalk recovery 1\n";
const EXTENSION: &str = ".recovery";

/// The kinds of records.
const SOURCE: u8 = 0;
const STEP: u8 = 1;
const SAVING: u8 = 2;

/// The number of bytes of a hash that protect a record.
const CHECK_BYTES: usize = 8;

/// The maximum length of the content of a map file, and of a recovery file, in bytes. The length in a recovery file is
/// not trusted beyond it.
const MAX_SOURCE: u64 = 256 << 20;

/// Where a map comes from: the strokes of a crashed window are offered when the same map is opened again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapOrigin<'a> {
    /// A file.
    File(&'a Path),
    /// A map without a file, such as a bundled one, by its name.
    Unnamed(&'a str),
}

impl MapOrigin<'_> {
    /// Returns how the names of its recovery files begin.
    fn file_prefix(self) -> String {
        let mut hasher = blake3::Hasher::new();
        match self {
            Self::File(file) => {
                // Two paths to the same file are the same map.
                let file = files::absolute(file);
                hasher.update(b"file").update(file.as_os_str().as_encoded_bytes());
            }
            Self::Unnamed(name) => {
                hasher.update(b"name").update(name.as_bytes());
            }
        }
        format!("{}-", &hasher.finalize().to_hex()[..16])
    }
}

/// The recovery file of one map in one window, which is locked as long as this value exists.
///
/// If the value is dropped, the file stays, as after a crash. If there is no step in it, it is removed.
#[derive(Debug)]
pub struct RecoveryLog(LockedFile);

impl RecoveryLog {
    /// Creates the file in `folder`, which is created if necessary. `source` is the content of the map's file, to which
    /// the strokes apply; it is kept, in case the file is another one by then.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn create(folder: &Path, origin: MapOrigin<'_>, source: &[u8]) -> io::Result<Self> {
        let mut encoder = DeflateEncoder::new(vec![SOURCE], Compression::fast());
        encoder.write_all(source)?;
        let mut bytes = FORMAT.to_vec();
        write_record(&mut bytes, &encoder.finish()?)?;
        LockedFile::create(folder, &origin.file_prefix(), EXTENSION, &bytes).map(Self)
    }

    /// Adds steps, in one write: afterwards the end of the program, however sudden, does not lose them.
    ///
    /// # Errors
    /// Any error of the file system; the file is then as it was before, and the next call may succeed.
    pub fn append(&mut self, steps: &[Step]) -> io::Result<()> {
        let mut bytes = Vec::new();
        for Step { stroke, direction, .. } in steps {
            let mut content = vec![STEP, u8::from(*direction == Direction::Backward)];
            stroke.write(&mut content);
            write_record(&mut bytes, &content)?;
        }
        self.0.append(&bytes)?;
        self.0.keep()
    }

    /// Notes that the map's file is about to be replaced by `source`. If the program ends before the recovery file is
    /// discarded, the strokes so far are not offered for this new file.
    ///
    /// # Errors
    /// The same.
    pub fn note_saving(&mut self, source: &[u8]) -> io::Result<()> {
        let mut content = vec![SAVING];
        write_block(&mut content, blake3::hash(source).as_bytes());
        let mut bytes = Vec::new();
        write_record(&mut bytes, &content)?;
        self.0.append(&bytes)
    }

    /// Removes the file: everything is saved, or the user does not want it.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn discard(self) -> io::Result<()> {
        self.0.remove()
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

/// What a recovery file has for a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Recovery {
    /// The steps since the map was saved for the last time, without those that were undone. Replay them with
    /// [`History::replay`](super::History::replay).
    pub steps: Vec<Step>,
    /// The content of the map's file when the strokes were made, if it is another one now. The steps apply to this, so
    /// the result is a map of its own.
    pub other_source: Option<Vec<u8>>,
}

/// A recovery file that a crash has left, locked as long as this value exists.
///
/// If the value is dropped, the file stays, and is found again.
#[derive(Debug)]
pub struct FoundRecovery {
    /// What is in it; there is at least one step.
    pub recovery: Arc<Recovery>,
    log: RecoveryLog,
}

impl FoundRecovery {
    /// Goes on with the file: its steps were applied again, and those that follow are added to it. So they are in a
    /// file at any time.
    pub fn resume(self) -> RecoveryLog {
        self.log
    }

    /// Removes the file: it is restored and in another recovery file, or the user does not want it.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn discard(self) -> io::Result<()> {
        self.log.discard()
    }
}

/// What crashed windows have left of a map.
#[derive(Debug, Default)]
pub struct FoundRecoveries {
    /// What can be restored, the latest first.
    pub found: Vec<FoundRecovery>,
    /// Whether another process has locked a later file than all of these: a window that is open, or one that was killed
    /// and has not ended yet.
    pub is_latest_locked: bool,
}

/// Looks for what crashed windows have left in `folder` of a map. `source` is the content of its file now.
///
/// Files of windows that are open are left out. Files in which everything is saved or undone are removed. Other files
/// are ignored, and so is what cannot be read.
pub fn find_recoveries(folder: &Path, origin: MapOrigin<'_>, source: &[u8]) -> FoundRecoveries {
    let mut recoveries = FoundRecoveries::default();
    for file in LockedFile::find(folder, &origin.file_prefix(), EXTENSION, MAX_SOURCE) {
        match file {
            Some((file, bytes)) => recoveries.found.extend(read_found(file, &bytes, source)),
            None => recoveries.is_latest_locked |= recoveries.found.is_empty(),
        }
    }
    recoveries
}

fn read_found(mut file: LockedFile, bytes: &[u8], source: &[u8]) -> Option<FoundRecovery> {
    let (recovery, length) = Recovery::read_records(bytes, source)?;
    if recovery.steps.is_empty() {
        // If it cannot be removed, it is not offered either.
        let _ = file.remove();
        return None;
    }
    file.truncate(length);
    Some(FoundRecovery { recovery: recovery.into(), log: RecoveryLog(file) })
}

impl Recovery {
    /// Reads the content of a recovery file, up to the first record that is not whole. `source` is the content of the
    /// map's file now. Returns `None` if this is no recovery file.
    pub fn read(bytes: &[u8], source: &[u8]) -> Option<Self> {
        Self::read_records(bytes, source).map(|(recovery, _)| recovery)
    }

    /// Also returns the length of all whole records.
    fn read_records(bytes: &[u8], source: &[u8]) -> Option<(Self, u64)> {
        let mut rest = bytes.strip_prefix(FORMAT)?;
        let (SOURCE, packed) = read_record(&mut rest)? else { return None };
        let mut before = Vec::new();
        DeflateDecoder::new(packed).take(MAX_SOURCE).read_to_end(&mut before).ok()?;
        let present = blake3::hash(source);
        let mut is_present = before == source;
        let mut steps = Vec::new();
        while let Some((kind, content)) = read_record(&mut rest) {
            match kind {
                STEP => add_step(&mut steps, read_step(content)?),
                SAVING if Reader(content).block()? == present.as_bytes() => {
                    is_present = true;
                    steps.clear();
                }
                SAVING => {}
                _ => return None,
            }
        }
        let length = (bytes.len() - rest.len()) as u64;
        Some((Self { steps, other_source: (!is_present).then_some(before) }, length))
    }
}

/// Adds a step, or removes the one that it reverses.
fn add_step(steps: &mut Vec<Step>, step: Step) {
    let reverses = |last: &Step| last.direction == step.direction.opposite() && last.stroke == step.stroke;
    if steps.last().is_some_and(reverses) {
        steps.pop();
    } else {
        steps.push(step);
    }
}

fn read_step(content: &[u8]) -> Option<Step> {
    let mut reader = Reader(content);
    let direction = if reader.byte()? == 0 { Direction::Forward } else { Direction::Backward };
    let stroke = Arc::new(Stroke::read(&mut reader)?);
    reader.0.is_empty().then_some(Step { id: 0, stroke, direction })
}

fn write_record(bytes: &mut Vec<u8>, content: &[u8]) -> io::Result<()> {
    let length = u32::try_from(content.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
    bytes.extend(length.to_le_bytes());
    bytes.extend(&blake3::hash(content).as_bytes()[..CHECK_BYTES]);
    bytes.extend(content);
    Ok(())
}

/// Takes a record from the front of `bytes`: its kind, and the rest of its content. Returns `None` if there is no whole
/// one.
fn read_record<'a>(bytes: &mut &'a [u8]) -> Option<(u8, &'a [u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let (check, rest) = rest.split_first_chunk::<CHECK_BYTES>()?;
    let (content, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    if blake3::hash(content).as_bytes()[..CHECK_BYTES] != *check {
        return None;
    }
    *bytes = rest;
    let (kind, content) = content.split_first()?;
    Some((*kind, content))
}
