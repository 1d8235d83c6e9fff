//! Parses the rows of a map file, and locates each character in the text.

use std::borrow::Cow;
use std::ops::Range;

use ron::value::RawValue;
use serde::Deserialize;

use super::MAX_SIDE;
use crate::diagnostics::DiagnosticCollector;

/// The maximum number of rows, and of characters per row, that are examined: one more than a map can have, so that the
/// first surplus one can be reported.
pub(super) const MAX_EXAMINED: usize = MAX_SIDE as usize + 1;

/// One row of a layer.
pub(super) struct Row<'a> {
    /// The number of the row; 0 is in the north.
    pub y: usize,
    /// The row as written in the file, with its quotes.
    pub raw: &'a str,
    /// Its characters.
    pub text: Cow<'a, str>,
    /// The number of characters.
    pub length: usize,
}

/// The rows of a layer.
pub(super) struct Rows<'a> {
    /// The list as written in the file.
    pub raw: &'a str,
    /// The rows that are strings, among the first [`MAX_EXAMINED`] rows.
    pub valid: Vec<Row<'a>>,
    /// The number of rows, valid or not.
    pub count: usize,
}

impl Rows<'_> {
    /// The `x`-th character of row `y`; `None` if the row is invalid or too short.
    pub fn char(&self, x: usize, y: usize) -> Option<char> {
        let at = self.valid.binary_search_by_key(&y, |row| row.y).ok()?;
        self.valid[at].text.chars().nth(x)
    }
}

/// Parses the rows in `raw`, a slice of the source. Reports anything that is not a list of strings, with `help` or an
/// example of a row.
pub(super) fn parse_rows<'a>(
    raw: &'a str,
    help: &str,
    example: &str,
    diagnostics: &mut DiagnosticCollector<'_>,
) -> Option<Rows<'a>> {
    let row_help = || format!("a row is a string in quotes: {example:?}");
    let list: Vec<&'a RawValue> =
        ron::from_str(raw).map_err(|error| diagnostics.add_ron_error(raw, &error, help.to_owned())).ok()?;
    let count = list.len();
    // Rows after the first surplus row need not be parsed.
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
    /// The bytes of the `k`-th character (from 0) in [`raw`](Self::raw), or the position of the closing quote
    /// if the row is shorter.
    pub fn span(&self, k: usize) -> Range<usize> {
        let mut spans = self.spans();
        spans.nth(k).unwrap_or_else(|| spans.end..(spans.end + 1).min(self.raw.len()))
    }

    /// The bytes of each character in [`raw`](Self::raw). Escaped line breaks are not characters, so they lie between
    /// the spans.
    pub fn spans(&self) -> CharSpans<'_> {
        CharSpans::new(self.raw)
    }
}

/// Iterates over the bytes of each character, which may be written as an escape.
pub(super) struct CharSpans<'a> {
    raw: &'a str,
    at: usize,
    /// The position of the closing quote.
    end: usize,
    escapes: bool,
}

impl<'a> CharSpans<'a> {
    /// The spans in `raw`, a valid string with its quotes.
    pub fn new(raw: &'a str) -> Self {
        let start = raw.find('"').map_or(0, |at| at + 1);
        let end = raw.rfind('"').unwrap_or(raw.len()).max(start);
        Self { raw, at: start, end, escapes: raw.starts_with('"') }
    }
}

impl Iterator for CharSpans<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let mut rest = &self.raw[self.at..self.end];
        while self.escapes && (rest.starts_with("\\\n") || rest.starts_with("\\\r\n")) {
            rest = rest[1..].trim_start_matches([' ', '\t', '\n', '\r']);
        }
        let start = self.end - rest.len();
        let first = rest.chars().next()?;
        let length = if self.escapes && first == '\\' { escape_length(rest) } else { first.len_utf8() };
        self.at = start + length;
        Some(start..self.at)
    }
}

/// The length, in bytes, of the escape at the start of `text`, which is known to be valid.
fn escape_length(text: &str) -> usize {
    let length = match text[1..].chars().next() {
        // Each escape is a byte of the character in UTF-8; the first byte determines how many follow.
        Some('x') => match text.get(2..3) {
            Some("c" | "C" | "d" | "D") => 8,
            Some("e" | "E") => 12,
            Some("f" | "F") => 16,
            _ => 4,
        },
        Some('u') => text.find('}').map_or(2, |at| at + 1),
        Some(other) => 1 + other.len_utf8(),
        None => 1,
    };
    (length..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_escaped_character_is_one_span() {
        for escape in [r"\n", r"\x41", r"\u{20ac}", r"\xc3\xa9", r"\xe2\x82\xac", r"\xf0\x9f\x94\xa5"] {
            let raw = format!("\"a{escape}b\"");
            let text: String = ron::from_str(&raw).unwrap();
            assert_eq!(text.chars().count(), 3, "{raw}");
            let spans: Vec<_> = CharSpans::new(&raw).map(|span| &raw[span]).collect();
            assert_eq!(spans, ["a", escape, "b"]);
        }
    }
}
