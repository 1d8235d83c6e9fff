//! Reads the input of commands: files, bundled maps, and standard input as `-`.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use emberwalk_formats::import;
use emberwalk_map::diagnostics::{self, Diagnostics, decode_map, decode_text, escape_invisible};
use emberwalk_map::terrain::Tileset;
use emberwalk_map::{Map, MapText, load_source};

use super::error::CliError;

/// The maximum number of printed characters of a map's name.
const MAX_NAME_CHARS: usize = 100;

/// Whether the path is `-`, which means standard input or standard output.
pub fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// The name of an input in messages.
pub fn display_name(path: &Path) -> String {
    if is_dash(path) { "<stdin>".into() } else { path.display().to_string() }
}

/// The name of a file without its folders and its extension.
pub fn file_stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads an input as bytes. Standard input can be read only once.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Diagnostics> {
    static STDIN_TAKEN: AtomicBool = AtomicBool::new(false);
    if !is_dash(path) {
        return diagnostics::read_bytes(path);
    }
    let name = display_name(path);
    if STDIN_TAKEN.swap(true, Ordering::Relaxed) {
        return Err(Diagnostics::of_file(&name, "standard input has been read already", None));
    }
    diagnostics::read_bytes_from(&name, io::stdin().lock())
}

/// Reads an input as text. Returns its name for messages, and the text.
pub fn read_text(path: &Path) -> Result<(String, String), Diagnostics> {
    let name = display_name(path);
    let text = decode_text(&name, read_bytes(path)?)?;
    Ok((name, text))
}

/// Reads the text of a map, which may be a bundled map. Returns its name for messages, and the text.
pub fn read_map_source(path: &Path) -> Result<(String, String), Diagnostics> {
    if !is_dash(path) {
        return load_source(path);
    }
    let name = display_name(path);
    let text = decode_map(&name, read_bytes(path)?)?;
    Ok((name, text))
}

/// Loads a map, which may be a bundled map.
pub fn load_map(path: &Path, tileset: &Arc<Tileset>) -> Result<Map, Diagnostics> {
    let (name, source) = read_map_source(path)?;
    import::parse_map(&name, &source, tileset).map(Map::of_content)
}

/// Checks a map name, the value of `--name`.
pub fn check_name(name: Option<&str>) -> Result<(), CliError> {
    let checked = name.map_or(Ok(()), |name| MapText::Name.check(name));
    checked.map_err(|error| CliError::Message(format!("--name: {error}")))
}

/// The error for a map with which a command cannot do what it is asked for.
pub fn map_error(map: &Map, reason: impl fmt::Display) -> CliError {
    CliError::Message(format!("{}: {reason}", printable_name(map)))
}

/// The name of a map as it is printed: shortened, and without control characters.
pub fn printable_name(map: &Map) -> String {
    let name = escape_invisible(map.name());
    match name.char_indices().nth(MAX_NAME_CHARS) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.into_owned(),
    }
}
