//! Finds mistakes that the `ron` crate misinterprets: a missing opening quote, and a comma inside a number.

use super::ron_tokens::{Token, TokenKind, Tokens};
use super::syntax_error::SyntaxError;

/// Finds a word that touches a string: its opening quote is missing, or there is a quote too many before it.
pub(super) fn misplaced_quote(text: &str) -> Option<SyntaxError> {
    let is_string = |token: &Token| matches!(token.kind, TokenKind::String { .. });
    let is_word =
        |token: &Token| token.kind == TokenKind::Other && !["=", ";", "'"].contains(&&text[token.span.clone()]);
    let mut earlier: Option<Token> = None;
    let mut before: Option<Token> = None;
    for token in Tokens::new(text) {
        if let Some(word) = before.as_ref().filter(|before| is_word(before) && before.span.end == token.span.start)
            && is_string(&token)
        {
            let touching = earlier.filter(|earlier| is_string(earlier) && earlier.span.end == word.span.start);
            if let Some(string) = touching {
                // A string that continues in the next line lacks its closing quote.
                let is_one_line = !text[string.span].contains('\n');
                return is_one_line.then(|| surplus_quote(text, word));
            }
            return Some(missing_opening_quote(text, word));
        }
        earlier = before.replace(token);
    }
    None
}

fn surplus_quote(text: &str, word: &Token) -> SyntaxError {
    let message = format!("unexpected text after a closing quote: `{}`", &text[word.span.clone()]);
    let help = "remove the quote before it, or write `\\\"` for a quote inside a string";
    SyntaxError::new(word.span.start - 1..word.span.end, message, help)
}

/// `word` is the last word before the closing quote; the string may have begun earlier in its line.
fn missing_opening_quote(text: &str, word: &Token) -> SyntaxError {
    let line_start = text[..word.span.start].rfind('\n').map_or(0, |at| at + 1);
    let line = &text[line_start..word.span.start];
    let from = line.rfind(['[', '(', ',', ':']).map_or(0, |at| at + 1);
    let blank = line[from..].len() - line[from..].trim_start().len();
    let span = line_start + from + blank..word.span.end + 1;
    SyntaxError::new(span, "this string has no opening quote", "add `\"` at its start")
}

/// Finds a number with a comma, such as `1,5`, at or just before byte `at`. In a list, these are two numbers.
pub(super) fn decimal_comma(text: &str, at: usize) -> Option<SyntaxError> {
    let is_number = |token: &Token| {
        let digits = text[token.span.clone()].trim_start_matches('-');
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut open = Vec::new();
    let mut earlier: Option<Token> = None;
    let mut before: Option<Token> = None;
    for token in Tokens::new(text).take_while(|token| token.span.start <= at) {
        match token.kind {
            TokenKind::Open(bracket) => open.push(bracket),
            TokenKind::Close(_) => drop(open.pop()),
            _ => {}
        }
        if let (Some(whole), Some(comma)) = (&earlier, &before)
            && comma.kind == TokenKind::Comma
            && (whole.span.end, comma.span.end) == (comma.span.start, token.span.start)
            && is_number(whole)
            && is_number(&token)
            && token.span.end >= at
            && open.last() != Some(&'[')
        {
            let whole = &text[whole.span.clone()];
            let fraction = &text[token.span.clone()];
            let span = comma.span.start - whole.len()..token.span.end;
            let help = format!("write `{whole}.{fraction}`");
            return Some(SyntaxError::new(span, "a fraction is written with a point, not with a comma", help));
        }
        earlier = before.replace(token);
    }
    None
}
