//! Files that one window writes to and that a crash leaves: in the user's state folder. On a page,
//! `locked_file_on_page.rs` has this module's place.

use std::env;
use std::fs::{self, DirBuilder, File, Metadata, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::TempPath;

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

/// A file that is locked as long as this value exists.
///
/// If the value is dropped, the file stays, once [`keep`](Self::keep) was called.
#[derive(Debug)]
pub(super) struct LockedFile {
    file: File,
    path: PathBuf,
    /// What removes the file, as long as it is not to be kept.
    temporary: Option<TempPath>,
    /// The length of what is valid.
    length: u64,
}

impl LockedFile {
    /// Creates a file in `folder`, which is created if necessary. Its name begins with `prefix` and ends with `suffix`.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn create(folder: &Path, prefix: &str, suffix: &str, content: &[u8]) -> io::Result<Self> {
        create_folder(folder)?;
        let mut file = tempfile::Builder::new().prefix(prefix).suffix(suffix).tempfile_in(folder)?;
        // Some file systems have no locks. There, another window may find this file too.
        match file.as_file().try_lock() {
            Ok(()) | Err(TryLockError::Error(_)) => {}
            Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
        }
        file.write_all(content)?;
        let (file, path) = file.into_parts();
        Ok(Self { file, path: path.to_path_buf(), temporary: Some(path), length: content.len() as u64 })
    }

    /// Locks the files of such names in `folder`, and returns them with their content, the latest first; `None` for one
    /// that another process has locked. What cannot be read is left out, and so is what is no regular file or longer
    /// than `max_length` bytes.
    pub fn find(folder: &Path, prefix: &str, suffix: &str, max_length: u64) -> Vec<Option<(Self, Vec<u8>)>> {
        let is_ours = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with(prefix) && name.ends_with(suffix))
        };
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path()).filter(is_ours);
        let mut found: Vec<_> = paths.filter_map(|path| Self::open(path, max_length)).collect();
        found.sort_by_key(|(modified, _)| std::cmp::Reverse(*modified));
        found.into_iter().map(|(_, file)| file).collect()
    }

    fn open(path: PathBuf, max_length: u64) -> Option<(SystemTime, Option<(Self, Vec<u8>)>)> {
        let is_readable = |found: &Metadata| found.is_file() && found.len() <= max_length;
        // To open a pipe may take for ever, so it is not even opened.
        fs::symlink_metadata(&path).ok().filter(is_readable)?;
        // Some platforms lock only what can be written.
        let file = File::options().read(true).write(true).open(&path).ok()?;
        let is_locked = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        // Another window may have removed it before it could be locked, or written to it.
        fs::symlink_metadata(&path).ok()?;
        let modified = file.metadata().ok().filter(is_readable)?.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        if is_locked {
            return Some((modified, None));
        }
        let mut content = Vec::new();
        (&file).take(max_length).read_to_end(&mut content).ok()?;
        let length = content.len() as u64;
        Some((modified, Some((Self { file, path, temporary: None, length }, content))))
    }

    /// Adds to the valid content, in one write.
    ///
    /// # Errors
    /// Any error of the file system; the file is then as it was before, and the next call may succeed.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = self.file.seek(SeekFrom::Start(self.length)).and_then(|_| self.file.write_all(bytes));
        match &written {
            Ok(()) => self.length += bytes.len() as u64,
            // What was written of a record would hide the next ones. If this fails too, the next write replaces it.
            Err(_) => drop(self.file.set_len(self.length)),
        }
        written
    }

    /// Makes the file stay when the value is dropped.
    ///
    /// # Errors
    /// Any error of the file system; the next call may succeed.
    pub fn keep(&mut self) -> io::Result<()> {
        let Some(Err(error)) = self.temporary.take().map(TempPath::keep) else { return Ok(()) };
        self.temporary = Some(error.path);
        Err(error.error)
    }

    /// Takes only the first bytes as valid. The next write replaces the others.
    pub fn truncate(&mut self, length: u64) {
        self.length = length;
    }

    /// Removes the file.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn remove(self) -> io::Result<()> {
        match self.temporary {
            Some(path) => path.close(),
            None => fs::remove_file(&self.path),
        }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
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
