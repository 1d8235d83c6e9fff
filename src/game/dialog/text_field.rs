//! A line of text that the player edits, with a cursor.

use crate::game::action::TextEdit;
use emberwalk_map::MapText;

/// A line of text that the player edits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextField {
    text: String,
    /// The number of bytes before the cursor.
    cursor: usize,
    /// Whether all of it is selected: what is typed replaces it.
    is_selected: bool,
    max_chars: usize,
}

impl TextField {
    /// Creates a field with this text. It takes at most this number of characters, or as many as there are.
    pub fn new(text: impl Into<String>, max_chars: usize) -> Self {
        let text = text.into();
        Self { cursor: text.len(), max_chars: max_chars.max(text.chars().count()), text, is_selected: false }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text before and after the cursor.
    pub fn around_cursor(&self) -> (&str, &str) {
        self.text.split_at(self.cursor)
    }

    /// Whether all of it is selected.
    pub fn is_selected(&self) -> bool {
        self.is_selected && !self.text.is_empty()
    }

    /// Replaces the text.
    pub fn set(&mut self, text: String) {
        (self.cursor, self.text) = (text.len(), text);
    }

    /// Selects all of it, as when the player turns to it.
    pub fn select(&mut self) {
        (self.cursor, self.is_selected) = (self.text.len(), true);
    }

    /// Cancels the selection.
    pub fn deselect(&mut self) {
        self.is_selected = false;
    }

    /// Types a character, if the name of a map may contain it.
    pub fn type_char(&mut self, typed: char) {
        self.delete_selection();
        if MapText::Name.allows(typed) && self.text.chars().count() < self.max_chars {
            self.text.insert(self.cursor, typed);
            self.cursor += typed.len_utf8();
        }
    }

    /// Changes the text, or moves the cursor.
    pub fn edit(&mut self, edit: TextEdit) {
        match edit {
            TextEdit::Backspace | TextEdit::Delete if self.is_selected() => self.delete_selection(),
            TextEdit::Backspace => {
                if let Some(before) = self.text[..self.cursor].chars().next_back() {
                    self.cursor -= before.len_utf8();
                    self.text.remove(self.cursor);
                }
            }
            TextEdit::Delete if self.cursor < self.text.len() => drop(self.text.remove(self.cursor)),
            TextEdit::Delete => {}
            TextEdit::Start => self.cursor = 0,
            TextEdit::End => self.cursor = self.text.len(),
            TextEdit::SelectAll => return self.select(),
        }
        self.is_selected = false;
    }

    /// Moves the cursor by a character: on (1) or back (-1).
    pub fn move_cursor(&mut self, by: i32) {
        let (before, after) = self.around_cursor();
        self.cursor = match by {
            1.. => self.cursor + after.chars().next().map_or(0, char::len_utf8),
            _ => self.cursor - before.chars().next_back().map_or(0, char::len_utf8),
        };
        self.is_selected = false;
    }

    fn delete_selection(&mut self) {
        if std::mem::take(&mut self.is_selected) {
            self.set(String::new());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn type_all(field: &mut TextField, text: &str) {
        text.chars().for_each(|char| field.type_char(char));
    }

    #[test]
    fn characters_of_any_length_are_typed_and_deleted_at_the_cursor() {
        let mut field = TextField::new("", 99);
        type_all(&mut field, "Zürich 火山");
        field.move_cursor(-1);
        field.edit(TextEdit::Backspace);
        field.edit(TextEdit::Start);
        field.move_cursor(1);
        field.edit(TextEdit::Delete);
        field.type_char('ë');
        assert_eq!((field.text(), field.around_cursor()), ("Zërich 山", ("Zë", "rich 山")));
        for _ in 0..20 {
            field.move_cursor(1);
            field.edit(TextEdit::Delete);
        }
        field.edit(TextEdit::End);
        (0..20).for_each(|_| field.edit(TextEdit::Backspace));
        assert_eq!(field.text(), "");
        field.move_cursor(-1);
    }

    #[test]
    fn what_is_typed_replaces_what_is_selected() {
        let mut field = TextField::new("valley", 99);
        field.select();
        type_all(&mut field, "my");
        assert_eq!(field.text(), "my");
        field.select();
        field.move_cursor(-1);
        field.type_char('-');
        assert_eq!(field.text(), "m-y", "a cursor key keeps the text");
        field.edit(TextEdit::SelectAll);
        field.edit(TextEdit::Backspace);
        assert_eq!(field.text(), "");
    }

    #[test]
    fn a_field_takes_no_more_than_its_maximum_and_no_control_characters() {
        let mut field = TextField::new("abcdef", 4);
        field.type_char('g');
        assert_eq!(field.text(), "abcdef", "what was there stays");
        let mut field = TextField::new("", 3);
        type_all(&mut field, "a\r\u{7f}\u{202e}bcd");
        assert_eq!(field.text(), "abc");
    }
}
