//! Finds the cause of a syntax error: a missing comma, quote or bracket, and the place where it belongs.
//!
//! The `ron` crate stops at the first character that it cannot parse, which is often in the line below the mistake.

use std::ops::Range;

use super::misread_text::{decimal_comma, misplaced_quote};
use super::ron_tokens::{Token, TokenKind, Tokens};
use super::syntax_error::SyntaxError;

/// Finds the cause of `error`, which the `ron` crate reported at byte `at` of `text`.
pub(super) fn find(text: &str, at: usize, error: &ron::Error) -> Option<SyntaxError> {
    use ron::Error::*;
    if *error == UnclosedBlockComment {
        let comment = Tokens::new(text).find(|token| token.kind == TokenKind::UnclosedComment)?;
        let span = comment.span.start..comment.span.start + 2;
        return Some(SyntaxError::new(span, "the comment is never closed", "add `*/` at its end"));
    }
    if let Some(found) = misplaced_quote(text).or_else(|| decimal_comma(text, at)) {
        return Some(found);
    }
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
    let mut earlier: Option<Token> = None;
    let mut before: Option<Token> = None;
    let mut tokens = Tokens::new(text);
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
    let before = before?;
    let innermost = open.last();
    let after = before.span.end..before.span.end;
    if matches!(before.kind, TokenKind::String { .. }) && next.is_some() && text[before.span.clone()].contains('\n') {
        return Some(unterminated_string(text, &before.span));
    }
    let Some(next) = next else { return innermost.map(|open| unclosed(text, open, after)) };
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
            return Some(SyntaxError::new(next.span, "unexpected comma", "remove it"));
        }
        _ => {}
    }
    match error {
        ExpectedMapColon => Some(missing_colon(text, &before, &next)),
        UnexpectedChar(_) if text[at..].starts_with('/') => {
            let help = "a fraction is written with a point, such as 0.5; a comment begins with `//`";
            Some(SyntaxError::new(at..at + 1, "unexpected `/`", help))
        }
        UnexpectedChar(',' | ')' | ']') if before.kind == TokenKind::Colon => {
            let name = earlier.map_or("", |name| &text[name.span]);
            let help = format!("write it after the colon, or remove `{name}:`");
            Some(SyntaxError::new(before.span, format!("`{name}` has no value"), help))
        }
        ExpectedComma => Some(missing_comma(text, at, &before, &next)),
        _ => None,
    }
}

fn missing_colon(text: &str, name: &Token, next: &Token) -> SyntaxError {
    let after = name.span.end..name.span.end;
    let name = &text[name.span.clone()];
    if &text[next.span.clone()] == "=" {
        return SyntaxError::new(next.span.clone(), "expected `:`, not `=`", format!("write `{name}: ...`"));
    }
    SyntaxError::new(after, format!("missing colon after `{name}`"), "add `:` here")
}

fn missing_comma(text: &str, at: usize, before: &Token, next: &Token) -> SyntaxError {
    // A whole number was expected, and the error is at the point.
    if at < before.span.end {
        let message = format!("expected a whole number, not {}", &text[before.span.clone()]);
        return SyntaxError::new(before.span.clone(), message, "for example 1");
    }
    let word = &text[before.span.clone()];
    let following = &text[next.span.clone()];
    if following == ";" {
        return SyntaxError::new(next.span.clone(), "expected `,`, not `;`", "write `,`");
    }
    if word.starts_with(char::is_alphabetic) && following.starts_with(|char: char| char.is_ascii_digit()) {
        let message = format!("expected brackets around {following}");
        return SyntaxError::new(next.span.clone(), message, format!("write `{word}({following})`"));
    }
    SyntaxError::new(before.span.end..before.span.end, "missing comma", "add `,` here")
}

/// Whether `text` contains only whitespace and comments.
pub(super) fn is_blank(text: &str) -> bool {
    Tokens::new(text).next().is_none()
}

/// A string without a closing quote extends to the next quote, even in a later line. Only its first line is marked.
fn unterminated_string(text: &str, span: &Range<usize>) -> SyntaxError {
    let first = text[span.clone()].lines().next().unwrap_or_default();
    let span = span.start..span.start + first.len();
    SyntaxError::new(span, "this string has no closing quote", "add `\"` at its end")
}

fn unclosed(text: &str, open: &Token, span: Range<usize>) -> SyntaxError {
    let bracket = text[open.span.clone()].chars().next_back().unwrap_or('(');
    let line = text[..open.span.start].matches('\n').count() + 1;
    let message = format!("the `{bracket}` in line {line} is never closed");
    SyntaxError::new(span, message, format!("add `{}` here", closing(bracket)))
}

fn unmatched(close: char, span: Range<usize>) -> SyntaxError {
    let help = format!("remove it, or add the missing `{}`", opening(close));
    SyntaxError::new(span, format!("unmatched `{close}`"), help)
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
