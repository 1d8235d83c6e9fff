//! The panel of the dialog that is open. It covers the window, so that clicks do not reach the map.

use bevy::picking::hover::Hovered;
use bevy::prelude::*;
use bevy::text::LineBreak;

use crate::game::app_systems::AppSystems;
use crate::game::dialog::form::{Field, Form, List, Value};
use crate::game::dialog::text_field::TextField;
use crate::game::dialog::{Dialog, FocusedField, OpenDialog};
use crate::game::input::action::{Action, DialogInput};
use crate::game::input::scroll_area::ScrollArea;

use super::scroll_bar::spawn_scroll_area;
use super::widgets::{
    GOLD, MUTED, TEXT, WARNING, button, button_row, cover, key_button, opaque_panel, printable, text, text_button,
    text_column, title, wrapped,
};

/// The width of the panel and of the column with the labels, in logical pixels.
const WIDTH: f32 = 560.0;
const LABELS: f32 = 104.0;

/// The number of characters of a text that are seen at once, and of a number.
const VISIBLE: usize = 46;
const DIGITS: f32 = 84.0;

/// The height of a row of the list, in logical pixels, and how many are seen above the chosen one.
const ROW: f32 = 25.0;
const ROWS_ABOVE: f32 = 4.0;

/// The part of the window's height that the list may take.
const LIST_HEIGHT: f32 = 46.0;

/// The background of a text that is selected.
const SELECTION: Color = Color::srgba(0.75, 0.62, 0.38, 0.45);

/// The longest name of a map in the list, in characters.
const MAX_NAME: usize = 60;

#[derive(Component)]
struct DialogPanel;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, show.run_if(resource_changed::<OpenDialog>).in_set(AppSystems::Show));
}

/// Makes the panel again: there are few nodes, and they change only with what the player does.
fn show(dialog: Res<OpenDialog>, old: Query<Entity, With<DialogPanel>>, mut commands: Commands) {
    old.iter().for_each(|panel| commands.entity(panel).despawn());
    let Some(dialog) = dialog.get() else { return };
    let shade = BackgroundColor(Color::BLACK.with_alpha(0.45));
    // It is hovered like a panel, so that clicks do not reach the map.
    commands.spawn((cover(), shade, Hovered::default(), GlobalZIndex(15), DialogPanel)).with_children(|cover| {
        let node = Node { width: px(WIDTH), max_width: percent(100), max_height: percent(100), ..default() };
        let column = Node { padding: UiRect::axes(px(14), px(12)), row_gap: px(8), ..text_column(node) };
        cover.spawn(opaque_panel(column)).with_children(|rows| {
            rows.spawn(title(dialog.title()));
            spawn_scroll_area(rows, auto(), ScrollArea { takes_keys: false }, |rows| spawn_fields(rows, dialog.form()));
            if let Some(list) = &dialog.form().list {
                spawn_list(rows, list);
            }
            spawn_end(rows, dialog);
        });
    });
}

fn spawn_fields(rows: &mut ChildSpawnerCommands, form: &Form) {
    for (index, field) in form.fields.iter().enumerate().filter(|(_, field)| field.is_shown) {
        let has_focus = form.focus == index;
        let row = Node { align_items: AlignItems::Center, margin: UiRect::vertical(px(3)), ..default() };
        rows.spawn((row, Pickable::IGNORE)).with_children(|row| {
            let label = Node { width: px(LABELS), flex_shrink: 0.0, ..default() };
            let colour = if has_focus { GOLD } else { MUTED };
            row.spawn((label, Pickable::IGNORE)).with_child(text(field.label, colour));
            spawn_value(row, index, field, has_focus);
        });
    }
}

fn spawn_value(row: &mut ChildSpawnerCommands, index: usize, field: &Field, has_focus: bool) {
    match &field.value {
        Value::Text(text) => spawn_box(row, index, text, has_focus, Node { flex_grow: 1.0, ..default() }),
        Value::Number(number, range) => {
            spawn_box(row, index, number, has_focus, Node { width: px(DIGITS), ..default() });
            row.spawn(button_row())
                .insert(Node { column_gap: px(4), margin: UiRect::left(px(6)), flex_shrink: 0.0, ..default() })
                .with_children(|row| {
                    let steps: &[i32] = if range.end() - range.start() > 10_000 { &[-1, 1] } else { &[-10, -1, 1, 10] };
                    for by in steps {
                        row.spawn(text_button(
                            Action::Dialog(DialogInput::Add { field: index, by: *by }),
                            format!("{by:+}"),
                            TEXT,
                        ));
                    }
                });
        }
        Value::Choice(values, chosen) => {
            row.spawn(button_row()).with_children(|row| {
                for (value, name) in values.iter().enumerate() {
                    let colour = if value == *chosen { GOLD } else { TEXT };
                    let outline = if value == *chosen && has_focus { GOLD } else { Color::NONE };
                    row.spawn(button(Action::Dialog(DialogInput::Choose { field: index, value })))
                        .insert(Outline { width: px(1), offset: px(-1), color: outline })
                        .with_child(text(name, colour));
                }
            });
        }
    }
}

/// Spawns a box with a text that can be edited, and the cursor if it has the keyboard.
fn spawn_box(row: &mut ChildSpawnerCommands, index: usize, field: &TextField, has_focus: bool, node: Node) {
    let node = Node {
        padding: UiRect::axes(px(6), px(4)),
        min_height: px(25),
        min_width: px(0),
        overflow: Overflow::clip(),
        border_radius: BorderRadius::all(px(3)),
        align_items: AlignItems::Center,
        ..node
    };
    let outline = Outline { width: px(1), offset: px(-1), color: if has_focus { GOLD } else { Color::NONE } };
    let is_selected = has_focus && field.is_selected();
    let mut field_box = row.spawn(button(Action::Dialog(DialogInput::Focus(index))));
    if has_focus {
        field_box.insert(FocusedField);
    }
    field_box.insert((node, outline)).with_children(|inside| {
        let (before, after) = seen(field);
        let selection = BackgroundColor(if is_selected { SELECTION } else { Color::NONE });
        inside.spawn((part(before), selection));
        if has_focus {
            let cursor = Node { width: px(2), height: px(15), flex_shrink: 0.0, ..default() };
            inside.spawn((cursor, BackgroundColor(GOLD), Pickable::IGNORE));
        }
        inside.spawn((part(after), selection));
    });
}

/// Returns a part of a text, in one line.
fn part(content: String) -> impl Bundle {
    (text(content, TEXT), TextLayout::new(Justify::Start, LineBreak::NoWrap))
}

/// Returns what is seen of a text before and after its cursor.
fn seen(field: &TextField) -> (String, String) {
    let (before, after) = field.around_cursor();
    // A space at the end of a text would have no width.
    let shown = |char: char| match char {
        ' ' => '\u{a0}',
        char if char.is_control() => '¶',
        char => char,
    };
    let hidden = before.chars().count().saturating_sub(VISIBLE - 1);
    let before: String = before.chars().skip(hidden).map(shown).collect();
    let dots = if hidden > 0 { "…" } else { "" };
    let room = VISIBLE.saturating_sub(before.chars().count());
    (format!("{dots}{before}"), after.chars().take(room).map(shown).collect())
}

fn spawn_list(rows: &mut ChildSpawnerCommands, list: &List) {
    let area = spawn_scroll_area(rows, vh(LIST_HEIGHT), ScrollArea { takes_keys: false }, |area| {
        for (index, entry) in list.entries.iter().enumerate() {
            let colour = if index == list.chosen { GOLD } else { TEXT };
            let outline = if index == list.chosen { GOLD } else { Color::NONE };
            let node = Node {
                height: px(ROW - 1.0),
                margin: UiRect::bottom(px(1)),
                padding: UiRect::horizontal(px(8)),
                column_gap: px(10),
                flex_shrink: 0.0,
                align_items: AlignItems::Center,
                overflow: Overflow::clip(),
                ..default()
            };
            area.spawn(button(Action::Dialog(DialogInput::Pick(index))))
                .insert((node, Outline { width: px(1), offset: px(-1), color: outline }))
                .with_children(|inside| {
                    for (content, colour) in [(&entry.text, colour), (&entry.detail, MUTED)] {
                        let layout = TextLayout::new(Justify::Start, LineBreak::NoWrap);
                        inside.spawn((text(printable(content, MAX_NAME), colour), layout));
                    }
                });
        }
    });
    let above = (list.chosen as f32 - ROWS_ABOVE).max(0.0) * ROW;
    rows.commands_mut().entity(area).insert(ScrollPosition(Vec2::new(0.0, above)));
}

/// Spawns the line that says what the dialog would do, and the buttons.
fn spawn_end(rows: &mut ChildSpawnerCommands, dialog: &Dialog) {
    let (content, colour) = match dialog.outcome() {
        Ok(outcome) => (outcome, MUTED),
        Err(why) => (why, WARNING),
    };
    rows.spawn(wrapped(content, colour));
    rows.spawn(button_row()).with_children(|row| {
        for (input, key, label) in
            [(DialogInput::Confirm, "Enter", dialog.confirm_label()), (DialogInput::Cancel, "Esc", "Cancel")]
        {
            row.spawn(key_button(Action::Dialog(input), key, label));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_text_the_part_around_the_cursor_is_seen() {
        let mut field = TextField::new("x".repeat(200) + "end", 999);
        assert!(seen(&field).0.starts_with('…') && seen(&field).0.ends_with("end"));
        field.edit(crate::game::input::action::TextEdit::Start);
        assert_eq!(seen(&field), (String::new(), "x".repeat(VISIBLE)));
    }
}
