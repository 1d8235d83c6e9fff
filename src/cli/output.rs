//! Writes results: to standard output, or to files that are written completely or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::error::CliError;
use super::input::is_dash;

/// Returns standard output for results. A closed pipe is no error: its reader has seen enough. The command then runs to
/// its end, because its exit status still counts.
pub fn stdout() -> impl Write {
    BufWriter::new(IgnoreClosedPipe(io::stdout().lock()))
}

struct IgnoreClosedPipe<W>(W);

impl<W: Write> Write for IgnoreClosedPipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        ignore_closed_pipe(self.0.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        ignore_closed_pipe(self.0.flush(), ())
    }
}

fn ignore_closed_pipe<T>(result: io::Result<T>, if_closed: T) -> io::Result<T> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(if_closed),
        other => other,
    }
}

/// Writes the file at `path` completely or not at all: first to a temporary file in the same folder, which is then
/// renamed. `-` is standard output.
pub fn write_atomically(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CliError> {
    if is_dash(path) {
        let mut out = stdout();
        return Ok(write(&mut out).and_then(|()| out.flush())?);
    }
    // If the path is a symbolic link, the file that it points to is replaced, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // A device or a named pipe must not be replaced by a file, so it is written directly.
    let is_special = fs::metadata(&target).is_ok_and(|found| !found.is_file());
    let written = if is_special { write_directly(&target, write) } else { write_and_rename(&target, write) };
    written.map_err(|error| {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "its folder does not exist".to_owned(),
            io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
            _ => error.to_string(),
        };
        CliError::Message(format!("{} cannot be written: {reason}", path.display()))
    })
}

/// Refuses an output that would overwrite the input.
pub fn refuse_same_file(output: &Path, input: &Path) -> Result<(), CliError> {
    let existing = |path| fs::canonicalize(path).ok().filter(|path| path.is_file());
    if !is_dash(input) && existing(output).is_some() && existing(output) == existing(input) {
        let message = format!("{} is the input, and would be overwritten: choose another output", output.display());
        return Err(CliError::Message(message));
    }
    Ok(())
}

/// Refuses an output whose name has another extension than `extension`. `reason` says what the output is.
pub fn require_extension(path: &Path, extension: &str, reason: &str) -> Result<(), CliError> {
    match path.extension() {
        Some(other) if !other.eq_ignore_ascii_case(extension) => {
            let message = format!("{}: {reason}, so its name should end in .{extension}", path.display());
            Err(CliError::Message(message))
        }
        _ => Ok(()),
    }
}

fn write_directly(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    write(&mut out)?;
    out.flush()
}

fn write_and_rename(target: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let name = target.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    let temporary: PathBuf = target.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()));
    let written = write_directly(&temporary, write).and_then(|()| fs::rename(&temporary, target));
    if written.is_err() {
        // This fails if the temporary file could not be created, and then there is nothing to remove.
        let _ = fs::remove_file(&temporary);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_no_file_and_keeps_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.png");
        let fail = |out: &mut dyn Write| {
            out.write_all(b"half")?;
            Err(io::ErrorKind::StorageFull.into())
        };
        assert!(write_atomically(&path, fail).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        write_atomically(&path, |out| out.write_all(b"whole")).unwrap();
        assert!(write_atomically(&path, fail).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
