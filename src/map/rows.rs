//! Parses the rows of a map file, and finds the place of each character in the text.

use std::borrow::Cow;
use std::ops::Range;

use ron::value::RawValue;
use serde::Deserialize;

use super::MAX_SIDE;
use crate::diagnostics::DiagnosticCollector;

/// How many rows, and how many characters of a row, are examined: one more than a map can have, so that the first
/// surplus one can be reported.
pub(super) const MAX_EXAMINED: usize = MAX_SIDE as usize + 1;

/// One row of a layer.
pub(super) struct Row<'a> {
    /// The number of the row; 0 is in the north.
    pub y: usize,
    /// The row as it is written in the file, with its quotes.
    pub raw: &'a str,
    /// Its characters.
    pub text: Cow<'a, str>,
    /// The number of characters.
    pub length: usize,
}

/// The rows of a layer.
pub(super) struct Rows<'a> {
    /// The list as it is written in the file.
    pub raw: &'a str,
    /// The rows that are strings, of the first [`MAX_EXAMINED`].
    pub valid: Vec<Row<'a>>,
    /// The number of rows, valid or not.
    pub count: usize,
}

impl Rows<'_> {
    /// Returns the `x`-th character of row `y`; `None` if the row is invalid or too short.
    pub fn char(&self, x: usize, y: usize) -> Option<char> {
        let at = self.valid.binary_search_by_key(&y, |row| row.y).ok()?;
        self.valid[at].text.chars().nth(x)
    }
}

/// Parses the rows in `raw`, a slice of the source; reports everything that is not a list of strings.
pub(super) fn parse_rows<'a>(raw: &'a str, diagnostics: &mut DiagnosticCollector<'_>) -> Option<Rows<'a>> {
    let list: Vec<&'a RawValue> =
        ron::from_str(raw).map_err(|error| diagnostics.add_ron_error(raw, &error, rows_help())).ok()?;
    let count = list.len();
    // The rows after the first surplus one need not be parsed.
    let mut valid = Vec::with_capacity(count.min(MAX_EXAMINED));
    for (y, row) in list.into_iter().enumerate().take(MAX_EXAMINED) {
        let raw = row.trim().get_ron();
        match ron::from_str::<Borrowed<'a>>(raw) {
            Ok(Borrowed(text)) => valid.push(Row { y, raw, length: text.chars().count(), text }),
            Err(error) => diagnostics.add_ron_error(raw, &error, row_help()),
        }
    }
    Some(Rows { raw, valid, count })
}

/// A string that borrows from the source if it has no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct Borrowed<'a>(#[serde(borrow)] Cow<'a, str>);

impl Row<'_> {
    /// Returns the bytes of the `k`-th character (from 0) in [`raw`](Self::raw), or the position of the closing quote
    /// if the row is shorter.
    pub fn span(&self, k: usize) -> Range<usize> {
        let start = self.raw.find('"').map_or(0, |at| at + 1);
        let end = self.raw.rfind('"').unwrap_or(self.raw.len()).max(start);
        let mut lengths = CharLengths { rest: &self.raw[start..end], escapes: self.raw.starts_with('"') };
        let at = start + lengths.by_ref().take(k).sum::<usize>();
        let length = lengths.next().unwrap_or(usize::from(at < self.raw.len()));
        at..at + length
    }
}

/// The length in bytes of each character as it is written, which may be as an escape.
struct CharLengths<'a> {
    rest: &'a str,
    escapes: bool,
}

impl Iterator for CharLengths<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let first = self.rest.chars().next()?;
        let length = if self.escapes && first == '\\' { escape_length(self.rest) } else { first.len_utf8() };
        self.rest = &self.rest[length..];
        Some(length)
    }
}

/// Returns the length, in bytes, of the escape at the start of `text`, which is known to be valid.
fn escape_length(text: &str) -> usize {
    let length = match text[1..].chars().next() {
        Some('x') => 4,
        Some('u') => text.find('}').map_or(2, |at| at + 1),
        // An escaped line break skips all white space after it and is no character, so the next character is included.
        Some('\n' | '\r') => {
            let rest = text[1..].trim_start();
            text.len() - rest.len() + rest.chars().next().map_or(0, char::len_utf8)
        }
        Some(other) => 1 + other.len_utf8(),
        None => 1,
    };
    (length..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

fn rows_help() -> String {
    "a layer is a list of rows: [\"GGG\", \"GGG\"]".into()
}

fn row_help() -> String {
    "a row is a string in quotes: \"GGG\"".into()
}
