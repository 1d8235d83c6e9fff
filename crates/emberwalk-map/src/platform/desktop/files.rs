//! The file system, from which maps are read.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Opens a file for reading.
///
/// # Errors
/// Any error of the file system, or the path is a folder.
pub fn open(path: &Path) -> io::Result<impl Read + use<>> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() { Err(ErrorKind::IsADirectory.into()) } else { Ok(file) }
}

/// The length of a file in bytes; `None` if it is not a regular file, or cannot be reached.
pub fn length(path: &Path) -> Option<u64> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|found| found.len())
}

/// For how long a file has been unchanged; `None` if it is not a regular file, or if the time is not known.
pub fn age(path: &Path) -> Option<Duration> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?.modified().ok()?.elapsed().ok()
}

/// Whether there is a file or a folder at the path.
pub fn exists(path: &Path) -> bool {
    path.exists()
}

/// Whether the path is a folder.
pub fn is_folder(path: &Path) -> bool {
    path.is_dir()
}

/// Whether both paths lead to the same existing file.
pub fn is_same(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// The folder in which new files are written.
///
/// # Errors
/// The folder was removed, or may not be read.
pub fn current_folder() -> io::Result<PathBuf> {
    std::env::current_dir()
}

/// The files and folders in a folder, in no particular order, except entries that cannot be read.
pub fn list(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// A path that is the same for all paths to the same file. The file need not exist.
pub fn absolute(path: &Path) -> PathBuf {
    fs::canonicalize(path).or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}
