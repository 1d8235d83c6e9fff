//! Writes a map to its file. It needs nothing from the window, so it can run in the background.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::game::world::reader::LastRead;
use emberwalk_map::diagnostics::{BYTE_ORDER_MARK, decode_text};
use emberwalk_map::editing::{Recovery, RecoveryFile};
use emberwalk_map::output_file::{OutputFile, write_new};
use emberwalk_map::{MapContent, files};

use super::new_file::{self, SaveError, patched};
use super::recovery::warn_unless;

/// A map that is to be saved.
pub(super) struct SaveJob {
    pub content: MapContent,
    /// The text of the map's file as it was read or saved last, and before it was saved for the first time.
    pub text: Arc<str>,
    pub first_text: Arc<str>,
    pub target: Target,
    /// The recovery file of the map, and the number of strokes in it.
    pub recovery: Option<RecoveryFile>,
    pub strokes: usize,
    /// Receives the text that is written to the map file.
    pub last_read: LastRead,
}

/// The target of a save.
pub(super) enum Target {
    /// In its file, unless another program has changed it.
    Own(PathBuf),
    /// In this file, whatever it contains now.
    Replaced(PathBuf),
    /// In a new file at this path.
    New(PathBuf),
    /// In a file at this path, new or replaced.
    Anywhere(PathBuf),
    /// In a new file with a free name in this folder, which begins with these characters.
    Free(PathBuf, String),
}

/// The outcome of a job.
pub(super) struct Finished {
    pub job: SaveJob,
    /// The file and its text without a byte order mark.
    pub result: Result<(PathBuf, Arc<str>), SaveError>,
}

impl Target {
    /// Whether the file becomes the map's file.
    pub(in crate::game) fn is_new(&self) -> bool {
        !matches!(self, Self::Own(_) | Self::Replaced(_))
    }
}

impl SaveJob {
    /// Writes the file.
    pub fn run(mut self) -> Finished {
        let result = self.write();
        Finished { job: self, result }
    }

    fn write(&mut self) -> Result<(PathBuf, Arc<str>), SaveError> {
        let mark = match &self.target {
            Target::Own(file) => self.mark_of_unchanged(file)?,
            _ => &[],
        };
        let patched = [mark, &patched(&self.content, &self.first_text, &self.text)?].concat();
        let text: Arc<str> = decode_text(self.content.name(), patched.clone())?.into();
        if !self.target.is_new() {
            warn_unless("written", self.update_recovery(&text));
            self.last_read.note_saved(text.clone());
        }
        let file = match &self.target {
            Target::Own(file) | Target::Replaced(file) | Target::Anywhere(file) => {
                OutputFile::new(file)?.write(&patched)?;
                file.clone()
            }
            Target::New(file) => write_new([file.clone()], &patched)?.ok_or(SaveError::Exists)?,
            Target::Free(folder, stem) => new_file::write(&patched, folder, stem)?,
        };
        Ok((file, text))
    }

    /// The byte order mark of the file, or nothing, if no other program has changed it.
    fn mark_of_unchanged(&self, file: &Path) -> Result<&'static [u8], SaveError> {
        // A file of another length is not read: it may be huge.
        let known = self.text.len() as u64;
        let is_known = |length| length == known || length == known + BYTE_ORDER_MARK.len() as u64;
        if files::length(file).is_some_and(|length| !is_known(length)) {
            return Err(SaveError::Changed);
        }
        let mut before = Vec::new();
        match files::open(file).and_then(|mut opened| opened.read_to_end(&mut before)) {
            Ok(_) => {}
            // It was deleted: it is written again.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(&[]),
            Err(error) => return Err(error.into()),
        }
        let text = before.strip_prefix(BYTE_ORDER_MARK);
        if text.unwrap_or(&before) != self.text.as_bytes() {
            return Err(SaveError::Changed);
        }
        Ok(if text.is_some() { BYTE_ORDER_MARK } else { &[] })
    }

    /// Updates the recovery file to the text that is about to be written: if the program is killed right afterwards,
    /// there is nothing to restore.
    fn update_recovery(&mut self, text: &str) -> io::Result<()> {
        let Some(file) = &mut self.recovery else { return Ok(()) };
        file.replace(&Recovery::pack(self.content.name(), &self.text, text.as_bytes(), self.strokes)?)
    }
}
