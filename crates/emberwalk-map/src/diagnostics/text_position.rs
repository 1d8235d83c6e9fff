//! Splits texts into lines, and converts between byte offsets in a text and lines and columns.

use std::iter;

/// The lines of a text without their ends, which are LF, CRLF or CR. As in [`str::lines`], there is no empty line after
/// the last end.
///
/// ```
/// use emberwalk_map::diagnostics::text_lines;
/// assert_eq!(text_lines("a\nb\r\n\rc\r").collect::<Vec<_>>(), ["a", "b", "", "c"]);
/// ```
pub fn text_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (line, after) = rest.split_at(rest.find(['\n', '\r']).unwrap_or(rest.len()));
        let end = if after.starts_with("\r\n") { 2 } else { after.len().min(1) };
        rest = &after[end..];
        Some(line)
    })
}

/// The byte offset in `text` of `line` and `column`, both from 1, in characters, as the `ron` crate counts them: lines
/// end in LF.
pub(super) fn byte_offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    start + text[start..].chars().take(column.saturating_sub(1)).map(char::len_utf8).sum::<usize>()
}

/// Computes the lines and columns of ascending byte offsets in one pass over the text.
pub(super) struct LineTracker<'a> {
    text: &'a str,
    offset: usize,
    line: usize,
    column: usize,
}

impl<'a> LineTracker<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, offset: 0, line: 1, column: 1 }
    }

    /// The line and column, from 1, of the byte at `offset`, which must not be less than in the last call.
    pub fn locate(&mut self, offset: usize) -> (usize, usize) {
        let end = self.text.floor_char_boundary(offset);
        for (at, character) in self.text[self.offset..end].char_indices() {
            let is_end = match character {
                '\n' => true,
                '\r' => self.text.as_bytes().get(self.offset + at + 1) != Some(&b'\n'),
                _ => false,
            };
            (self.line, self.column) = if is_end { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
        self.offset = end;
        (self.line, self.column)
    }
}
