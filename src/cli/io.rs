//! Where commands read: files, bundled maps, and standard input where a user writes `-`. What they write goes by
//! [`output`](super::output), where `-` is standard output.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use emberwalk::diagnostics::{self, Diagnostics, escape_invisible};
use emberwalk::map::{self, Map};
use emberwalk::terrain::Tileset;

use super::failure::Failure;

/// The longest file that is read as bytes: the largest map or picture, with room for what else it holds.
const LONGEST: u64 = 256 << 20;

/// So many characters of a map's name are printed.
const NAME: usize = 100;

/// What a user calls standard input and standard output.
pub fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// How messages call what `path` stands for.
pub fn title(path: &Path) -> String {
    if is_dash(path) { "<stdin>".into() } else { path.display().to_string() }
}

/// Opens what `path` stands for. Standard input can be opened once.
pub fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    static TAKEN: AtomicBool = AtomicBool::new(false);
    if !is_dash(path) {
        return Ok(Box::new(File::open(path)?));
    }
    if TAKEN.swap(true, Ordering::Relaxed) {
        return Err(io::Error::other("standard input has been read already"));
    }
    Ok(Box::new(io::stdin().lock()))
}

/// The bytes of what `path` stands for.
pub fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = open(path).and_then(|input| input.take(LONGEST + 1).read_to_end(&mut bytes));
    let reason = match read {
        Ok(_) if bytes.len() as u64 <= LONGEST => return Ok(bytes),
        Ok(_) => "the file is longer than 256 MiB".to_owned(),
        Err(error) if error.kind() == ErrorKind::NotFound => "there is no such file".to_owned(),
        Err(error) if error.kind() == ErrorKind::IsADirectory => "this is a folder, not a file".to_owned(),
        Err(error) => format!("the file cannot be read: {error}"),
    };
    Err(Failure::Message(format!("{}: {reason}", title(path))))
}

/// The text of what `path` stands for, and how messages call it.
pub fn text(path: &Path) -> Result<(String, String), Diagnostics> {
    let title = title(path);
    let text = if is_dash(path) {
        let input = open(path).map_err(|error| Diagnostics::of_file(&title, error.to_string(), None))?;
        diagnostics::read_text_from(&title, input)?
    } else {
        diagnostics::read_text(path)?
    };
    Ok((title, text))
}

/// The text of the map that a user calls `path`, bundled ones too, and how messages call it.
pub fn map_text(path: &Path) -> Result<(String, String), Diagnostics> {
    if is_dash(path) { text(path) } else { map::load_source(path) }
}

/// The map that a user calls `path`.
pub fn map(path: &Path, tileset: &Arc<Tileset>) -> Result<Map, Diagnostics> {
    let (title, text) = map_text(path)?;
    Map::parse(&title, &text, tileset)
}

/// The name of a map as it is printed: shortened, and with nothing that a terminal would obey.
pub fn name(map: &Map) -> String {
    let name = escape_invisible(map.name());
    match name.char_indices().nth(NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.into_owned(),
    }
}
