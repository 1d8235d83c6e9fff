//! The recovery file: what a crash leaves of the strokes that were not saved.
//!
//! The file has a first line that names its format, and then records: the length of the content in four bytes, eight
//! bytes of a hash of the content, and the content. A record is written by one call, so that it is in the file even if
//! the program is killed right afterwards. Only the last record can be incomplete, and it is then ignored.

use std::fs::{self, DirBuilder, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, path};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use tempfile::TempPath;

use super::bytes::{Reader, write_block};
use super::history::Step;
use super::stroke::{Direction, Stroke};

const FORMAT: &[u8] = b"Emberwalk recovery 1\n";
const EXTENSION: &str = ".recovery";

/// The kinds of records.
const SOURCE: u8 = 0;
const STEP: u8 = 1;
const SAVING: u8 = 2;

/// The number of bytes of a hash that protect a record.
const CHECK_BYTES: usize = 8;

/// The maximum length of the content of a map file, in bytes. The length in a recovery file is not trusted beyond it.
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
                let found = fs::canonicalize(file).or_else(|_| path::absolute(file));
                let file = found.unwrap_or_else(|_| file.to_owned());
                hasher.update(b"file").update(file.as_os_str().as_encoded_bytes());
            }
            Self::Unnamed(name) => {
                hasher.update(b"name").update(name.as_bytes());
            }
        }
        format!("{}-", &hasher.finalize().to_hex()[..16])
    }
}

/// Returns the folder for recovery files: `$XDG_STATE_HOME/emberwalk`, or where the platform keeps such files; `None`
/// if the user has no home. It may not exist yet.
pub fn state_folder() -> Option<PathBuf> {
    state_folder_of(&|name| env::var_os(name).map(PathBuf::from), env::home_dir())
}

fn state_folder_of(variable: &dyn Fn(&str) -> Option<PathBuf>, home: Option<PathBuf>) -> Option<PathBuf> {
    // A relative path would depend on the current folder.
    let folder = |name: &str| variable(name).filter(|path| path.is_absolute());
    let home = home.filter(|home| home.is_absolute());
    let of_platform = || {
        if cfg!(windows) {
            folder("LOCALAPPDATA").or_else(|| Some(home?.join("AppData").join("Local")))
        } else if cfg!(target_os = "macos") {
            Some(home?.join("Library").join("Application Support"))
        } else {
            Some(home?.join(".local").join("state"))
        }
    };
    Some(folder("XDG_STATE_HOME").or_else(of_platform)?.join("emberwalk"))
}

/// The recovery file of one map in one window, which is locked as long as this value exists.
///
/// If the value is dropped, the file stays, as after a crash. If there is no step in it, it is removed.
#[derive(Debug)]
pub struct RecoveryLog {
    file: File,
    path: PathBuf,
    /// What removes the file, as long as there is no step in it.
    without_steps: Option<TempPath>,
    /// The length of the file up to the last whole record.
    length: u64,
}

impl RecoveryLog {
    /// Creates the file in `folder`, which is created if necessary. `source` is the content of the map's file, to which
    /// the strokes apply; it is kept, in case the file is another one by then.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn create(folder: &Path, origin: MapOrigin<'_>, source: &[u8]) -> io::Result<Self> {
        create_folder(folder)?;
        let prefix = origin.file_prefix();
        let mut file = tempfile::Builder::new().prefix(&prefix).suffix(EXTENSION).tempfile_in(folder)?;
        // Some file systems have no locks. There, another window may offer these strokes too.
        match file.as_file().try_lock() {
            Ok(()) | Err(TryLockError::Error(_)) => {}
            Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
        }
        let mut encoder = DeflateEncoder::new(vec![SOURCE], Compression::fast());
        encoder.write_all(source)?;
        let mut bytes = FORMAT.to_vec();
        write_record(&mut bytes, &encoder.finish()?)?;
        file.write_all(&bytes)?;
        let (file, path) = file.into_parts();
        Ok(Self { file, path: path.to_path_buf(), without_steps: Some(path), length: bytes.len() as u64 })
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
        self.write(&bytes)?;
        let Some(Err(error)) = self.without_steps.take().map(TempPath::keep) else { return Ok(()) };
        self.without_steps = Some(error.path);
        Err(error.error)
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
        self.write(&bytes)
    }

    /// Removes the file: everything is saved, or the user does not want it.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn discard(self) -> io::Result<()> {
        match self.without_steps {
            Some(path) => path.close(),
            None => fs::remove_file(&self.path),
        }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = self.file.seek(SeekFrom::Start(self.length)).and_then(|_| self.file.write_all(bytes));
        match &written {
            Ok(()) => self.length += bytes.len() as u64,
            // What was written of a record would hide the next ones. If this fails too, the next write replaces it.
            Err(_) => drop(self.file.set_len(self.length)),
        }
        written
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
    pub recovery: Recovery,
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

/// Returns what crashed windows have left in `folder` of a map, the latest first. `source` is the content of its file
/// now.
///
/// Files of windows that are open are left out. Files in which everything is saved or undone are removed. Other files
/// are ignored, and so is what cannot be read.
pub fn find_recoveries(folder: &Path, origin: MapOrigin<'_>, source: &[u8]) -> Vec<FoundRecovery> {
    let prefix = origin.file_prefix();
    let is_ours = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(&prefix) && name.ends_with(EXTENSION))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<_> =
        entries.map(|entry| entry.path()).filter(is_ours).filter_map(|path| open_recovery(path, source)).collect();
    found.sort_by_key(|(modified, _)| std::cmp::Reverse(*modified));
    found.into_iter().map(|(_, found)| found).collect()
}

fn open_recovery(path: PathBuf, source: &[u8]) -> Option<(Option<std::time::SystemTime>, FoundRecovery)> {
    // Some platforms lock only what can be written.
    let mut file = File::options().read(true).write(true).open(&path).ok()?;
    if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return None;
    }
    // Another window may have removed it before it could be locked.
    let modified = fs::metadata(&path).ok()?.modified().ok();
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).ok()?;
    let (recovery, length) = Recovery::read_records(&bytes, source)?;
    if recovery.steps.is_empty() {
        // If it cannot be removed, it is not offered either.
        let _ = fs::remove_file(&path);
        return None;
    }
    let log = RecoveryLog { file, path, without_steps: None, length };
    Some((modified, FoundRecovery { recovery, log }))
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

/// Creates a folder that only the user can read, with those around it.
fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(all(unix, not(target_os = "macos")))]
    #[test]
    fn the_state_folder_follows_the_platform() {
        let folder = |state: Option<&str>, home: Option<&str>| {
            let variable = |name: &str| (name == "XDG_STATE_HOME").then(|| state.map(PathBuf::from)).flatten();
            state_folder_of(&variable, home.map(PathBuf::from))
        };
        assert_eq!(folder(Some("/var/state"), Some("/a")), Some("/var/state/emberwalk".into()));
        assert_eq!(folder(None, Some("/a")), Some("/a/.local/state/emberwalk".into()));
        assert_eq!(folder(Some(""), Some("/a")), Some("/a/.local/state/emberwalk".into()));
        assert_eq!(folder(Some("state"), Some("/a")), Some("/a/.local/state/emberwalk".into()));
        assert_eq!(folder(None, None), None);
    }
}
