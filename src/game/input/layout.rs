//! The meaning of keys on keyboards of other layouts. A Cyrillic, Greek or Hebrew keyboard has no Latin letters, so its
//! keys count by their places on a US keyboard. Latin layouts have their letters elsewhere, and their keys count by the
//! letters that they type.

use std::ops::RangeInclusive;

use bevy::input::keyboard::{Key, KeyboardInput};

/// The Latin letters beyond ASCII. All other letters belong to other scripts.
const LATIN: [RangeInclusive<char>; 7] = [
    '\u{aa}'..='\u{36f}',
    '\u{1d00}'..='\u{1dbf}',
    '\u{1e00}'..='\u{1eff}',
    // Signs that every layout may have: dashes, quotation marks, currencies, arrows.
    '\u{2000}'..='\u{2bff}',
    '\u{2c60}'..='\u{2c7f}',
    '\u{a720}'..='\u{a7ff}',
    '\u{ab30}'..='\u{ab6f}',
];

/// Knowledge about the layout from pressed keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) struct Layout {
    /// Whether the last letter was of another script than Latin. Some of the other keys for letters then type signs: on a
    /// Hebrew keyboard, Q is a slash.
    is_of_other_script: bool,
}

impl Layout {
    /// Notes the characters that a key types; `None` if it types none. Capitals are Latin on Hebrew keyboards, too.
    pub fn note(&mut self, typed: Option<&str>) {
        match typed.and_then(|typed| typed.chars().next()) {
            Some(char) if is_of_other_script(char) => self.is_of_other_script = true,
            Some('a'..='z') => self.is_of_other_script = false,
            _ => {}
        }
    }

    /// The small letter or the sign that a key means: the character that it types, or, if the layout has no Latin
    /// letters, `there`, the character of the key on a US keyboard.
    pub fn meaning(self, typed: Option<&str>, there: Option<char>) -> Option<char> {
        let typed = typed.and_then(|typed| typed.chars().next()?.to_lowercase().next());
        match typed {
            Some('a'..='z') => typed,
            Some(char) if is_of_other_script(char) => there,
            _ if self.is_of_other_script && there.is_some_and(char::is_alphabetic) => there,
            _ => typed,
        }
    }
}

/// The characters that a key types; `None` for keys such as Enter, and for dead keys.
pub(in crate::game) fn typed(input: &KeyboardInput) -> Option<&str> {
    if let Key::Character(typed) = &input.logical_key { Some(typed) } else { None }
}

fn is_of_other_script(char: char) -> bool {
    !char.is_ascii() && !LATIN.iter().any(|range| range.contains(&char))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The meaning of a key after this letter was typed.
    fn meaning(before: &str, typed: &str, there: char) -> Option<char> {
        let mut layout = Layout::default();
        layout.note(Some(before));
        layout.note(Some(typed));
        layout.meaning(Some(typed), Some(there))
    }

    #[test]
    fn letters_of_other_scripts_count_by_their_places() {
        let letters = [
            ("Russian", "м", 'v'),
            ("Russian, with Caps Lock", "М", 'v'),
            ("Russian", "б", ','),
            ("Serbian", "љ", 'q'),
            ("Bulgarian", "ь", 'a'),
            ("Greek", "ψ", 'c'),
            ("Greek", "ς", 'w'),
            ("Hebrew", "ה", 'v'),
            ("Arabic, two letters", "لا", 'b'),
            ("Armenian", "ս", 's'),
            ("Georgian", "ს", 's'),
            ("Thai, a mark above a letter", "\u{e49}", 'h'),
            ("Hindi, a mark below a letter", "\u{94d}", 'd'),
            ("Japanese", "ち", 'a'),
            ("Japanese, narrow", "ﾁ", 'a'),
            ("Korean", "ㅁ", 'a'),
            ("wide Latin letters", "ａ", 'a'),
        ];
        for (layout, typed, there) in letters {
            assert_eq!(meaning("", typed, there), Some(there), "{layout}");
        }
    }

    #[test]
    fn latin_letters_and_signs_count_by_what_they_are() {
        let letters = [
            ("Dvorak", "v", '.', 'v'),
            ("AZERTY", "Q", 'a', 'q'),
            ("AZERTY", ",", 'm', ','),
            ("Dvorak", "'", 'q', '\''),
            ("Turkish", "ı", 'i', 'ı'),
            ("Turkish, with Caps Lock", "İ", '\'', 'i'),
            ("Turkish F", "ğ", 'e', 'ğ'),
            ("Bépo", "é", 'w', 'é'),
            ("Azerbaijani", "ə", '\'', 'ə'),
            ("Vietnamese", "ư", '[', 'ư'),
            ("a euro", "€", 'e', '€'),
            ("a quotation mark", "“", 'v', '“'),
        ];
        for (layout, typed, there, meant) in letters {
            assert_eq!(meaning("v", typed, there), Some(meant), "{layout}");
        }
    }

    #[test]
    fn where_a_layout_has_other_letters_its_other_keys_for_letters_count_by_their_places_too() {
        for (layout, letter, sign, there) in [
            ("Hebrew", "ש", "/", 'q'),
            ("Hebrew", "ש", "'", 'w'),
            ("Greek", "α", ";", 'q'),
            ("Bulgarian", "ь", ",", 'q'),
        ] {
            assert_eq!(meaning(letter, sign, there), Some(there), "{layout}");
            assert_ne!(meaning("a", sign, there), Some(there), "{layout} after another layout");
        }
        let mut hebrew = Layout::default();
        hebrew.note(Some("ש"));
        hebrew.note(Some("A"));
        assert_eq!(hebrew.meaning(None, Some('q')), Some('q'), "a dead key, after a capital");
        assert_eq!(hebrew.meaning(Some(","), Some('\'')), Some(','), "a sign stays where it is");
        assert_eq!(hebrew.meaning(None, None), None);
    }
}
