//! Where results go: standard output, and files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::io::is_dash;

/// Standard output for results. Who closes the pipe has read enough: that is no error, and what is found out after it
/// still decides the exit status.
pub fn stdout() -> impl Write {
    BufWriter::new(Pipe(io::stdout().lock()))
}

struct Pipe<W>(W);

impl<W: Write> Write for Pipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if_open(self.0.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if_open(self.0.flush(), ())
    }
}

fn if_open<T>(result: io::Result<T>, closed: T) -> io::Result<T> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(closed),
        other => other,
    }
}

/// Writes the file at `path`: into another beside it first, which then takes its name, so that nothing half written is
/// ever under that name. `-` is standard output.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    if is_dash(path) {
        let mut out = stdout();
        return Ok(write(&mut out).and_then(|()| out.flush())?);
    }
    // A link stays one: what it leads to is written.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let special = fs::metadata(&target).is_ok_and(|found| !found.is_file());
    // A device cannot be replaced by a file; and what is half written to it is not a file.
    let written = if special { write_to(&target, write) } else { replace(&target, write) };
    written.map_err(|error| {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "there is no folder of that name to write into".to_owned(),
            io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
            _ => error.to_string(),
        };
        Failure::Message(format!("{} cannot be written: {reason}", path.display()))
    })
}

/// Refuses an output that is the input, which would be lost.
pub fn must_differ(output: &Path, input: &Path) -> Result<(), Failure> {
    let found = |path| fs::canonicalize(path).ok().filter(|path| path.is_file());
    if !is_dash(input) && found(output).is_some() && found(output) == found(input) {
        let message = format!("{} is what is read, and would be lost: choose another output", output.display());
        return Err(Failure::Message(message));
    }
    Ok(())
}

/// Refuses an output whose name promises another kind of file: `what` is to be written, whose names end in `.ending`.
pub fn must_end(path: &Path, ending: &str, what: &str) -> Result<(), Failure> {
    match path.extension() {
        Some(other) if !other.eq_ignore_ascii_case(ending) => {
            let message = format!("{}: {what}, so its name should end in .{ending}", path.display());
            Err(Failure::Message(message))
        }
        _ => Ok(()),
    }
}

fn write_to(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    write(&mut out)?;
    out.flush()
}

fn replace(target: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let name = target.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    let beside: PathBuf = target.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()));
    let written = write_to(&beside, write).and_then(|()| fs::rename(&beside, target));
    if written.is_err() {
        // Nothing may be left of it; if it was never made there is nothing to take away.
        let _ = fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_half_way_leaves_nothing_and_takes_nothing_away() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.png");
        let fail = |out: &mut dyn Write| {
            out.write_all(b"half")?;
            Err(io::ErrorKind::StorageFull.into())
        };
        assert!(write_whole(&path, fail).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        write_whole(&path, |out| out.write_all(b"whole")).unwrap();
        assert!(write_whole(&path, fail).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
