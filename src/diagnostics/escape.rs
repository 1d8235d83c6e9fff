//! Text that a terminal shows rather than obeys.

use std::borrow::Cow;

/// The text with control characters, and those that change the direction of writing or cannot be seen, written as
/// escapes such as `\u{1b}`.
///
/// ```
/// use emberwalk::diagnostics::visible;
/// assert_eq!(escape_invisible("Zürich 火山"), "Zürich 火山");
/// assert_eq!(escape_invisible("a\u{1b}[31mb\n"), r"a\u{1b}[31mb\n");
/// ```
pub fn escape_invisible(text: &str) -> Cow<'_, str> {
    if !text.contains(hidden) {
        return text.into();
    }
    let escaped = |char: char| {
        if hidden(char) { char.escape_default().to_string() } else { char.to_string() }
    };
    text.chars().map(escaped).collect::<String>().into()
}

/// One character of a source line as it is shown, in one column where it has none of its own and `marked` is set: a
/// mark has to stand under something.
pub(super) fn glyph(char: char, marked: bool, line: &mut String) {
    match char {
        '\t' => line.push(if marked { '→' } else { ' ' }),
        '\0'..='\x1f' => line.extend(char::from_u32(0x2400 + u32::from(char))),
        '\x7f' => line.push('␡'),
        _ if char.is_control() => line.push(char::REPLACEMENT_CHARACTER),
        _ if hidden(char) || variation(char) => line.push('◌'),
        _ => {
            if marked && combining(char) {
                line.push('◌');
            }
            line.push(char);
        }
    }
}

/// Whether a terminal would obey `char`, or show nothing of it.
fn hidden(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Whether `char` chooses the shape of the one before it.
fn variation(char: char) -> bool {
    matches!(char, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Whether `char` is drawn over the one before it; of the blocks that have nothing else.
fn combining(char: char) -> bool {
    matches!(char, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}
