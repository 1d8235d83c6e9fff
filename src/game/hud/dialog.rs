//! The dialog that is open.

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::{Action, DialogInput, FieldId};
use crate::game::dialog::form::{Field, Form, List, MAX_DIGITS, Value};
use crate::game::dialog::{Dialog, OpenDialog};
use crate::game::ui::element::{
    Control, Element, Style, card, coloured, column, control_box, field, icon, icon_button, keyed_button, modal, row,
    scroll, title,
};
use crate::game::ui::regions::{Regions, Room};
use crate::game::ui::theme::{DIVIDER, ERROR, GOLD, LARGE, MEDIUM, PANEL, PANEL_GLIDES, SECOND, SMALL, TEXT, TIGHT};

use super::map_gallery as gallery;
use super::map_pictures::ShownPictures;

/// The largest width of the card, and the width of the labels, in logical pixels.
pub(super) const WIDTH: f32 = 480.0;
const LABELS: f32 = 100.0;

/// The maximum height of the list of maps, and the minimum height of a window in which only the maps scroll, in logical
/// pixels.
const MAX_LIST: f32 = 720.0;
const ROOM_FOR_LIST: f32 = 460.0;

/// The minimum height of a window with room for the picture of a new map, in logical pixels.
const ROOM_FOR_PREVIEW: f32 = 640.0;

/// A larger range of numbers is not stepped through one by one.
const MAX_STEPS: i64 = 10_000;

pub(super) fn dialog(open: Res<OpenDialog>, regions: Res<Regions>, pictures: ShownPictures) -> Vec<Element> {
    let Some(dialog) = open.get() else { return Vec::new() };
    let fields = column(fields(dialog.form())).gap(SMALL);
    if let Some(list) = &dialog.form().list {
        return vec![modal(dialog.title(), map_list(dialog, fields, list, &pictures, regions.window))];
    }
    let mut rows = vec![title(dialog.title())];
    rows.extend(dialog.about().map(|about| coloured(about, SECOND)));
    rows.push(scroll(Val::Auto, vec![fields.with(|node| node.padding.right = px(SMALL))]));
    if dialog.has_preview() && regions.window.y >= ROOM_FOR_PREVIEW {
        rows.push(pictures.preview(dialog.maps().first()));
    }
    rows.push(outcome(dialog));
    rows.push(end(dialog));
    if dialog.shows_map() {
        let rows = column(rows).pad(LARGE, LARGE).gap(MEDIUM);
        let edge = if regions.room == Room::Narrow { UiRect::top(px(1)) } else { UiRect::left(px(1)) };
        let panel = rows.at(regions.form).back(PANEL).border(DIVIDER).gliding(PANEL_GLIDES);
        let panel = panel.with(|node| node.border = edge);
        return vec![modal(dialog.title(), panel).back(Color::NONE)];
    }
    vec![modal(dialog.title(), form_card(rows, WIDTH, regions.window))]
}

/// The card with the list of maps, which takes most of the window, so that it keeps its size while a text is typed.
fn map_list(dialog: &Dialog, fields: Element, list: &List, pictures: &ShownPictures, window: Vec2) -> Element {
    let width = gallery::WIDTH.min(window.x - 2.0 * MEDIUM);
    let maps = gallery::gallery(list, dialog.maps(), pictures, gallery::inner_width(width));
    // The ring of the focus must not be cut off.
    let maps = maps.pad(TIGHT, TIGHT).with(|node| node.padding.right = px(MEDIUM));
    let title = title(dialog.title());
    let mut rows = if window.y < ROOM_FOR_LIST {
        vec![scroll(Val::Auto, vec![column(vec![title, fields, maps, outcome(dialog)]).gap(MEDIUM)])]
    } else {
        vec![title, fields, scroll(Val::Auto, vec![maps]), outcome(dialog)]
    };
    rows.push(end(dialog));
    let height = window.y - 2.0 * MEDIUM;
    form_card(rows, width, window).with(|node| node.height = px(height.min(MAX_LIST)))
}

/// The card of a dialog or a question, at most this wide, in a window of this size.
pub(super) fn form_card(rows: Vec<Element>, width: f32, window: Vec2) -> Element {
    let rows = column(rows).pad(LARGE, LARGE).gap(MEDIUM);
    let card = card(vec![rows.grow().with(|node| node.min_height = px(0))]).pad(0.0, 0.0);
    let card = card.width(width.min(window.x - 2.0 * MEDIUM));
    card.with(|node| node.max_height = px(window.y - 2.0 * MEDIUM))
}

/// The buttons at the end of a dialog or a question, the most important one first.
pub(super) fn end_row(buttons: Vec<Element>) -> Element {
    row(buttons).gap(SMALL).wrapping().rigid().with(|node| node.justify_content = JustifyContent::FlexEnd)
}

fn fields(form: &Form) -> Vec<Element> {
    let shown = form.fields.iter().enumerate().filter(|(_, field)| field.is_shown);
    let rows = shown.map(|(index, field)| {
        // With a list, the field needs no label.
        let label = row(vec![coloured(field.label, SECOND)]).width(LABELS).rigid();
        let label = if form.list.is_some() { icon(Icon::Search, 20, SECOND) } else { label };
        row(vec![label, value(index, field)])
    });
    rows.collect()
}

fn value(index: usize, field_of: &Field) -> Element {
    let id = FieldId::Dialog(index);
    match &field_of.value {
        Value::Text(text, max_chars) => field(id, field_of.label, text, *max_chars, false),
        Value::Number(number, range) => {
            let input =
                field(id, field_of.label, number, MAX_DIGITS, true).width(110.0).with(|node| node.flex_grow = 0.0);
            let step = |by, symbol, verb: &str| {
                let action = Action::Dialog(DialogInput::Add { field: index, by });
                icon_button(action, symbol, &format!("{}: one {verb}", field_of.label))
            };
            let buttons = if range.end() - range.start() > MAX_STEPS {
                let dice = icon_button(Action::Dialog(DialogInput::Dice), Icon::Dices, "Another seed");
                vec![input, dice.tip("Another seed", "", "Another map of the same kind.")]
            } else {
                vec![input, step(-1, Icon::Minus, "less"), step(1, Icon::Plus, "more")]
            };
            row(buttons).gap(TIGHT)
        }
        Value::Choice(values, chosen) => {
            let chips = values.iter().enumerate().map(|(value, name)| {
                let is_on = value == *chosen;
                let action = Action::Dialog(DialogInput::Choose { field: index, value });
                let colour = if is_on { GOLD } else { TEXT };
                let chip = control_box(Style::Tile, vec![coloured(name, colour)]);
                chip.controlled(Control::Radio { action, style: Style::Tile, is_on }).named(name)
            });
            row(chips.collect()).gap(TIGHT).wrapping().grow().named(field_of.label)
        }
    }
}

/// The effect of confirming the dialog, or why that is impossible.
fn outcome(dialog: &Dialog) -> Element {
    let (said, colour) = match dialog.outcome() {
        Ok(outcome) => (outcome, SECOND),
        // Where nothing has been typed yet, it is a hint.
        Err(why) if dialog.form().is_blank() => (why, SECOND),
        Err(why) => (why, ERROR),
    };
    // The buttons below it stay where they are.
    column(vec![coloured(said, colour)]).with(|node| node.min_height = px(40))
}

fn end(dialog: &Dialog) -> Element {
    let confirm = keyed_button(Action::Dialog(DialogInput::Confirm), Style::Gold, dialog.confirm_label(), "Enter");
    let cancel = keyed_button(Action::Dialog(DialogInput::Cancel), Style::Plain, "Cancel", "Esc");
    end_row(vec![confirm.disabled(dialog.outcome().is_err()), cancel])
}
