//! Formats numbers with their nouns, and long lists.

use std::fmt::Display;

/// The number and its noun, with an `s` for every number but 1.
///
/// ```
/// use emberwalk_map::diagnostics::counted;
/// assert_eq!([counted(1, "row"), counted(2, "row"), counted(0, "row")], ["1 row", "2 rows", "0 rows"]);
/// ```
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// The text with a capital first letter, as at the beginning of a sentence.
///
/// ```
/// use emberwalk_map::diagnostics::capitalised;
/// assert_eq!([capitalised("snow"), capitalised("")], ["Snow", ""]);
/// ```
pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// A text as a sentence, with a capital first letter and a full stop.
///
/// ```
/// use emberwalk_map::diagnostics::as_sentence;
/// assert_eq!(as_sentence("the tent stands there"), "The tent stands there.");
/// ```
pub fn as_sentence(text: impl Display) -> String {
    format!("{}.", capitalised(&text.to_string()))
}

/// The first `max` items, and how many more there are.
///
/// ```
/// use emberwalk_map::diagnostics::listed;
/// assert_eq!(listed([3, 4].iter(), 2), "3, 4");
/// assert_eq!(listed([3, 4, 5, 6].iter(), 2), "3, 4 and 2 more");
/// ```
pub fn listed(items: impl ExactSizeIterator<Item: Display>, max: usize) -> String {
    let more = items.len().saturating_sub(max);
    let first: Vec<_> = items.take(max).map(|item| item.to_string()).collect();
    let first = first.join(", ");
    if more == 0 { first } else { format!("{first} and {more} more") }
}
