//! Reads recordings, and explains why a recording cannot be played or does not replay identically.

use std::path::Path;
use std::str;
use std::sync::Arc;

use emberwalk_map::diagnostics::{decode_text, escape_invisible};
use emberwalk_map::terrain::Tileset;
use emberwalk_world::{Difference, Entry, FileError, Order, OrderError, Part, Recording, errors_of_map, shown_seconds};

use crate::cli::error::{CliError, tell};
use crate::cli::input::{display_name, read_bytes};

/// Where a recording comes from, and the tileset with which it is played.
pub struct Source {
    /// The name of the file for messages.
    pub name: String,
    pub text: String,
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
            let seconds = shown_seconds(recording.duration());
            tell("note", &format!("{name}: the end of the file is missing, so it ends at {seconds} s"));
        }
        let tileset = Arc::new(Tileset::load(assets)?);
        Ok((Self { name, text, tileset }, recording))
    }

    /// Where a recording ends that plays up to this difference: the name of the file, and the line if an order in it is not
    /// possible.
    ///
    /// # Errors
    /// The order opens a map that is not valid.
    pub fn place_of(&self, recording: &Recording, difference: &Difference) -> Result<String, CliError> {
        let Part::Order(error) = &difference.part else { return Ok(self.name.clone()) };
        if let OrderError::Map(_) = error
            && let Some(error) = self.map_error(recording)
        {
            return Err(error);
        }
        let line = recording.line_of_entry(&self.text, difference.entry);
        Ok(line.map_or_else(|| self.name.clone(), |line| format!("{}:{line}", self.name)))
    }

    /// Refuses a recording whose first map is not valid.
    pub fn check_first_map(&self, recording: &Recording) -> Result<(), CliError> {
        let is_valid = recording.first_map().is_none_or(|map| map.map(&self.tileset).is_ok());
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
        let errors = errors_of_map(&self.name, &self.text, &map.text(), &errors);
        let error = errors.list().first()?;
        let place = error.location.as_ref().map_or(String::new(), |at| format!(":{}:{}", at.line, at.column));
        let help = error.help.as_ref().map_or(String::new(), |help| format!("; {help}"));
        Some(CliError::Message(format!("{}{place}: {}{help}", self.name, error.message)))
    }

    /// Tells if the recording was made by another version, or with another tileset. A recording that was written by
    /// hand need not name either.
    pub fn tell_origin(&self, recording: &Recording) {
        recording.note_of_version().into_iter().for_each(|note| tell("note", &note));
        if !recording.has_tileset(&self.tileset) {
            tell("note", "the recording was made with another tileset: if you have it, choose it with --assets DIR");
        }
    }
}

/// The error for a file that is no recording.
fn unreadable(name: &str, error: &FileError) -> CliError {
    let colon = if matches!(error, FileError::Syntax { .. }) { ":" } else { ": " };
    CliError::Message(format!("{}{colon}{error}", escape_invisible(name)))
}
