//! The files of the web version, in memory: files that the player dropped, chose or saved. All of them are in one
//! folder.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

thread_local! {
    /// The content of each file. The web version has a single thread.
    static FILES: RefCell<BTreeMap<PathBuf, Arc<[u8]>>> = const { RefCell::new(BTreeMap::new()) };
}

/// Opens a file for reading.
///
/// # Errors
/// There is no such file.
pub fn open(path: &Path) -> io::Result<impl Read + use<>> {
    let content = FILES.with_borrow(|files| files.get(path).cloned());
    content.map(Cursor::new).ok_or_else(|| ErrorKind::NotFound.into())
}

/// The length of a file in bytes; `None` if there is none.
pub fn length(path: &Path) -> Option<u64> {
    FILES.with_borrow(|files| files.get(path).map(|content| content.len() as u64))
}

/// For how long a file has been unchanged, which browsers do not tell.
pub fn age(_: &Path) -> Option<Duration> {
    None
}

/// Adds a file, or replaces its content.
pub fn put(path: &Path, content: &[u8]) {
    FILES.with_borrow_mut(|files| files.insert(path.to_owned(), content.into()));
}

/// Whether there is a file at the path.
pub fn exists(path: &Path) -> bool {
    FILES.with_borrow(|files| files.contains_key(path))
}

/// Whether the path is the folder of all files.
pub fn is_folder(path: &Path) -> bool {
    path.as_os_str().is_empty()
}

/// Whether both paths lead to the same existing file.
pub fn is_same(one: &Path, other: &Path) -> bool {
    one == other && exists(one)
}

/// The folder of all files.
///
/// # Errors
/// Never.
pub fn current_folder() -> io::Result<PathBuf> {
    Ok(PathBuf::new())
}

/// The files in a folder.
pub fn list(folder: &Path) -> Vec<PathBuf> {
    FILES.with_borrow(|files| files.keys().filter(|_| is_folder(folder)).cloned().collect())
}

/// A path that is the same for all paths to the same file.
pub fn absolute(path: &Path) -> PathBuf {
    path.to_owned()
}
