//! Splits RON into tokens, even if it is invalid.

use std::ops::Range;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    Open(char),
    Close(char),
    /// A string in double quotes; `terminated` if it has the closing quote.
    String {
        terminated: bool,
    },
    Colon,
    Comma,
    /// A block comment that is never closed, up to the end of the text.
    UnclosedComment,
    Other,
}

/// The position of the comma that follows byte `at` of `text`, after whitespace and comments.
pub(crate) fn comma_after(text: &str, at: usize) -> Option<usize> {
    let next = Tokens { at, ..Tokens::new(text) }.next()?;
    (next.kind == TokenKind::Comma).then_some(next.span.start)
}

/// A token and the bytes of the text that it takes up.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub span: Range<usize>,
}

/// The bytes of each closed comment of a RON text, in order, without line breaks at their ends. The text may be invalid.
/// O(length of the text).
///
/// ```
/// use emberwalk_map::diagnostics::ron_comments;
/// let text = "(a: \"// no\", // yes\nb: 1 /* this, too */)";
/// let comments: Vec<_> = ron_comments(text).into_iter().map(|comment| &text[comment]).collect();
/// assert_eq!(comments, ["// yes", "/* this, too */"]);
/// ```
pub fn ron_comments(text: &str) -> Vec<Range<usize>> {
    let mut tokens = Tokens::new(text);
    tokens.by_ref().for_each(drop);
    tokens.comments
}

/// The tokens of a text, without whitespace and closed comments.
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    /// The closed comments so far.
    comments: Vec<Range<usize>>,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_blank();
        let start = self.at;
        let rest = &self.text[start..];
        let first = rest.chars().next()?;
        let (kind, length) = match first {
            '(' | '[' | '{' => (TokenKind::Open(first), 1),
            ')' | ']' | '}' => (TokenKind::Close(first), 1),
            ':' => (TokenKind::Colon, 1),
            ',' => (TokenKind::Comma, 1),
            '/' if rest.starts_with("/*") => (TokenKind::UnclosedComment, rest.len()),
            '"' => string_token(rest, 0),
            'r' if rest[1..].trim_start_matches('#').starts_with('"') => {
                string_token(rest, rest[1..].bytes().take_while(|&byte| byte == b'#').count() + 1)
            }
            '\'' => (TokenKind::Other, char_length(rest)),
            _ => {
                let is_separator = |char: char| char.is_whitespace() || "()[]{}:,;=\"'/".contains(char);
                (TokenKind::Other, rest.find(is_separator).unwrap_or(rest.len()).max(first.len_utf8()))
            }
        };
        self.at = start + length;
        Some(Token { kind, span: start..self.at })
    }
}

impl<'a> Tokens<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, comments: Vec::new() }
    }

    fn skip_blank(&mut self) {
        loop {
            // RON also skips marks for the writing direction.
            let rest = self.text[self.at..].trim_start_matches(|char: char| char.is_whitespace() || is_mark(char));
            self.at = self.text.len() - rest.len();
            let length = if rest.starts_with("//") {
                Some(rest.find('\n').unwrap_or(rest.len()))
            } else if rest.starts_with("/*") {
                block_comment_length(rest)
            } else {
                None
            };
            let Some(length) = length else { return };
            self.comments.push(self.at..self.at + rest[..length].trim_end().len());
            self.at += length;
        }
    }
}

fn is_mark(char: char) -> bool {
    matches!(char, '\u{200e}' | '\u{200f}')
}

/// The length in bytes of the comment at the start of `rest`, including nested comments; `None` if it is not closed.
fn block_comment_length(rest: &str) -> Option<usize> {
    let mut depth = 0;
    let mut at = 0;
    while let Some(found) = rest[at..].find(['/', '*']) {
        at += found;
        match rest.get(at..at + 2) {
            Some("/*") => depth += 1,
            Some("*/") if depth == 1 => return Some(at + 2),
            Some("*/") => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
    }
    None
}

/// The string at the start of `rest` and its length in bytes. `before` is the number of bytes before its
/// opening quote: the `r` and number signs of a raw string.
fn string_token(rest: &str, before: usize) -> (TokenKind, usize) {
    let inside = &rest[before + 1..];
    let end = if before > 0 {
        let quote = format!("\"{}", "#".repeat(before - 1));
        inside.find(&quote).map(|at| at + quote.len())
    } else {
        let mut escaped = false;
        let quote = inside.char_indices().find(|&(_, char)| {
            let ends = char == '"' && !escaped;
            escaped = char == '\\' && !escaped;
            ends
        });
        quote.map(|(at, _)| at + 1)
    };
    (TokenKind::String { terminated: end.is_some() }, before + 1 + end.unwrap_or(inside.len()))
}

/// The length in bytes of the character in single quotes at the start of `rest`.
fn char_length(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    let escaped = chars.next().is_some_and(|(_, char)| char == '\\');
    let end = chars.skip(usize::from(escaped)).take(10).find(|&(_, char)| char == '\'' || char == '\n');
    end.filter(|&(_, char)| char == '\'').map_or(1, |(at, _)| at + 1)
}
