//! The dialog that is open.

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::{Action, DialogInput, FieldId};
use crate::game::app_systems::AppSystems;
use crate::game::dialog::form::{Field, Form, List, MAX_DIGITS, Value};
use crate::game::dialog::{Choice, Dialog, OpenDialog};
use crate::game::ui::element::{
    Control, Element, Style, boxed, button, caption, card, coloured, column, control_box, field, icon, icon_button,
    keyed_button, modal, row, scroll, spans, spring, title, words,
};
use crate::game::ui::regions::{Regions, Room};
use crate::game::ui::show::show_in;
use crate::game::ui::theme::{
    DIVIDER, ERROR, GOLD, LARGE, MEDIUM, PANEL, PANEL_GLIDES, SECOND, SMALL, Size, TEXT, TIGHT,
};

use super::bar::printable;
use super::map_pictures::ShownPictures;

/// The largest width of the card, and the width of the labels, in logical pixels.
const WIDTH: f32 = 480.0;
const LABELS: f32 = 100.0;

/// The share of the window's height that the list may take, and its maximum height in logical pixels.
const LIST_HEIGHT: f32 = 0.45;
const MAX_LIST: f32 = 400.0;

/// The height of a map in the list.
const ROW_HEIGHT: f32 = 40.0;

/// The minimum height of a window with room for the picture of a new map, in logical pixels.
const ROOM_FOR_PREVIEW: f32 = 640.0;

/// A larger range of numbers is not stepped through one by one.
const MAX_STEPS: i64 = 10_000;

/// The maximum length of a map's name and of its folder in the list, in characters.
const MAX_NAME: usize = 48;

pub(super) fn plugin(app: &mut App) {
    let layer = super::cover_layer(app, 45);
    app.add_systems(Update, dialog.pipe(show_in(layer)).in_set(AppSystems::Show));
}

fn dialog(open: Res<OpenDialog>, regions: Res<Regions>, pictures: ShownPictures) -> Vec<Element> {
    let Some(dialog) = open.get() else { return Vec::new() };
    let mut rows = vec![title(dialog.title())];
    let fields = column(fields(dialog.form())).gap(SMALL);
    match &dialog.form().list {
        Some(list) => {
            let height = (regions.window.y * LIST_HEIGHT).min(MAX_LIST);
            rows.extend([fields, maps(list, dialog.maps(), &pictures, height)]);
        }
        None => rows.push(scroll(Val::Auto, vec![fields.with(|node| node.padding.right = px(SMALL))])),
    }
    if dialog.has_preview() && regions.window.y >= ROOM_FOR_PREVIEW {
        rows.push(pictures.preview(dialog.maps().first()));
    }
    rows.push(outcome(dialog));
    rows.push(end(dialog));
    let rows = column(rows).pad(LARGE, LARGE).gap(MEDIUM);
    if dialog.shows_map() {
        let edge = if regions.room == Room::Narrow { UiRect::top(px(1)) } else { UiRect::left(px(1)) };
        let panel = rows.at(regions.form).back(PANEL).border(DIVIDER).gliding(PANEL_GLIDES);
        let panel = panel.with(|node| node.border = edge);
        return vec![modal(dialog.title(), panel).back(Color::NONE)];
    }
    let width = WIDTH.min(regions.window.x - 2.0 * MEDIUM);
    let height = regions.window.y - 2.0 * MEDIUM;
    let card = card(vec![rows.with(|node| node.min_height = px(0))]).pad(0.0, 0.0).width(width);
    vec![modal(dialog.title(), card.with(|node| node.max_height = px(height)))]
}

fn fields(form: &Form) -> Vec<Element> {
    let shown = form.fields.iter().enumerate().filter(|(_, field)| field.is_shown);
    let rows = shown.map(|(index, field)| {
        // With a list, the field needs no label.
        let label = row(vec![coloured(field.label, SECOND)]).width(LABELS).with(|node| node.flex_shrink = 0.0);
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
            let input = field(id, field_of.label, number, MAX_DIGITS, true).with(|node| {
                node.width = px(110);
                node.flex_grow = 0.0;
            });
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
                let chip = control_box(Style::Tile, vec![spans(vec![words(name, Size::Text, colour)])]);
                chip.controlled(Control::Radio { action, style: Style::Tile, is_on }).named(name)
            });
            row(chips.collect()).gap(TIGHT).wrapping().grow().named(field_of.label)
        }
    }
}

/// The list of maps. A press opens one.
fn maps(list: &List, maps: &[Choice], pictures: &ShownPictures, height: f32) -> Element {
    let rows = list.entries.iter().zip(maps).enumerate().map(|(index, (entry, map))| {
        let is_chosen = index == list.chosen;
        let name = words(printable(&entry.text, MAX_NAME), Size::Text, if is_chosen { GOLD } else { TEXT });
        let folder = caption(printable(&end_of(&entry.detail), MAX_NAME));
        let content = vec![pictures.thumbnail(map), spans(vec![name]), spring(), folder];
        let style = if is_chosen { Style::Outlined } else { Style::Quiet };
        let map = button(Action::Dialog(DialogInput::Pick(index)), style, content).named(&entry.text);
        map.with(|node| {
            node.border = UiRect::all(px(1));
            node.min_height = px(ROW_HEIGHT);
        })
    });
    let rows = column(rows.collect()).gap(2.0).with(|node| node.padding = UiRect::right(px(MEDIUM)));
    let height =
        boxed(Node { height: px(height), flex_direction: FlexDirection::Column, min_height: px(0), ..default() });
    Element { children: vec![scroll(Val::Auto, vec![rows])], ..height }
}

/// The end of a long path, which is more useful than its beginning.
fn end_of(path: &str) -> String {
    let cut = path.char_indices().rev().nth(MAX_NAME - 2).map_or(0, |(at, _)| at);
    if cut == 0 { path.to_owned() } else { format!("…{}", &path[cut..]) }
}

/// The effect of confirming the dialog, or why that is impossible.
fn outcome(dialog: &Dialog) -> Element {
    let (said, colour) = match dialog.outcome() {
        Ok(outcome) => (outcome, SECOND),
        Err(why) => (why, ERROR),
    };
    // The buttons below it stay where they are.
    column(vec![coloured(said, colour)]).with(|node| node.min_height = px(40))
}

fn end(dialog: &Dialog) -> Element {
    let confirm = keyed_button(Action::Dialog(DialogInput::Confirm), Style::Gold, dialog.confirm_label(), "Enter");
    let cancel = keyed_button(Action::Dialog(DialogInput::Cancel), Style::Plain, "Cancel", "Esc");
    row(vec![spring(), cancel, confirm.disabled(dialog.outcome().is_err())]).gap(SMALL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_path_the_end_is_seen() {
        assert_eq!(end_of("maps/mine"), "maps/mine");
        let long = format!("/home/{}/maps", "x".repeat(99));
        assert!(end_of(&long).starts_with('…') && end_of(&long).ends_with("x/maps"));
        assert_eq!(end_of(&long).chars().count(), MAX_NAME);
    }
}
