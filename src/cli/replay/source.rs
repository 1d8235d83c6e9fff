//! Reads recordings, and explains why one cannot be played or does not come true.

use std::path::Path;
use std::str;
use std::sync::Arc;

use emberwalk::recording::{
    Difference, Entry, FileError, MapSource, Order, OrderError, Part, Recording, hash_of_tileset,
};
use emberwalk_map::diagnostics::{decode_text, escape_invisible};
use emberwalk_map::terrain::Tileset;

use crate::cli::error::{CliError, tell};
use crate::cli::input::{display_name, read_bytes};

/// The maximum number of printed characters of the version that made a recording.
const MAX_VERSION_CHARS: usize = 40;

/// Where a recording comes from, and the tileset with which it is played.
pub struct Source {
    /// The name of the file for messages.
    pub name: String,
    text: String,
    pub tileset: Arc<Tileset>,
}

impl Source {
    /// Reads a recording, and the tileset in a folder or the embedded one.
    pub fn read(path: &Path, assets: Option<&Path>) -> Result<(Self, Recording), CliError> {
        let name = display_name(path);
        let mut bytes = read_bytes(path)?;
        if let Err(error) = str::from_utf8(&bytes)
            && error.error_len().is_none()
        {
            // The file was cut off in the middle of a character.
            bytes.truncate(error.valid_up_to());
        }
        let text = decode_text(&name, bytes)?;
        let recording = Recording::parse(&text).map_err(|error| unreadable(&name, &error))?;
        if recording.is_cut_off {
            let message = format!("{name}: the end of the file is missing, so it ends at {} s", recording.duration());
            tell("note", &message);
        }
        let tileset = Arc::new(Tileset::load(assets)?);
        Ok((Self { name, text, tileset }, recording))
    }

    /// The error for a recording that ends at this difference; `None` if it is not an error in the file.
    pub fn error_of(&self, recording: &Recording, difference: &Difference) -> Option<CliError> {
        matches!(difference.part, Part::Order(OrderError::Map(_))).then(|| self.map_error(recording)).flatten()
    }

    /// Refuses a recording whose first map is not valid.
    pub fn check_first_map(&self, recording: &Recording) -> Result<(), CliError> {
        let Some((_, Entry::Order(Order::Open(map)))) = recording.entries.first() else { return Ok(()) };
        let is_valid = map.map(&self.tileset).is_ok();
        if is_valid { Ok(()) } else { self.map_error(recording).map_or(Ok(()), Err) }
    }

    /// The error in the first map that is not valid.
    fn map_error(&self, recording: &Recording) -> Option<CliError> {
        let maps = recording.entries.iter().filter_map(|(_, entry)| match entry {
            Entry::Order(Order::Open(map)) => Some(map),
            _ => None,
        });
        let (map, errors) = maps.filter_map(|map| Some((map, map.map(&self.tileset).err()?))).next()?;
        self.tell_origin(recording);
        let error = errors.list().first()?;
        let place = match (map, &error.location) {
            (MapSource::Text(text), Some(at)) => self.place(text, at.line, at.column),
            _ => None,
        };
        let help = error.help.as_ref().map_or(String::new(), |help| format!("; {help}"));
        let message = format!("{}: in a map: {}{help}", self.name, error.message);
        Some(CliError::Message(match place {
            Some((line, column)) => format!("{}:{line}:{column}: in a map: {}{help}", self.name, error.message),
            None => message,
        }))
    }

    /// The place in the file of a line and column in the text of a map; `None` if the text is not as it is in the file.
    fn place(&self, map: &str, line: usize, column: usize) -> Option<(usize, usize)> {
        let before = &self.text[..self.text.find(map)?];
        let first_line = before.rsplit('\n').next().unwrap_or_default();
        let lines_before = before.bytes().filter(|byte| *byte == b'\n').count();
        let columns_before = if line == 1 { first_line.chars().count() } else { 0 };
        Some((lines_before + line, columns_before + column))
    }

    /// Tells if the recording was made by another version, or with another tileset. One that was written by hand need not
    /// know either.
    pub fn tell_origin(&self, recording: &Recording) {
        let Recording { program, tileset, .. } = recording;
        let this = env!("CARGO_PKG_VERSION");
        if !program.is_empty() && program != this {
            let shown: String = program.chars().take(MAX_VERSION_CHARS).collect();
            tell("note", &format!("the recording was made by version {shown}, and this is version {this}"));
        }
        if !tileset.is_empty() && *tileset != hash_of_tileset(&self.tileset) {
            tell("note", "the recording was made with another tileset: if you have it, choose it with --assets DIR");
        }
    }
}

/// The error for a file that is no recording.
fn unreadable(name: &str, error: &FileError) -> CliError {
    let colon = if matches!(error, FileError::Syntax { .. }) { ":" } else { ": " };
    CliError::Message(format!("{}{colon}{error}", escape_invisible(name)))
}
