//! The recovery file that a window writes and a crash leaves behind, in the user's state folder.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, Metadata, TryLockError};
use std::io::{self, Read, Write};
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempPath;

use super::files;
use crate::platform::map_origin::{EXTENSION, MAX_BYTES, MapOrigin};

/// The folder for recovery files: `$XDG_STATE_HOME/emberwalk`, or the platform's folder for such files; `None` if the
/// user has no home. It may not exist yet.
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

/// The extension of a file that is being written.
const UNFINISHED: &str = "part";

/// After this time, an unfinished file must come from a window that was killed.
const MAX_WRITING: Duration = Duration::from_secs(60);

/// The recovery file of one map in one window, locked as long as this value exists.
///
/// If the value is dropped, the file stays, as after a crash.
#[derive(Debug)]
pub struct RecoveryFile {
    path: PathBuf,
    _locked: File,
}

/// A file with its content.
type WithContent = (RecoveryFile, Vec<u8>);

impl RecoveryFile {
    /// Writes a new file with this [content](crate::editing::Recovery::pack) in `folder`, which is created if necessary.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn create(folder: &Path, origin: &MapOrigin, content: &[u8]) -> io::Result<Self> {
        create_folder(folder)?;
        let (file, unfinished) = write_unfinished(folder, origin.file_prefix(files::absolute), content)?;
        let path = unfinished.with_extension(EXTENSION);
        Self::finish(file, unfinished, path)
    }

    /// Replaces the content. Afterwards, even the sudden end of the program does not lose it.
    ///
    /// # Errors
    /// Any error of the file system. The file is then unchanged, and the next call may succeed.
    pub fn replace(&mut self, content: &[u8]) -> io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let prefix = self.path.file_stem().unwrap_or_default();
        let (file, unfinished) = write_unfinished(folder, prefix, content)?;
        *self = Self::finish(file, unfinished, self.path.clone())?;
        Ok(())
    }

    /// Moves an unfinished file to its final path, replacing the file there.
    fn finish(file: File, unfinished: TempPath, path: PathBuf) -> io::Result<Self> {
        fs::rename(&unfinished, &path)?;
        // Nothing is left to remove.
        let _ = unfinished.keep();
        Ok(Self { path, _locked: file })
    }

    /// Locks the files of a map in `folder`, and returns them with their content, the latest first; `None` for each
    /// file that another process has locked. Skips everything that cannot be read, is not a regular file or is too
    /// long. Removes unfinished files of killed windows.
    pub(crate) fn find(folder: &Path, origin: &MapOrigin) -> Vec<Option<WithContent>> {
        let prefix = origin.file_prefix(files::absolute);
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let is_ours = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with(&prefix))
        };
        let mut found = Vec::new();
        for path in entries.map(|entry| entry.path()).filter(is_ours) {
            if has_extension(&path, UNFINISHED) {
                remove_if_left(&path);
            } else if has_extension(&path, EXTENSION) {
                found.extend(Self::open(path));
            }
        }
        found.sort_by_key(|(modified, _)| std::cmp::Reverse(*modified));
        found.into_iter().map(|(_, file)| file).collect()
    }

    fn open(path: PathBuf) -> Option<(SystemTime, Option<WithContent>)> {
        let is_readable = |found: &Metadata| found.is_file() && found.len() <= MAX_BYTES;
        // Opening a pipe could block forever.
        fs::symlink_metadata(&path).ok().filter(is_readable)?;
        // Some platforms lock only writable files.
        let file = File::options().read(true).write(true).open(&path).ok()?;
        let is_locked = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        let opened = file.metadata().ok().filter(is_readable)?;
        let modified = opened.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        // Another window may have removed or replaced it before it could be locked.
        if is_locked || !is_same(&opened, &fs::symlink_metadata(&path).ok()?) {
            return Some((modified, None));
        }
        let mut content = Vec::new();
        (&file).take(MAX_BYTES).read_to_end(&mut content).ok()?;
        Some((modified, Some((Self { path, _locked: file }, content))))
    }

    /// Removes the file: everything is saved, or the user does not want to restore it.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn discard(self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Writes and locks a new file. Also returns a guard that removes the file unless it is moved to another path.
fn write_unfinished(folder: &Path, prefix: impl AsRef<OsStr>, content: &[u8]) -> io::Result<(File, TempPath)> {
    let suffix = format!(".{UNFINISHED}");
    let mut file = tempfile::Builder::new().prefix(&prefix).suffix(&suffix).tempfile_in(folder)?;
    // Some file systems do not support locks. There, other windows may find this file too.
    match file.as_file().try_lock() {
        Ok(()) | Err(TryLockError::Error(_)) => {}
        Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
    }
    file.write_all(content)?;
    Ok(file.into_parts())
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|other| other == extension)
}

/// Removes an unfinished file, unless it is being written.
fn remove_if_left(path: &Path) {
    let age = fs::symlink_metadata(path)
        .ok()
        .filter(Metadata::is_file)
        .and_then(|found| found.modified().ok()?.elapsed().ok());
    if age.is_some_and(|age| age > MAX_WRITING) {
        // If this fails, the file stays until the next time.
        let _ = fs::remove_file(path);
    }
}

/// Whether both belong to the same file.
#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Whether both may belong to the same file; this platform gives no certainty.
#[cfg(not(unix))]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    one.len() == other.len()
}

/// Creates a folder that only the user can read, with its missing parents.
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
