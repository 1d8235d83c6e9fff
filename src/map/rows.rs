//! The rows of a map file: characters, and where each of them stands in the text.

use std::borrow::Cow;
use std::ops::Range;

use ron::value::RawValue;
use serde::Deserialize;

use super::MAX_SIDE;
use crate::diagnostics::DiagnosticCollector;

/// So many rows, and characters of a row, are looked at: all that a map can have, and one more.
pub(super) const MOST: usize = MAX_SIDE as usize + 1;

/// One row of a layer.
pub(super) struct Row<'a> {
    /// Which row, from 0 in the north.
    pub y: usize,
    /// The row as it stands in the file, with its quotes.
    pub raw: &'a str,
    /// Its characters.
    pub text: Cow<'a, str>,
    /// How many characters.
    pub length: usize,
}

/// The rows of a layer.
pub(super) struct Rows<'a> {
    /// The list as it stands in the file.
    pub raw: &'a str,
    /// Those that are strings, of the first [`MOST`].
    pub sound: Vec<Row<'a>>,
    /// How many there are, sound or not.
    pub count: usize,
}

impl Rows<'_> {
    /// The `x`-th character of row `y`, if that row is sound and as long.
    pub fn char(&self, x: usize, y: usize) -> Option<char> {
        let at = self.sound.binary_search_by_key(&y, |row| row.y).ok()?;
        self.sound[at].text.chars().nth(x)
    }
}

/// The rows in `raw`, a slice of the source; what is not a list of strings is noted.
pub(super) fn rows<'a>(raw: &'a str, faults: &mut DiagnosticCollector<'_>) -> Option<Rows<'a>> {
    let list: Vec<&'a RawValue> =
        ron::from_str(raw).map_err(|error| faults.add_ron_error(raw, &error, rows_help())).ok()?;
    let count = list.len();
    // Beyond the first that is too much none has to be read.
    let mut sound = Vec::with_capacity(count.min(MOST));
    for (y, row) in list.into_iter().enumerate().take(MOST) {
        let raw = row.trim().get_ron();
        match ron::from_str::<Borrowed<'a>>(raw) {
            Ok(Borrowed(text)) => sound.push(Row { y, raw, length: text.chars().count(), text }),
            Err(error) => faults.add_ron_error(raw, &error, row_help()),
        }
    }
    Some(Rows { raw, sound, count })
}

/// A string that is a slice of the source if it has no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct Borrowed<'a>(#[serde(borrow)] Cow<'a, str>);

impl Row<'_> {
    /// The bytes that the `k`-th character (from 0) takes in [`raw`](Self::raw); at its closing quote if there are no so
    /// many.
    pub fn span(&self, k: usize) -> Range<usize> {
        let start = self.raw.find('"').map_or(0, |at| at + 1);
        let end = self.raw.rfind('"').unwrap_or(self.raw.len()).max(start);
        let mut pieces = Pieces { rest: &self.raw[start..end], escapes: self.raw.starts_with('"') };
        let at = start + pieces.by_ref().take(k).sum::<usize>();
        let length = pieces.next().unwrap_or(usize::from(at < self.raw.len()));
        at..at + length
    }
}

/// The lengths, in bytes, of what stands for one character each.
struct Pieces<'a> {
    rest: &'a str,
    escapes: bool,
}

impl Iterator for Pieces<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let first = self.rest.chars().next()?;
        let length = if self.escapes && first == '\\' { escape(self.rest) } else { first.len_utf8() };
        self.rest = &self.rest[length..];
        Some(length)
    }
}

/// The length, in bytes, of the escape with which `text` begins; the text is known to be sound.
fn escape(text: &str) -> usize {
    let length = match text[1..].chars().next() {
        Some('x') => 4,
        Some('u') => text.find('}').map_or(2, |at| at + 1),
        // A line that goes on in the next leaves out all space between, and stands for no character of its own.
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
    "a row stands in quotes: \"GGG\"".into()
}
