//! Converts between byte offsets in a text and lines and columns.

/// The byte offset in `text` of `line` and `column`, both from 1, in characters.
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
        for character in self.text[self.offset..end].chars() {
            (self.line, self.column) =
                if character == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
        self.offset = end;
        (self.line, self.column)
    }
}
