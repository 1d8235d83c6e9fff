//! What is behind an error of syntax: a missing comma, quote or bracket, and where it belongs.
//!
//! RON stops at the first character that cannot go on, which is often in the next line.

use std::ops::Range;

/// A mistake and its mend.
pub(super) struct SyntaxError {
    pub span: Range<usize>,
    pub message: String,
    pub help: String,
}

#[derive(Clone, Debug, PartialEq)]
enum TokenKind {
    Open(char),
    Close(char),
    /// In double quotes; whether the second pair is there.
    Text {
        closed: bool,
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

/// Looks behind `error`, which stands at byte `at` of `text`.
pub(super) fn mistake(text: &str, at: usize, error: &ron::Error) -> Option<SyntaxError> {
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
        if token.kind == (TokenKind::Text { closed: false }) {
            return Some(unclosed_text(text, &token.span));
        }
        // What RON stops at may be the end of the token that it cannot take.
        if token.span.start >= at && *error != Eof {
            break Some(token);
        }
        match token.kind {
            TokenKind::Open(_) => open.push(token.clone()),
            TokenKind::Close(close) => match open.pop() {
                Some(Token { kind: TokenKind::Open(bracket), .. }) if closing(bracket) == close => {}
                Some(wrong) => return Some(unclosed(text, &wrong, token.span)),
                None => return Some(closes_nothing(close, token.span)),
            },
            _ => {}
        }
        earlier = before.replace(token);
    };
    let (before, innermost) = (before?, open.last());
    let after = before.span.end..before.span.end;
    if matches!(before.kind, TokenKind::Text { .. }) && next.is_some() && text[before.span.clone()].contains('\n') {
        return Some(unclosed_text(text, &before.span));
    }
    let Some(next) = next else { return innermost.map(|open| unclosed(text, open, text.len()..text.len())) };
    match (&next.kind, innermost) {
        (&TokenKind::Close(close), None) => return Some(closes_nothing(close, next.span)),
        (&TokenKind::Close(close), Some(open)) if open.kind != TokenKind::Open(opening(close)) => {
            return Some(unclosed(text, open, next.span));
        }
        // In a list there are no fields: this is the one behind it.
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
            let (message, help) = ("a comma too many".into(), "take it out".into());
            return Some(SyntaxError { span: next.span, message, help });
        }
        _ => {}
    }
    (*error == ExpectedComma).then(|| SyntaxError {
        span: after,
        message: "a comma is missing".into(),
        help: "add `,` here".into(),
    })
}

/// Whether there is nothing but space and comments.
pub(super) fn is_blank(text: &str) -> bool {
    Tokens { text, at: 0 }.next().is_none()
}

/// A text runs on until the next quote, wherever that is; its own is missing in its first line.
fn unclosed_text(text: &str, span: &Range<usize>) -> SyntaxError {
    let first = text[span.clone()].lines().next().unwrap_or_default();
    SyntaxError {
        span: span.start..span.start + first.len(),
        message: "a text without its closing quote".into(),
        help: "add `\"` at its end".into(),
    }
}

fn unclosed(text: &str, open: &Token, span: Range<usize>) -> SyntaxError {
    let bracket = text[open.span.clone()].chars().next_back().unwrap_or('(');
    let line = text[..open.span.start].matches('\n').count() + 1;
    let message = format!("the `{bracket}` of line {line} is not closed");
    SyntaxError { span, message, help: format!("add `{}` here", closing(bracket)) }
}

fn closes_nothing(close: char, span: Range<usize>) -> SyntaxError {
    let message = format!("`{close}` closes nothing");
    SyntaxError { span, message, help: format!("take it out, or add the `{}` that it belongs to", opening(close)) }
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

/// The tokens of a text, without space and comments.
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
            '"' => text_token(rest, 0),
            'r' if rest[1..].trim_start_matches('#').starts_with('"') => {
                text_token(rest, rest[1..].bytes().take_while(|&byte| byte == b'#').count() + 1)
            }
            '\'' => (TokenKind::Other, character(rest)),
            _ => {
                let stands_alone = |char: char| char.is_whitespace() || "()[]{}:,\"'/".contains(char);
                (TokenKind::Other, rest.find(stands_alone).unwrap_or(rest.len()).max(first.len_utf8()))
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

/// The text with which `rest` begins, after `before` bytes of `r` and number signs; its length in bytes.
fn text_token(rest: &str, before: usize) -> (TokenKind, usize) {
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
    (TokenKind::Text { closed: end.is_some() }, before + 1 + end.unwrap_or(inside.len()))
}

/// The length of the character in single quotes with which `rest` begins.
fn character(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    let escaped = chars.next().is_some_and(|(_, char)| char == '\\');
    let end = chars.skip(usize::from(escaped)).take(10).find(|&(_, char)| char == '\'' || char == '\n');
    end.filter(|&(_, char)| char == '\'').map_or(1, |(at, _)| at + 1)
}
