//! Files to text, and offsets in it to lines and columns.

use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::path::Path;

use super::{DiagnosticCollector, Diagnostics};

/// The longest text that is read, in bytes: the largest map with room for comments.
const LONGEST: u64 = 256 << 20;

/// So many bytes after a byte that is no text are enough to show its line.
const LINE: usize = 4096;

/// The text of the file at `path`, without a byte order mark.
///
/// # Errors
/// The file is missing, a folder, longer than 256 MiB, not UTF-8 or cannot be read.
pub fn read_text(path: &Path) -> Result<String, Diagnostics> {
    let name = path.display().to_string();
    let opened = File::open(path)
        .and_then(|opened| if opened.metadata()?.is_dir() { Err(ErrorKind::IsADirectory.into()) } else { Ok(opened) });
    opened.map_err(|error| unreadable(&name, &error)).and_then(|opened| read_text_from(&name, opened))
}

/// What `reader` has, as text without a byte order mark; `name` is how the user knows it.
///
/// # Errors
/// It is longer than 256 MiB, not UTF-8 or cannot be read.
pub fn read_text_from(name: &str, reader: impl Read) -> Result<String, Diagnostics> {
    let mut bytes = Vec::new();
    reader.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|error| unreadable(name, &error))?;
    if bytes.len() as u64 > LONGEST {
        let help = "a map has at most 4096 x 4096 cells".to_owned();
        return Err(Diagnostics::of_file(name, "the file is longer than 256 MiB", Some(help)));
    }
    decode_text(name, bytes)
}

fn unreadable(name: &str, error: &Error) -> Diagnostics {
    match error.kind() {
        ErrorKind::NotFound => Diagnostics::of_file(name, "there is no such file", None),
        ErrorKind::IsADirectory => Diagnostics::of_file(name, "this is a folder, not a file", None),
        ErrorKind::PermissionDenied => {
            Diagnostics::of_file(name, "you are not allowed to read this file", Some("see to its permissions".into()))
        }
        _ => Diagnostics::of_file(name, format!("the file cannot be read: {error}"), None),
    }
}

/// The bytes as text, without a byte order mark, which some editors write.
pub(crate) fn decode_text(file: &str, bytes: Vec<u8>) -> Result<String, Diagnostics> {
    match String::from_utf8(bytes) {
        Ok(mut text) => {
            if text.starts_with('\u{feff}') {
                text.drain(..'\u{feff}'.len_utf8());
            }
            Ok(text)
        }
        Err(error) => {
            let start = error.utf8_error().valid_up_to();
            let (message, help) = not_text(error.as_bytes(), start);
            // Of a long file the line of the fault is enough; the bytes before it are sound.
            let end = error.as_bytes().len().min(start + LINE);
            let text = String::from_utf8_lossy(&error.as_bytes()[..end]);
            let mut faults = DiagnosticCollector::new(file, &text);
            faults.add_span(start..start + char::REPLACEMENT_CHARACTER.len_utf8(), None, message, help);
            Err(faults.finish().expect_err("a fault was added"))
        }
    }
}

/// What to do with a file that a map can be made of.
pub(crate) const IMPORT_HELP: &str = "make a map of it: emberwalk import FILE -o my.ron";

/// What to say of bytes that are no text from byte `start` on.
fn not_text(bytes: &[u8], start: usize) -> (String, String) {
    let pictures: [(&[u8], &str); 3] = [(b"\x89PNG", "PNG"), (b"\xff\xd8\xff", "JPEG"), (b"GIF8", "GIF")];
    // Two letters alone could begin a text.
    let bitmap = (bytes.starts_with(b"BM") && bytes.get(6..10) == Some(&[0; 4])).then_some("BMP");
    if let Some(kind) = pictures.iter().find(|(begin, _)| bytes.starts_with(begin)).map(|(_, kind)| *kind).or(bitmap) {
        return (format!("this is a {kind} picture, not a text"), IMPORT_HELP.into());
    }
    if bytes.starts_with(b"\x1f\x8b") {
        return ("this is a gzip file, not a text".into(), "give a map: a text file, such as my.ron".into());
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return ("the text is UTF-16, not UTF-8".into(), "save the file as UTF-8".into());
    }
    (format!("the text is not UTF-8: byte {:#04x}", bytes[start]), "save the file as UTF-8".into())
}

/// Where line `line`, column `column` (both from 1, in characters) stands in `text`, in bytes.
pub(super) fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    start + text[start..].chars().take(column.saturating_sub(1)).map(char::len_utf8).sum::<usize>()
}

/// Finds lines and columns of ever later offsets in one pass.
pub(super) struct LineTracker<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    column: usize,
}

impl<'a> LineTracker<'a> {
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
