//! Where input comes from: files, and standard input.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::failure::Failure;

/// The longest file that is read, in bytes: the largest map or picture, with room for what else it holds.
const LONGEST: u64 = 256 << 20;

/// The bytes of the file at `path`; `-` is standard input.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::stdin().lock().take(LONGEST + 1).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| match file.metadata()?.is_dir() {
            true => Err(ErrorKind::IsADirectory.into()),
            false => file.take(LONGEST + 1).read_to_end(&mut bytes),
        })
    };
    let reason = match read {
        Ok(_) if bytes.len() as u64 <= LONGEST => return Ok(bytes),
        Ok(_) => "the file is longer than 256 MiB".to_owned(),
        Err(error) if error.kind() == ErrorKind::NotFound => "there is no such file".to_owned(),
        Err(error) if error.kind() == ErrorKind::IsADirectory => "this is a folder, not a file".to_owned(),
        Err(error) => format!("the file cannot be read: {error}"),
    };
    Err(Failure::Message(format!("{}: {reason}", name(path))))
}

/// What messages call the file.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}
