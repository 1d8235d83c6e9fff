//! Rewords the errors of the `ron` crate for people who have never heard of RON.

use ron::Error;

use super::counted::counted;
use super::suggestion::closest_match;

/// The message, and the help if the error itself suggests a fix. `rest` is the text from the error on.
pub(super) fn message_and_help(error: &Error, rest: &str) -> (String, Option<String>) {
    let help = |help: &str| Some(help.to_owned());
    match error {
        Error::ExpectedChar if rest.starts_with('\'') => {
            ("single quotes are for exactly one character".into(), help("for example 'G'; a text is written \"GGG\""))
        }
        Error::ExpectedIdentifier if rest.starts_with('"') => ("expected a word without quotes".into(), None),
        Error::ExpectedIdentifier if rest.starts_with('[') => ("expected a word, not a list".into(), None),
        Error::TrailingCharacters if is_fraction(rest) => ("expected a whole number".into(), None),
        Error::UnexpectedChar('“' | '”' | '„' | '«' | '»') => {
            ("this is not a straight quote".into(), help("write `\"` at both ends of a text"))
        }
        Error::UnexpectedChar('‘' | '’' | '‚') => {
            ("this is not a straight quote".into(), help("write `'` at both ends of a character"))
        }
        Error::UnexpectedChar(char) => (format!("unexpected {char:?}"), None),
        Error::ExpectedArrayEnd => ("expected `]`".into(), None),
        Error::ExpectedMapEnd => ("expected `}`".into(), None),
        Error::ExpectedOptionEnd | Error::ExpectedStructLikeEnd => ("expected `)`".into(), None),
        Error::ExpectedMapColon => ("expected `:`".into(), None),
        Error::ExpectedComma => ("expected `,`".into(), None),
        Error::InvalidEscape(_) => ("unknown escape in a string".into(), help("write `\\\\` for a backslash")),
        Error::InvalidValueForType { expected, found } => (format!("expected {expected}, not {found}"), None),
        Error::ExpectedDifferentLength { expected, found } => {
            (format!("expected {expected}, not of {}", counted(*found, "element")), None)
        }
        Error::NoSuchStructField { expected, found, .. } => {
            (format!("unknown field `{found}`"), did_you_mean(found, expected))
        }
        Error::NoSuchEnumVariant { expected, found, .. } => {
            (format!("unknown value `{found}`"), did_you_mean(found, expected))
        }
        Error::MissingStructField { field, .. } => {
            (format!("missing field `{field}`"), Some(format!("add `{field}: ...` before the closing bracket")))
        }
        Error::DuplicateStructField { field, .. } => (format!("duplicate field `{field}`"), help("remove one of them")),
        Error::ExpectedChar => ("expected one character in single quotes".into(), help("for example 'G'")),
        Error::ExpectedString => ("expected a string in double quotes".into(), None),
        Error::ExpectedBoolean => ("expected `true` or `false`".into(), None),
        Error::ExpectedFloat | Error::FloatUnderscore => ("expected a number".into(), help("for example 1.5")),
        Error::ExpectedInteger | Error::InvalidIntegerDigit { .. } | Error::UnderscoreAtBeginning => {
            ("expected a whole number".into(), None)
        }
        Error::IntegerOutOfBounds => ("the number is negative or too large".into(), help("for example 1")),
        Error::ExpectedArray => ("expected a list, which begins with `[`".into(), None),
        Error::ExpectedMap => ("expected `{`".into(), None),
        Error::ExpectedStructLike | Error::ExpectedNamedStructLike(_) => ("expected `(`".into(), None),
        Error::ExpectedDifferentStructName { found, .. } => (format!("expected `(`, not `{}`", shortened(found)), None),
        Error::SuggestRawIdentifier(found) | Error::InvalidIdentifier(found) => {
            (format!("expected a word, not `{}`", shortened(found)), None)
        }
        Error::ExpectedIdentifier => ("expected the name of a field".into(), None),
        Error::ExpectedAttribute => ("a comment begins with `//`, not with `#`".into(), None),
        Error::TrailingCharacters => ("unexpected text after the last bracket".into(), None),
        Error::ExceededRecursionLimit => ("the brackets are nested too deeply".into(), None),
        Error::Eof => ("the file ends unexpectedly".into(), None),
        other => (lowercase_first(&other.to_string()), None),
    }
}

/// Whether the text goes on with the digits after a decimal point.
fn is_fraction(rest: &str) -> bool {
    rest.strip_prefix('.').is_some_and(|digits| digits.starts_with(|char: char| char.is_ascii_digit()))
}

fn shortened(found: &str) -> String {
    found.chars().take(40).collect()
}

fn did_you_mean(found: &str, expected: &[&str]) -> Option<String> {
    match closest_match(found, expected) {
        Some(word) => Some(format!("did you mean `{word}`?")),
        None => one_of(expected),
    }
}

/// Lists the possible words; `None` if there are none.
pub(super) fn one_of(words: &[&str]) -> Option<String> {
    let all: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    (!all.is_empty()).then(|| format!("expected one of {}", all.join(", ")))
}

/// Messages of the `ron` crate begin with a capital letter, ours do not.
fn lowercase_first(message: &str) -> String {
    let mut chars = message.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
