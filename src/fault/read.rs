//! Files to text, and offsets in it to lines and columns.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use super::{Collector, Faults};

/// The longest text that is read, in bytes: the largest map with room for comments.
const LONGEST: u64 = 256 << 20;

/// The text of the file at `path`, without a byte order mark.
///
/// # Errors
/// The file is missing, a folder, longer than 256 MiB, not UTF-8 or cannot be read.
pub(crate) fn read_text(path: &Path) -> Result<String, Faults> {
    let file = path.display().to_string();
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|opened| {
        if opened.metadata()?.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        opened.take(LONGEST + 1).read_to_end(&mut bytes)
    });
    match read {
        Ok(_) if bytes.len() as u64 > LONGEST => Err(Faults::whole(
            &file,
            "the file is longer than 256 MiB",
            Some("a map has at most 4096 x 4096 cells".into()),
        )),
        Ok(_) => decode(&file, bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(Faults::whole(&file, "there is no such file", None)),
        Err(error) if error.kind() == ErrorKind::IsADirectory => {
            Err(Faults::whole(&file, "this is a folder, not a file", None))
        }
        Err(error) => Err(Faults::whole(&file, format!("the file cannot be read: {error}"), None)),
    }
}

/// The bytes as text, without a byte order mark, which some editors write.
pub(crate) fn decode(file: &str, bytes: Vec<u8>) -> Result<String, Faults> {
    match String::from_utf8(bytes) {
        Ok(mut text) => {
            if text.starts_with('\u{feff}') {
                text.drain(..'\u{feff}'.len_utf8());
            }
            Ok(text)
        }
        Err(error) => {
            let start = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes());
            let mut faults = Collector::new(file, &text);
            let help = "save the file as UTF-8".to_owned();
            let span = start..start + char::REPLACEMENT_CHARACTER.len_utf8();
            faults.add_span(span, None, "the text is not UTF-8", help);
            Err(faults.finish().expect_err("a fault was added"))
        }
    }
}

/// Where line `line`, column `column` (both from 1, in characters) stands in `text`, in bytes.
pub(super) fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    start + text[start..].chars().take(column.saturating_sub(1)).map(char::len_utf8).sum::<usize>()
}

/// Finds lines and columns of ever later offsets in one pass.
pub(super) struct Walker<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    column: usize,
}

impl<'a> Walker<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1, column: 1 }
    }

    /// Line and column, from 1, of the byte `offset`, which is no earlier than the last one asked for.
    pub fn locate(&mut self, offset: usize) -> (usize, usize) {
        let offset = (self.at..=offset.min(self.text.len())).rev().find(|&o| self.text.is_char_boundary(o));
        let to = offset.unwrap_or(self.at);
        for character in self.text[self.at..to].chars() {
            (self.line, self.column) =
                if character == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
        self.at = to;
        (self.line, self.column)
    }
}
