//! Escapes characters that a terminal would interpret or hide.

use std::borrow::Cow;

/// Replaces control characters, invisible characters and marks for the writing direction with escapes such as `\u{1b}`.
///
/// ```
/// use emberwalk_map::diagnostics::escape_invisible;
/// assert_eq!(escape_invisible("Zürich 火山"), "Zürich 火山");
/// assert_eq!(escape_invisible("a\u{1b}[31mb\n"), r"a\u{1b}[31mb\n");
/// ```
pub fn escape_invisible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_invisible) {
        return text.into();
    }
    let escaped = |char: char| {
        if is_invisible(char) { char.escape_default().to_string() } else { char.to_string() }
    };
    text.chars().map(escaped).collect::<String>().into()
}

/// Appends one character of a source line to `line` as it is displayed. If it `is_marked`, it takes up at least one
/// column, which leaves room for the mark under it.
pub(super) fn push_displayed(char: char, is_marked: bool, line: &mut String) {
    match char {
        '\t' => line.push(if is_marked { '→' } else { ' ' }),
        '\0'..='\x1f' => line.extend(char::from_u32(0x2400 + u32::from(char))),
        '\x7f' => line.push('␡'),
        _ if char.is_control() => line.push(char::REPLACEMENT_CHARACTER),
        _ if is_invisible(char) || is_variation_selector(char) => line.push('◌'),
        _ => {
            if is_marked && is_combining(char) {
                line.push('◌');
            }
            line.push(char);
        }
    }
}

/// Whether a terminal would interpret `char`, or show nothing for it.
fn is_invisible(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Whether `char` selects the shape of the character before it.
fn is_variation_selector(char: char) -> bool {
    matches!(char, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Whether `char` is drawn over the character before it. Covers the Unicode blocks that contain only such characters.
fn is_combining(char: char) -> bool {
    matches!(char, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}
