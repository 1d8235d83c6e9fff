//! Finds what causes a syntax error: a missing comma, quote or bracket, and the place where it belongs.
//!
//! The `ron` crate stops at the first character that it cannot parse, which is often in the line after the mistake.

use std::ops::Range;

/// A syntax error and its fix.
pub(super) struct SyntaxError {
    pub span: Range<usize>,
    pub message: String,
    pub help: String,
}

#[derive(Clone, Debug, PartialEq)]
enum TokenKind {
    Open(char),
    Close(char),
    /// A string in double quotes; `terminated` if it has the closing quote.
    String {
        terminated: bool,
    },
    Colon,
    Comma,
    Other,
}

#[derive(Clone, Debug)]
struct Token {
    kind: TokenKind,
    span: Range<usize>,
}

/// Finds the cause of `error`, which the `ron` crate reported at byte `at` of `text`.
pub(super) fn find(text: &str, at: usize, error: &ron::Error) -> Option<SyntaxError> {
    use ron::Error::*;
    let syntax = matches!(
        error,
        Eof | ExpectedArrayEnd
            | ExpectedComma
            | ExpectedIdentifier
            | ExpectedMapColon
            | ExpectedMapEnd
            | ExpectedString
            | ExpectedStringEnd
            | ExpectedStructLikeEnd
            | TrailingCharacters
            | UnexpectedChar(_)
    );
    if !syntax {
        return None;
    }
    let mut open: Vec<Token> = Vec::new();
    let (mut earlier, mut before): (Option<Token>, Option<Token>) = (None, None);
    let mut tokens = Tokens { text, at: 0 };
    let next = loop {
        let Some(token) = tokens.next() else { break None };
        if token.kind == (TokenKind::String { terminated: false }) {
            return Some(unterminated_string(text, &token.span));
        }
        // The error may be reported at the end of the token that could not be parsed.
        if token.span.start >= at && *error != Eof {
            break Some(token);
        }
        match token.kind {
            TokenKind::Open(_) => open.push(token.clone()),
            TokenKind::Close(close) => match open.pop() {
                Some(Token { kind: TokenKind::Open(bracket), .. }) if closing(bracket) == close => {}
                Some(wrong) => return Some(unclosed(text, &wrong, token.span)),
                None => return Some(unmatched(close, token.span)),
            },
            _ => {}
        }
        earlier = before.replace(token);
    };
    let (before, innermost) = (before?, open.last());
    let after = before.span.end..before.span.end;
    if matches!(before.kind, TokenKind::String { .. }) && next.is_some() && text[before.span.clone()].contains('\n') {
        return Some(unterminated_string(text, &before.span));
    }
    let Some(next) = next else { return innermost.map(|open| unclosed(text, open, text.len()..text.len())) };
    match (&next.kind, innermost) {
        (&TokenKind::Close(close), None) => return Some(unmatched(close, next.span)),
        (&TokenKind::Close(close), Some(open)) if open.kind != TokenKind::Open(opening(close)) => {
            return Some(unclosed(text, open, next.span));
        }
        // A list has no fields, so this field belongs after the list.
        (TokenKind::Other, Some(list))
            if is_list(list) && tokens.next().is_some_and(|token| token.kind == TokenKind::Colon) =>
        {
            return Some(SyntaxError { help: "add `],` here".into(), ..unclosed(text, list, after) });
        }
        (TokenKind::Colon, Some(list)) if is_list(list) => {
            let after = earlier.map_or(after, |token| token.span.end..token.span.end);
            return Some(SyntaxError { help: "add `],` here".into(), ..unclosed(text, list, after) });
        }
        (TokenKind::Comma, _) if before.kind == TokenKind::Comma => {
            let (message, help) = ("unexpected comma".into(), "remove it".into());
            return Some(SyntaxError { span: next.span, message, help });
        }
        _ => {}
    }
    (*error == ExpectedComma).then(|| SyntaxError {
        span: after,
        message: "missing comma".into(),
        help: "add `,` here".into(),
    })
}

/// Whether `text` contains nothing but whitespace and comments.
pub(super) fn is_blank(text: &str) -> bool {
    Tokens { text, at: 0 }.next().is_none()
}

/// A string without its closing quote extends to the next quote, in whatever line that is. Only the first line of it is
/// marked.
fn unterminated_string(text: &str, span: &Range<usize>) -> SyntaxError {
    let first = text[span.clone()].lines().next().unwrap_or_default();
    SyntaxError {
        span: span.start..span.start + first.len(),
        message: "this string has no closing quote".into(),
        help: "add `\"` at its end".into(),
    }
}

fn unclosed(text: &str, open: &Token, span: Range<usize>) -> SyntaxError {
    let bracket = text[open.span.clone()].chars().next_back().unwrap_or('(');
    let line = text[..open.span.start].matches('\n').count() + 1;
    let message = format!("the `{bracket}` in line {line} is never closed");
    SyntaxError { span, message, help: format!("add `{}` here", closing(bracket)) }
}

fn unmatched(close: char, span: Range<usize>) -> SyntaxError {
    let message = format!("unmatched `{close}`");
    SyntaxError { span, message, help: format!("remove it, or add the missing `{}`", opening(close)) }
}

fn is_list(token: &Token) -> bool {
    token.kind == TokenKind::Open('[')
}

fn closing(open: char) -> char {
    match open {
        '[' => ']',
        '{' => '}',
        _ => ')',
    }
}

fn opening(close: char) -> char {
    match close {
        ']' => '[',
        '}' => '{',
        _ => '(',
    }
}

/// The tokens of a text, without whitespace and comments.
struct Tokens<'a> {
    text: &'a str,
    at: usize,
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
            '"' => string_token(rest, 0),
            'r' if rest[1..].trim_start_matches('#').starts_with('"') => {
                string_token(rest, rest[1..].bytes().take_while(|&byte| byte == b'#').count() + 1)
            }
            '\'' => (TokenKind::Other, char_length(rest)),
            _ => {
                let is_separator = |char: char| char.is_whitespace() || "()[]{}:,\"'/".contains(char);
                (TokenKind::Other, rest.find(is_separator).unwrap_or(rest.len()).max(first.len_utf8()))
            }
        };
        self.at = start + length;
        Some(Token { kind, span: start..self.at })
    }
}

impl Tokens<'_> {
    fn skip_blank(&mut self) {
        loop {
            let rest = self.text[self.at..].trim_start();
            self.at = self.text.len() - rest.len();
            let length = if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                return;
            };
            self.at += length;
        }
    }
}

/// Returns the string at the start of `rest` and its length in bytes. `before` is the number of bytes before its
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

/// Returns the length in bytes of the character in single quotes at the start of `rest`.
fn char_length(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    let escaped = chars.next().is_some_and(|(_, char)| char == '\\');
    let end = chars.skip(usize::from(escaped)).take(10).find(|&(_, char)| char == '\'' || char == '\n');
    end.filter(|&(_, char)| char == '\'').map_or(1, |(at, _)| at + 1)
}
