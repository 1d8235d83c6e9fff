//! The help pages, one for each mode: the lessons, and a table of all keys. Each key is also a button.

use bevy::prelude::*;

use crate::game::input::action::Action;
use crate::game::input::bindings::{BINDINGS, Binding};
use crate::game::input::scroll_area::ScrollArea;
use crate::game::input::touch::UsesFingers;
use crate::game::mode::{GameMode, HelpPage};
use crate::lessons::LESSONS;

use super::scroll_bar::spawn_scroll_area;
use super::widgets::{
    GOLD, MUTED, TEXT, button_row, cover, key_button, opaque_panel, text, text_button, text_column, title,
};

const INTRODUCTION: &str =
    "The traveller takes the cheapest route: roads are fast, snow is slow, volcanoes attract, tombstones repel.";

const PAINTING_INTRODUCTION: &str = "Paint (E) switches between walking and painting. Choose a terrain in the palette and \
     draw it on the map: the route follows the brush. Save (Ctrl+S) writes the map to its file.";

/// What the mouse does. [`BINDINGS`] lists the keys.
const MOUSE: [(&str, &str); 4] = [
    ("Left click", "walk to a tile"),
    ("Shift", "point at ground behind a landmark"),
    ("Right drag", "pan; so does the middle button"),
    ("Wheel", "zoom towards the pointer"),
];

/// What the mouse does while the player paints, and Enter.
const PAINTING_MOUSE: [(&str, &str); 7] = [
    ("Left drag", "paint; carry the tent or the castle; select; move what is selected"),
    ("Shift", "paint a line from the end of the last stroke"),
    ("Middle click", "take the terrain of a tile"),
    ("Right drag", "pan; so does the middle button"),
    ("Wheel", "zoom; with Shift, size the brush"),
    ("Enter", "paint at the tile cursor, also with Shift"),
    ("Enter twice", "from corner to corner; carry or move from here to there"),
];

/// What fingers do, in place of the mouse.
const FINGERS: [(&str, &str); 4] = [
    ("Tap", "walk to a tile"),
    ("Long press", "see what a tile costs"),
    ("Drag", "pan"),
    ("Two fingers", "zoom and pan"),
];

/// What fingers do while the player paints.
const PAINTING_FINGERS: [(&str, &str); 2] =
    [("Drag", "paint; carry the tent or the castle; select; move what is selected"), ("Two fingers", "zoom and pan")];

/// The width of a table, and of the column with its keys, in logical pixels.
const TABLE: f32 = 412.0;
const KEYS: f32 = 124.0;

/// The distance between the tables.
const GAP: f32 = 18.0;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(HelpPage::Walking), spawn).add_systems(OnEnter(HelpPage::Painting), spawn);
}

fn spawn(page: Res<State<HelpPage>>, fingers: Res<UsesFingers>, mut commands: Commands) {
    let page = *page.get();
    let mode = if page == HelpPage::Painting { GameMode::Painting } else { GameMode::Walking };
    commands.spawn((cover(), Pickable::IGNORE, GlobalZIndex(10), DespawnOnExit(page))).with_children(|cover| {
        let padding = UiRect::axes(px(14), px(12));
        let page = Node { padding, max_width: percent(100), max_height: percent(100), ..text_column(default()) };
        // Opaque, because the map behind it would make the table hard to read.
        cover.spawn(opaque_panel(page)).with_children(|page| {
            spawn_scroll_area(page, auto(), ScrollArea { takes_keys: true }, |page| {
                spawn_content(page, mode, fingers.0);
            });
        });
    });
}

fn spawn_content(page: &mut ChildSpawnerCommands, mode: GameMode, has_fingers: bool) {
    let pointer: &[_] = match (mode, has_fingers) {
        (GameMode::Painting, false) => &PAINTING_MOUSE,
        (GameMode::Painting, true) => &PAINTING_FINGERS,
        (GameMode::Walking, false) => &MOUSE,
        (GameMode::Walking, true) => &FINGERS,
    };
    // The table decides the width of the page, not this line.
    let paragraph = Node { max_width: px(2.0 * TABLE + GAP), margin: UiRect::vertical(px(6)), ..default() };
    page.spawn(button_row()).with_children(|row| {
        row.spawn(title("Emberwalk"));
        for (title, tab) in [("Walking", GameMode::Walking), ("Painting", GameMode::Painting)] {
            if tab == mode {
                let open = Node { padding: UiRect::axes(px(6), px(4)), ..default() };
                row.spawn((open, Pickable::IGNORE)).with_child(text(title, GOLD));
            } else {
                row.spawn(key_button(Action::TurnHelpPage, "← →", title));
            }
        }
        row.spawn(key_button(Action::Help, "H", "Close"));
    });
    let introduction = if mode == GameMode::Painting { PAINTING_INTRODUCTION } else { INTRODUCTION };
    page.spawn((text(introduction, MUTED), paragraph));
    if mode == GameMode::Walking {
        spawn_lessons(page);
    }
    let is_shown = |binding: &Binding| binding.mode.is_none_or(|only| only == mode);
    // The keys that only this page has come first.
    let (first, others): (Vec<_>, Vec<_>) = BINDINGS
        .chunk_by(|one, next| one.description == next.description)
        .filter(|keys| is_shown(&keys[0]))
        .partition(|keys| keys[0].mode.is_some());
    let rows = [first, others].concat();
    let (left, right) = rows.split_at(rows.len().saturating_sub(pointer.len()).div_ceil(2));
    let columns = Node { flex_wrap: FlexWrap::Wrap, column_gap: px(GAP), row_gap: px(4), ..default() };
    page.spawn((columns, Pickable::IGNORE)).with_children(|columns| {
        columns.spawn(table()).with_children(|table| {
            for (name, description) in pointer.iter().copied() {
                table.spawn((text(name, GOLD), Node { padding: UiRect::left(px(8)), ..default() }));
                spawn_description(table, description);
            }
            left.iter().for_each(|keys| spawn_row(table, keys));
        });
        columns.spawn(table()).with_children(|table| right.iter().for_each(|keys| spawn_row(table, keys)));
    });
}

/// Spawns a button for each lesson.
fn spawn_lessons(page: &mut ChildSpawnerCommands) {
    let row = Node {
        flex_wrap: FlexWrap::Wrap,
        align_items: AlignItems::Center,
        column_gap: px(4),
        row_gap: px(4),
        max_width: px(2.0 * TABLE + GAP),
        margin: UiRect::bottom(px(6)),
        ..default()
    };
    page.spawn((row, Pickable::IGNORE)).with_children(|row| {
        row.spawn(text("Lessons", GOLD));
        for (index, lesson) in LESSONS.iter().enumerate() {
            row.spawn(key_button(Action::OpenLesson(index), (index + 1).to_string(), lesson.title));
        }
    });
}

/// Returns a table with a column for the keys and one for what they do.
fn table() -> impl Bundle {
    let node = Node {
        display: Display::Grid,
        grid_template_columns: vec![GridTrack::px(KEYS), GridTrack::flex(1.0)],
        align_items: AlignItems::Center,
        align_content: AlignContent::Start,
        width: px(TABLE),
        max_width: percent(100),
        flex_grow: 1.0,
        row_gap: px(4),
        ..default()
    };
    (node, Pickable::IGNORE)
}

fn spawn_row(table: &mut ChildSpawnerCommands, keys: &[Binding]) {
    table
        .spawn((Node { flex_wrap: FlexWrap::Wrap, column_gap: px(3), row_gap: px(3), ..default() }, Pickable::IGNORE))
        .with_children(|row| {
            for key in keys {
                row.spawn(text_button(key.action, key.key_name, GOLD));
            }
        });
    spawn_description(table, keys.first().map_or("", |key| key.description));
}

fn spawn_description(table: &mut ChildSpawnerCommands, description: &str) {
    // The least height of a row is that of a key.
    let node = Node { min_height: px(24), align_items: AlignItems::Center, ..default() };
    table.spawn((node, Pickable::IGNORE)).with_child(text(description, TEXT));
}
