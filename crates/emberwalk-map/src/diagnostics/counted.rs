//! Formats numbers with their nouns.

/// The number and its noun, with an `s` for every number but 1.
///
/// ```
/// use emberwalk_map::diagnostics::counted;
/// assert_eq!([counted(1, "row"), counted(2, "row"), counted(0, "row")], ["1 row", "2 rows", "0 rows"]);
/// ```
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
