//! Errors of RON's own in the words of the rest.

use ron::Error;

use super::suggestion::closest_match;

/// What is wrong, and what would be right if the error itself tells.
pub(super) fn words(error: &Error) -> (String, Option<String>) {
    let such = |help: &str| Some(help.to_owned());
    match error {
        Error::NoSuchStructField { expected, found, .. } => {
            (format!("unknown field `{found}`"), meant(found, expected))
        }
        Error::NoSuchEnumVariant { expected, found, .. } => (format!("unknown word `{found}`"), meant(found, expected)),
        Error::MissingStructField { field, .. } => {
            (format!("missing field `{field}`"), Some(format!("add `{field}: ...` before the bracket")))
        }
        Error::DuplicateStructField { field, .. } => {
            (format!("a second field `{field}`"), such("take one of them out"))
        }
        Error::ExpectedChar => ("expected one character in single quotes".into(), such("such as 'G'")),
        Error::ExpectedString => ("expected a text in double quotes".into(), None),
        Error::ExpectedBoolean => ("expected `true` or `false`".into(), None),
        Error::ExpectedFloat | Error::FloatUnderscore => ("expected a number".into(), such("such as 1.5")),
        Error::ExpectedInteger | Error::InvalidIntegerDigit { .. } | Error::UnderscoreAtBeginning => {
            ("expected a whole number".into(), None)
        }
        Error::IntegerOutOfBounds => ("the number is negative or too large".into(), such("such as 1")),
        Error::ExpectedArray => ("expected a list, which begins with `[`".into(), None),
        Error::ExpectedMap => ("expected `{`".into(), None),
        Error::ExpectedStructLike | Error::ExpectedNamedStructLike(_) => ("expected `(`".into(), None),
        Error::ExpectedDifferentStructName { found, .. } => {
            (format!("expected `(`, not `{}`", found.chars().take(40).collect::<String>()), None)
        }
        Error::SuggestRawIdentifier(found) | Error::InvalidIdentifier(found) => {
            (format!("expected a word, not {:?}", found.chars().take(40).collect::<String>()), None)
        }
        Error::ExpectedIdentifier => ("expected the name of a field".into(), None),
        Error::ExpectedAttribute => ("a comment begins with `//`, not with `#`".into(), None),
        Error::TrailingCharacters => ("nothing may follow the last bracket".into(), None),
        Error::UnclosedBlockComment => ("the comment is not closed".into(), such("add `*/`")),
        Error::ExceededRecursionLimit => ("brackets are nested too deep".into(), None),
        Error::Eof => ("the file ends too early".into(), None),
        other => (lower(&other.to_string()), None),
    }
}

fn meant(found: &str, expected: &[&str]) -> Option<String> {
    match closest_match(found, expected) {
        Some(word) => Some(format!("did you mean `{word}`?")),
        None => one_of(expected),
    }
}

/// The words that would do.
pub(super) fn one_of(words: &[&str]) -> Option<String> {
    let all: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    (!all.is_empty()).then(|| format!("known are {}", all.join(", ")))
}

/// RON begins its messages with a capital.
fn lower(message: &str) -> String {
    let mut chars = message.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
