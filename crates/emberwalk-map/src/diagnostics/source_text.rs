//! Reads text files, and reports files that are not text.

use std::io::{Error, ErrorKind, Read};
use std::path::Path;

use crate::files;

use super::collector::DiagnosticCollector;
use super::command_line::import_help;
use super::diagnostic::Diagnostics;

/// The maximum length of a text, in bytes: the largest map, and room for comments.
const MAX_LENGTH: u64 = 256 << 20;

/// The help for a map that is too long.
const LENGTH_HELP: &str = "a map has at most 4096 x 4096 cells";

/// How many bytes after an invalid byte are kept, so that the report can show its line.
const CONTEXT_BYTES: usize = 4096;

/// The text of the file at `path`, which is meant to be a map, without a byte order mark.
///
/// # Errors
/// The file is missing, a folder, longer than 256 MiB, not UTF-8, or cannot be read.
pub fn read_text(path: &Path) -> Result<String, Diagnostics> {
    decode_map(&path.display().to_string(), read_up_to(path, MAX_LENGTH, Some(LENGTH_HELP))?)
}

/// The content of the file at `path`.
///
/// # Errors
/// The file is missing, a folder, longer than 256 MiB, or cannot be read.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Diagnostics> {
    read_up_to(path, MAX_LENGTH, None)
}

/// The content of the file at `path`, which is read only if it has at most `max` bytes, a multiple of 1 MiB. `help` is
/// the advice if it is longer.
///
/// # Errors
/// The file is missing, a folder, too long, or cannot be read.
pub fn read_up_to(path: &Path, max: u64, help: Option<&str>) -> Result<Vec<u8>, Diagnostics> {
    let name = path.display().to_string();
    // The length is checked first, so that a file that is too long takes no memory.
    let length = files::length(path).unwrap_or(0);
    if length > max {
        return Err(too_long(&name, max, help));
    }
    let opened = files::open(path).map_err(|error| unreadable(&name, &error))?;
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    read_all(&name, opened, &mut bytes, max, help)?;
    Ok(bytes)
}

/// All bytes that `reader` yields. `name` is the file name for messages.
///
/// # Errors
/// There are more than 256 MiB, or they cannot be read.
pub fn read_bytes_from(name: &str, reader: impl Read) -> Result<Vec<u8>, Diagnostics> {
    let mut bytes = Vec::new();
    read_all(name, reader, &mut bytes, MAX_LENGTH, None)?;
    Ok(bytes)
}

/// Appends all bytes that `reader` yields, unless there are more than `max`.
fn read_all(
    name: &str,
    reader: impl Read,
    bytes: &mut Vec<u8>,
    max: u64,
    help: Option<&str>,
) -> Result<(), Diagnostics> {
    reader.take(max + 1).read_to_end(bytes).map_err(|error| unreadable(name, &error))?;
    if bytes.len() as u64 > max { Err(too_long(name, max, help)) } else { Ok(()) }
}

fn too_long(name: &str, max: u64, help: Option<&str>) -> Diagnostics {
    let message = format!("the file is longer than {} MiB", max >> 20);
    Diagnostics::of_file(name, message, help.map(str::to_owned))
}

fn unreadable(name: &str, error: &Error) -> Diagnostics {
    let help = (error.kind() == ErrorKind::PermissionDenied).then(|| "check its permissions".to_owned());
    Diagnostics::of_file(name, read_error(error, "file"), help)
}

/// The reason why something cannot be read; `what` is `file` or `folder`.
///
/// ```
/// use emberwalk_map::diagnostics::read_error;
/// let error = std::fs::read_dir("no/such").unwrap_err();
/// assert_eq!(read_error(&error, "folder"), "there is no such folder");
/// ```
pub fn read_error(error: &Error, what: &str) -> String {
    match error.kind() {
        ErrorKind::NotFound => format!("there is no such {what}"),
        ErrorKind::IsADirectory => "this is a folder, not a file".into(),
        ErrorKind::NotADirectory if what == "folder" => "this is a file, not a folder".into(),
        ErrorKind::NotADirectory => "its path leads through a file".into(),
        ErrorKind::PermissionDenied => format!("you are not allowed to read this {what}"),
        ErrorKind::InvalidFilename => "its name is too long, or has characters that are not allowed".into(),
        // An error with its own text.
        _ if error.get_ref().is_some() => error.to_string(),
        _ => {
            // Error numbers mean nothing to most people.
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default();
            format!("the {what} cannot be read: {text}")
        }
    }
}

/// The mark that some editors put at the beginning of a text.
pub const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Decodes UTF-8, without a byte order mark.
pub fn decode_text(file: &str, bytes: Vec<u8>) -> Result<String, Diagnostics> {
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
            // The report shows only the line with the error, so the rest of a long file is not needed.
            let end = error.as_bytes().len().min(start + CONTEXT_BYTES);
            let text = String::from_utf8_lossy(&error.as_bytes()[..end]);
            let mut diagnostics = DiagnosticCollector::new(file, &text);
            diagnostics.add_span(start..start + char::REPLACEMENT_CHARACTER.len_utf8(), None, message, help);
            Err(diagnostics.finish().expect_err("an error was added"))
        }
    }
}

/// Decodes the UTF-8 of a file that is meant to be a map, without a byte order mark.
///
/// # Errors
/// As for [`decode_text`]. For a picture, the help is how to convert it to a map.
pub fn decode_map(file: &str, bytes: Vec<u8>) -> Result<String, Diagnostics> {
    let is_picture = picture_format(&bytes).is_some();
    decode_text(file, bytes).map_err(|errors| if is_picture { errors.with_help(import_help(file)) } else { errors })
}

/// The format of a picture, by its first bytes; `None` for anything else.
fn picture_format(bytes: &[u8]) -> Option<&'static str> {
    let pictures: [(&[u8], &str); 3] = [(b"\x89PNG", "PNG"), (b"\xff\xd8\xff", "JPEG"), (b"GIF8", "GIF")];
    // Texts can begin with these two letters too, so more of the header is checked.
    let bitmap = (bytes.starts_with(b"BM") && bytes.get(6..10) == Some(&[0; 4])).then_some("BMP");
    pictures.iter().find(|(begin, _)| bytes.starts_with(begin)).map(|(_, format)| *format).or(bitmap)
}

/// Message and help for bytes that are not UTF-8 from `start` on.
fn not_text(bytes: &[u8], start: usize) -> (String, Option<String>) {
    if let Some(format) = picture_format(bytes) {
        return (format!("this is a {format} picture, not a text file"), None);
    }
    let utf_8 = || Some("save the file as UTF-8".to_owned());
    if bytes.starts_with(b"\x1f\x8b") {
        return ("this is a gzip file, not a text file".into(), Some("unpack it first".into()));
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return ("the text is UTF-16, not UTF-8".into(), utf_8());
    }
    (format!("the text is not UTF-8: byte {:#04x}", bytes[start]), utf_8())
}
