//! Finds the text of a field in the source of a tileset, even if the source cannot be parsed.

/// Whether `text` contains a field called `name`.
pub(super) fn has_field(text: &str, name: &str) -> bool {
    find(text, name).is_some()
}

/// The text of the field called `name`, including its name; the first character of `text` if there is no such field.
pub(super) fn field<'a>(text: &'a str, name: &str) -> &'a str {
    let Some(start) = find(text, name) else { return opening(text) };
    let mut depth = 0;
    let end = text[start..].find(|c: char| {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        depth < 0 || c == '\n' || depth == 0 && c == ','
    });
    &text[start..end.map_or(text.len(), |end| start + end)]
}

/// The bracket at the start of `text`.
pub(super) fn opening(text: &str) -> &str {
    text.get(..1).unwrap_or_default()
}

fn find(text: &str, name: &str) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut candidates = text.match_indices(name).map(|(at, _)| at);
    candidates.find(|&at| {
        let after = text[at + name.len()..].trim_start();
        !text[..at].ends_with(is_word) && after.starts_with(':')
    })
}
