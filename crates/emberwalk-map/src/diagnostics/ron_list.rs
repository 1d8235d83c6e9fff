//! Finds the items of a list in a RON text, even if the end of the text is missing.

use std::ops::Range;

use super::ron_tokens::{TokenKind, Tokens};

/// The items of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RonList {
    /// The bytes of each whole item, in order.
    pub items: Vec<Range<usize>>,
    /// The byte after the list; `None` if its end is missing.
    pub end: Option<usize>,
}

/// Finds the list that is the value of `field` in the outermost struct of a RON text. The text may be invalid. An item
/// at the end of a text is whole if its last bracket is closed. O(length of the text).
///
/// ```
/// use emberwalk_map::diagnostics::ron_list;
/// let text = "(format: 1, entries: [(1, a(\"]\")), (2, b), (3, c";
/// let list = ron_list(text, "entries").unwrap();
/// assert_eq!(list.items.iter().map(|item| &text[item.clone()]).collect::<Vec<_>>(), ["(1, a(\"]\"))", "(2, b)"]);
/// assert_eq!(list.end, None);
/// ```
pub fn ron_list(text: &str, field: &str) -> Option<RonList> {
    // Most texts do not even have the word.
    if !text.contains(field) {
        return None;
    }
    let mut tokens = Tokens::new(text);
    skip_to_field(&mut tokens, text, field)?;
    let mut list = RonList::default();
    let mut depth = 0_usize;
    // The item that has begun, up to the last token, and whether that closes a bracket.
    let mut item: Option<(Range<usize>, bool)> = None;
    for token in tokens {
        let closes = matches!(token.kind, TokenKind::Close(_));
        match token.kind {
            TokenKind::Close(_) if depth == 0 => {
                list.end = Some(token.span.end);
                break;
            }
            TokenKind::Comma if depth == 0 => {
                list.items.extend(item.take().map(|(span, _)| span));
                continue;
            }
            TokenKind::UnclosedComment => break,
            TokenKind::Open(_) => depth += 1,
            TokenKind::Close(_) => depth -= 1,
            _ => {}
        }
        let start = item.map_or(token.span.start, |(span, _)| span.start);
        item = Some((start..token.span.end, closes && depth == 0));
    }
    let is_whole = |is_closed: bool| is_closed || list.end.is_some();
    list.items.extend(item.filter(|(_, is_closed)| is_whole(*is_closed)).map(|(span, _)| span));
    Some(list)
}

/// Skips everything up to the bracket that opens the list.
fn skip_to_field(tokens: &mut Tokens<'_>, text: &str, field: &str) -> Option<()> {
    let mut depth = 0_usize;
    let mut is_name = false;
    let mut is_value = false;
    for token in tokens {
        match token.kind {
            TokenKind::Open('[') if is_value => return Some(()),
            TokenKind::Open(_) => depth += 1,
            TokenKind::Close(_) => depth = depth.checked_sub(1)?,
            _ => {}
        }
        is_value = is_name && token.kind == TokenKind::Colon;
        is_name = depth == 1 && text[token.span] == *field;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &str) -> Option<(Vec<&str>, Option<&str>)> {
        let RonList { items, end } = ron_list(text, "list")?;
        Some((items.into_iter().map(|item| &text[item]).collect(), end.map(|end| &text[end..])))
    }

    #[test]
    fn items_are_found_up_to_the_end_of_the_text() {
        let text = "// list: [\n(a: (list: [1]), list: [(1, r#\"])\"#), /* , */ 2, (3, ['\\'', ')'])], b: 4)";
        let all = vec!["(1, r#\"])\"#)", "2", "(3, ['\\'', ')'])"];
        assert_eq!(items(text), Some((all.clone(), Some(", b: 4)"))));
        for end in 0..text.len() {
            let Some((found, rest)) = items(&text[..end]) else { continue };
            assert_eq!(found, all[..found.len()], "{}", &text[..end]);
            assert!(rest.is_none() || found.len() == 3);
        }
        assert_eq!(items("(list: [(1), (2)").unwrap().0, ["(1)", "(2)"]);
        assert_eq!(items("(list: [(1), 2").unwrap().0, ["(1)"]);
        assert_eq!(items("(list: [(1), /* (2)").unwrap().0, ["(1)"]);
    }

    #[test]
    fn a_text_without_the_list_has_none() {
        for text in ["", "(", "list: [1]", "(list: (1))", "(other: [1])", "))(list: [1]", "(\"list\": [1]"] {
            assert_eq!(items(text), None, "{text}");
        }
    }
}
