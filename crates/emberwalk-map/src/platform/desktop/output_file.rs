//! Writes files atomically where possible: a file is then either complete or unchanged.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempPath};

/// The maximum number of symbolic links in a path, as on Linux.
const MAX_LINKS: usize = 40;

/// A path to which a file will be written.
///
/// Links are followed. An existing file is replaced with a new file that has the same permissions and owner, unless it
/// is read-only. Where the caller may change the file but not its folder, or may not give a new file to its owner, the
/// content of the file is overwritten instead, which is not atomic. Devices and named pipes are written to directly.
///
/// ```
/// use emberwalk_map::output_file::OutputFile;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("notes.txt");
/// OutputFile::new(&path)?.write(b"whole")?;
/// assert_eq!(std::fs::read(&path)?, b"whole");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct OutputFile {
    /// The path after the last link.
    path: PathBuf,
    existing: Existing,
}

/// The kind of file at the path.
#[derive(Clone, Debug)]
enum Existing {
    Nothing,
    File(Metadata),
    /// A device, a named pipe, or anything else that stores no content.
    Special,
}

impl OutputFile {
    /// Creates the output for `path`, and checks everything that can be checked without the content.
    ///
    /// # Errors
    /// The folder does not exist or nothing may be written there, the path is a folder, or the file may not be changed.
    pub fn new(path: &Path) -> io::Result<Self> {
        if path.to_string_lossy().ends_with(std::path::is_separator) {
            return Err(io::Error::new(ErrorKind::InvalidFilename, "a path that ends in a slash is a folder"));
        }
        let existing = match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Ok(found) if found.is_file() => Existing::File(found),
            // Links are not followed here, because links in /proc/self/fd can lead to things that have no path.
            Ok(_) => return Ok(Self { path: path.to_owned(), existing: Existing::Special }),
            Err(error) if error.kind() == ErrorKind::NotFound => Existing::Nothing,
            Err(error) => return Err(error),
        };
        let output = Self { path: follow_links(path), existing };
        match &output.existing {
            Existing::File(found) => {
                // Otherwise a superuser, or the owner of the folder, could still replace the file.
                let opened = OpenOptions::new().write(true).open(&output.path);
                let is_refused = opened.as_ref().is_err_and(|error| error.kind() == ErrorKind::PermissionDenied);
                if found.permissions().readonly() || is_refused {
                    return Err(io::Error::new(ErrorKind::PermissionDenied, "it is read-only"));
                }
                opened?;
            }
            Existing::Nothing | Existing::Special => {
                if !fs::metadata(output.folder())?.is_dir() {
                    return Err(ErrorKind::NotADirectory.into());
                }
                // A file without a name shows whether a new one can be made. It leaves nothing behind.
                tempfile::tempfile_in(output.folder()).map_err(|error| without_path(&error))?;
            }
        }
        Ok(output)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// Any error of the file system. The file at the path is then unchanged, unless overwriting it in place failed
    /// halfway.
    pub fn write(&self, content: &[u8]) -> io::Result<()> {
        self.stage(content)?.commit()
    }

    /// Writes the content to the file system, but not yet to the path. This allows writing several files together or
    /// not at all.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn stage<'a>(&'a self, content: &'a [u8]) -> io::Result<StagedFile<'a>> {
        let like = match &self.existing {
            Existing::Special => return Ok(StagedFile { output: self, content, temporary: None }),
            Existing::Nothing => None,
            Existing::File(found) => Some(found),
        };
        let temporary = match Temporary::new(self.folder(), content, like) {
            Err(error) if like.is_some() && error.kind() == ErrorKind::PermissionDenied => None,
            other => Some(other?),
        };
        Ok(StagedFile { output: self, content, temporary })
    }

    /// Begins to write a file whose content does not fit into memory.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn stream(&self) -> io::Result<FileStream<'_>> {
        let like = match &self.existing {
            Existing::Special | Existing::Nothing => None,
            Existing::File(found) => Some(found),
        };
        let is_special = matches!(self.existing, Existing::Special);
        let temporary = if is_special { None } else { self.stage(&[])?.temporary };
        let file = match &temporary {
            Some(temporary) => temporary.open()?,
            None => OpenOptions::new().write(true).truncate(like.is_some()).open(&self.path)?,
        };
        Ok(FileStream { output: self, file: BufWriter::new(file), temporary })
    }

    fn folder(&self) -> &Path {
        folder_of(&self.path)
    }
}

/// The content of an [`OutputFile`], written piece by piece. It is at the path after [`finish`](Self::finish); if this
/// is dropped before, nothing changes there. Only content that is written in place is there immediately.
#[derive(Debug)]
pub struct FileStream<'a> {
    output: &'a OutputFile,
    file: BufWriter<File>,
    /// `None` if the content is written in place.
    temporary: Option<Temporary>,
}

impl FileStream<'_> {
    /// Moves the file to its path.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        if let Some(temporary) = self.temporary {
            self.file.get_ref().sync_all()?;
            temporary.into_named(self.output.folder())?.persist(&self.output.path)?;
        }
        Ok(())
    }
}

impl Write for FileStream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        ignore_closed_pipe(self.file.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        ignore_closed_pipe(self.file.flush(), ())
    }
}

/// The result of a write, with `if_closed` in place of the error of a closed pipe, whose reader needs no more.
///
/// # Errors
/// All other errors of the write.
pub fn ignore_closed_pipe<T>(result: io::Result<T>, if_closed: T) -> io::Result<T> {
    match result {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(if_closed),
        other => other,
    }
}

/// The content of an [`OutputFile`] that is not at its path yet. If this is dropped before [`commit`](Self::commit),
/// nothing changes at the path.
#[derive(Debug)]
#[must_use = "the file is not there until `commit` is called"]
pub struct StagedFile<'a> {
    output: &'a OutputFile,
    content: &'a [u8],
    /// `None` if the content will be written into the existing file.
    temporary: Option<Temporary>,
}

impl StagedFile<'_> {
    /// Moves the file to its path.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn commit(self) -> io::Result<()> {
        let Self { output, content, temporary } = self;
        match temporary {
            Some(temporary) => Ok(temporary.into_named(output.folder())?.persist(&output.path)?),
            None => write_in_place(output, content),
        }
    }
}

/// Writes a new file at the first free path. Returns this path; `None` if all of them are taken.
///
/// # Errors
/// Any error of the file system.
pub fn write_new(paths: impl IntoIterator<Item = PathBuf>, content: &[u8]) -> io::Result<Option<PathBuf>> {
    let mut named = None;
    for path in paths {
        if fs::symlink_metadata(&path).is_ok() {
            continue;
        }
        let folder = folder_of(&path);
        let temporary = match named.take() {
            Some(temporary) => temporary,
            None => Temporary::new(folder, content, None)?.into_named(folder)?,
        };
        match temporary.persist_noclobber(&path) {
            Ok(()) => return Ok(Some(path)),
            // Another program took the path first.
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => named = Some(error.path),
            Err(error) => return Err(error.error),
        }
    }
    Ok(None)
}

/// Whether `path` is a device, a named pipe, or anything else that is neither a file nor a folder.
pub fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// The reason why a file cannot be written, in words that follow a colon.
pub fn reason(error: &io::Error) -> String {
    let text = match error.kind() {
        // An error with its own text.
        _ if error.get_ref().is_some() => return error.to_string(),
        ErrorKind::NotFound => "its folder does not exist",
        ErrorKind::NotADirectory => "its folder is a file",
        ErrorKind::IsADirectory => "it is a folder",
        ErrorKind::PermissionDenied => "you are not allowed to write there",
        ErrorKind::ReadOnlyFilesystem => "the disk is read-only",
        ErrorKind::StorageFull => "the disk is full",
        ErrorKind::QuotaExceeded => "the disk quota is exceeded",
        ErrorKind::InvalidFilename => "its name is too long, or has characters that are not allowed",
        _ => return error.to_string(),
    };
    text.to_owned()
}

/// A complete file in the folder of its destination, ready to be renamed.
#[derive(Debug)]
enum Temporary {
    /// It has no name yet, so that no signal that stops the program leaves it behind.
    #[cfg(target_os = "linux")]
    Unnamed(File),
    Named(TempPath),
}

impl Temporary {
    /// Writes `content` to a new file in `folder`, with the owner and permissions of `like` if it is given.
    fn new(folder: &Path, content: &[u8], like: Option<&Metadata>) -> io::Result<Self> {
        // Many file systems do not support such files. If this fails for another reason, the next attempt fails too.
        #[cfg(target_os = "linux")]
        if let Ok(file) = unnamed::create(folder) {
            fill(&file, content, like)?;
            return Ok(Self::Unnamed(file));
        }
        Self::new_named(folder, content, like).map(Self::Named)
    }

    fn new_named(folder: &Path, content: &[u8], like: Option<&Metadata>) -> io::Result<TempPath> {
        let create = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
        let temporary = with_free_name(folder, create)?;
        fill(temporary.as_file(), content, like)?;
        Ok(temporary.into_temp_path())
    }

    /// Opens the file, to write at its end.
    fn open(&self) -> io::Result<File> {
        match self {
            Self::Named(path) => OpenOptions::new().append(true).open(path),
            #[cfg(target_os = "linux")]
            Self::Unnamed(file) => file.try_clone(),
        }
    }

    /// Gives the file a name. The file is removed unless it is renamed.
    fn into_named(self, folder: &Path) -> io::Result<TempPath> {
        match self {
            Self::Named(path) => Ok(path),
            #[cfg(target_os = "linux")]
            Self::Unnamed(mut file) => {
                let linked = with_free_name(folder, |path| unnamed::link(&file, path));
                linked.map(NamedTempFile::into_temp_path).or_else(|_| {
                    // Some file systems and some containers support such files but cannot name them.
                    let named = Self::new_named(folder, &[], Some(&file.metadata()?))?;
                    file.rewind()?;
                    let mut copy = OpenOptions::new().append(true).open(&named)?;
                    io::copy(&mut file, &mut copy)?;
                    copy.sync_all()?;
                    Ok(named)
                })
            }
        }
    }
}

/// Files without a name.
#[cfg(target_os = "linux")]
mod unnamed {
    use std::fs::{File, OpenOptions};
    use std::io;
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::OpenOptionsExt;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, OFlags, linkat};

    /// Creates an unnamed file in the file system of `folder`.
    pub fn create(folder: &Path) -> io::Result<File> {
        OpenOptions::new().read(true).write(true).custom_flags(OFlags::TMPFILE.bits().cast_signed()).open(folder)
    }

    /// Gives the file its name, which must be free.
    pub fn link(file: &File, path: &Path) -> io::Result<()> {
        let descriptor = format!("/proc/self/fd/{}", file.as_raw_fd());
        Ok(linkat(CWD, descriptor, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
    }
}

/// Calls `create` with hidden names in `folder` until one is free. The names do not contain the destination's name,
/// which can already be as long as the file system allows.
fn with_free_name<R>(folder: &Path, create: impl FnMut(&Path) -> io::Result<R>) -> io::Result<NamedTempFile<R>> {
    let made = Builder::new().prefix(".emberwalk-").suffix(".part").make_in(folder, create);
    made.map_err(|error| without_path(&error))
}

/// The error without the path of a temporary file, which means nothing to the user.
fn without_path(error: &io::Error) -> io::Error {
    error.kind().into()
}

/// Writes the content of a new file, with the owner and permissions of `like` if it is given.
fn fill(mut file: &File, content: &[u8], like: Option<&Metadata>) -> io::Result<()> {
    if let Some(like) = like {
        #[cfg(unix)]
        take_owner(file, like)?;
        file.set_permissions(like.permissions())?;
    }
    file.write_all(content)?;
    // Some file systems only report here that they are full.
    file.sync_all()
}

#[cfg(unix)]
fn take_owner(file: &File, like: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (like.uid(), like.gid()) {
        fchown(file, Some(like.uid()), Some(like.gid())).map_err(|_| ErrorKind::PermissionDenied)?;
    }
    Ok(())
}

/// Writes into the existing file, device or pipe.
fn write_in_place(output: &OutputFile, content: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(&output.path)?;
    match &output.existing {
        Existing::Special => ignore_closed_pipe(file.write_all(content), ()),
        Existing::Nothing | Existing::File(_) => replace_content(&file, content),
    }
}

/// Replaces the content of a file. If the disk is full, the file stays unchanged.
fn replace_content(mut file: &File, content: &[u8]) -> io::Result<()> {
    let length = file.metadata()?.len();
    let (begin, rest) = content.split_at(content.len().min(usize::try_from(length).unwrap_or(usize::MAX)));
    // The part that makes the file longer is written first, because only this part needs space.
    let extended = file.seek(SeekFrom::End(0)).and_then(|_| file.write_all(rest)).and_then(|()| file.sync_all());
    if let Err(error) = extended {
        file.set_len(length)?;
        return Err(error);
    }
    file.rewind()?;
    file.write_all(begin)?;
    file.set_len(content.len() as u64)?;
    file.sync_all()
}

/// The path that the symbolic links at `path` lead to, even if nothing is there.
fn follow_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            // An absolute path replaces the folder.
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => break,
        }
    }
    path
}

/// The folder that a path is in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
