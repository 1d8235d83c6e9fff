//! Pastes text into fields, and shows why a text was not pasted: the engine would ignore it silently.

use bevy::clipboard::Clipboard;
use bevy::prelude::*;
use bevy::text::{EditableText, TextEdit};
use bevy::ui::UiSystems;

use crate::game::screen::notice::Notice;
use emberwalk_map::MapText;
use emberwalk_map::diagnostics::counted;

/// The text that a field takes.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::game) struct FieldLimits {
    pub max_chars: usize,
    /// Whether it takes only digits and a sign.
    pub is_number: bool,
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(PostUpdate, paste.before(UiSystems::Content));
}

impl FieldLimits {
    /// Whether a field may contain this character.
    pub(in crate::game) fn allows(self, char: char) -> bool {
        if self.is_number { char.is_ascii_digit() || char == '-' } else { MapText::Name.allows(char) }
    }

    /// A copied text as one line, or why it does not fit into a field with room for this many characters.
    pub(in crate::game) fn fit(self, text: &str, room: usize) -> Result<String, String> {
        let line = text.trim().replace(char::is_whitespace, " ");
        let length = line.chars().count();
        if length > room {
            let length = counted(length, "character");
            return Err(format!("The text was not pasted: it has {length}, and there is room for {room}."));
        }
        match line.chars().find(|char| !self.allows(*char)) {
            None => Ok(line),
            Some(_) if self.is_number => Err("The text was not pasted: only a whole number fits here.".into()),
            Some(char) => {
                let char = char.escape_default();
                Err(format!("The text was not pasted: it has the invisible character {char}."))
            }
        }
    }
}

/// Inserts a copied text in place of the selection, or shows why that is not possible.
pub(in crate::game) fn insertion(field: &EditableText, limits: FieldLimits, copied: &str) -> Result<TextEdit, Notice> {
    let selected = field.editor.selected_text().map_or(0, |text| text.chars().count());
    let selects_all = |edit: &TextEdit| matches!(edit, TextEdit::SelectAll);
    let all = field.value().to_string().chars().count();
    let kept = if field.pending_edits.iter().any(selects_all) { 0 } else { all - selected };
    let line = limits.fit(copied, limits.max_chars.saturating_sub(kept)).map_err(Notice)?;
    Ok(TextEdit::Insert(line.into()))
}

/// Replaces each request to paste by the copied text.
fn paste(
    mut fields: Query<(&mut EditableText, &FieldLimits), Changed<EditableText>>,
    clipboard: Option<ResMut<Clipboard>>,
    mut notices: MessageWriter<Notice>,
) {
    let Some(mut clipboard) = clipboard else { return };
    for (mut field, limits) in &mut fields {
        let Some(at) = field.pending_edits.iter().position(|edit| matches!(edit, TextEdit::Paste)) else { continue };
        let copied = match clipboard.fetch_text().poll_result() {
            Some(Ok(copied)) => copied,
            Some(Err(_)) => {
                notices.write(Notice("Nothing was pasted: the clipboard has no text.".into()));
                String::new()
            }
            // A browser asks its user first; the engine waits for the answer.
            None => continue,
        };
        let mut later = field.pending_edits.split_off(at);
        later.retain(|edit| !matches!(edit, TextEdit::Paste));
        if !copied.is_empty() {
            match insertion(&field, *limits, &copied) {
                Ok(insert) => field.queue_edit(insert),
                Err(refusal) => drop(notices.write(refusal)),
            }
        }
        field.pending_edits.extend(later);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: FieldLimits = FieldLimits { max_chars: 20, is_number: false };
    const NUMBER: FieldLimits = FieldLimits { is_number: true, ..NAME };

    #[test]
    fn a_copied_text_becomes_one_line_or_is_refused_with_a_reason() {
        assert_eq!(NAME.fit(" My\tisle\r\n", 20), Ok("My isle".into()));
        assert_eq!(NUMBER.fit("-12\n", 20), Ok("-12".into()));
        let refused = |limits: FieldLimits, text: &str, room| limits.fit(text, room).unwrap_err();
        assert!(refused(NAME, "a\u{1b}[31m", 20).ends_with(r"it has the invisible character \u{1b}."));
        assert!(refused(NAME, "a\u{202e}b", 20).ends_with(r"it has the invisible character \u{202e}."));
        assert!(refused(NUMBER, "twelve", 20).ends_with("only a whole number fits here."));
        let huge = "x".repeat(1 << 20);
        assert!(refused(NAME, &huge, 5).ends_with("it has 1048576 characters, and there is room for 5."));
    }

    #[test]
    fn a_copied_text_takes_the_room_of_the_selection_and_the_rest_of_the_field() {
        let pasted = |field: &EditableText, copied: &str| match insertion(field, NAME, copied) {
            Ok(TextEdit::Insert(text)) => Some(text.to_string()),
            Ok(_) => panic!("nothing else is inserted"),
            Err(Notice(_)) => None,
        };
        let mut field = EditableText::new("twelve chars");
        assert_eq!(pasted(&field, "12345678"), Some("12345678".into()));
        assert_eq!(pasted(&field, "123456789"), None, "21 characters do not fit");
        field.queue_edit(TextEdit::SelectAll);
        assert_eq!(pasted(&field, "123456789"), Some("123456789".into()));
    }
}
