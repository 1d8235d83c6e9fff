//! The help page: the lessons, and a table of all keys. Each key is also a button.

use bevy::prelude::*;

use crate::game::input::action::Action;
use crate::game::input::bindings::{BINDINGS, Binding};
use crate::game::input::scroll_area::ScrollArea;
use crate::game::mode::{GameMode, HelpPage};
use crate::lessons::LESSONS;

use super::scroll_bar::spawn_scroll_area;
use super::widgets::{GOLD, LARGE, MUTED, PANEL, SMALL, TEXT, button, cover, panel, text, text_column};

const INTRODUCTION: &str = "The traveller takes the cheapest route: roads are fast, snow is slow, an erupting volcano \
     attracts it, a tombstone repels it.";

/// What the mouse does. [`BINDINGS`] lists the keys.
const MOUSE: [(&str, &str); 5] = [
    ("Left click", "walk to a tile"),
    ("Shift", "point at the ground behind a landmark"),
    ("Right drag", "pan; so does the middle button"),
    ("Wheel", "zoom towards the pointer"),
    ("E, then H", "the keys for painting"),
];

/// What the mouse does while the player paints.
const PAINTING_MOUSE: [(&str, &str); 5] = [
    ("Left drag", "paint; carry the tent or the castle"),
    ("Shift", "paint a line from the end of the last stroke"),
    ("Middle click", "take the terrain of a tile"),
    ("Right drag", "pan; so does the middle button"),
    ("Wheel", "zoom; with Shift, size the brush"),
];

/// The width of a table, and of the column with its keys, in logical pixels.
const TABLE: f32 = 412.0;
const KEYS: f32 = 124.0;

/// The distance between the tables.
const GAP: f32 = 18.0;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(HelpPage::Open), spawn);
}

fn spawn(mode: Res<State<GameMode>>, mut commands: Commands) {
    let mode = *mode.get();
    commands.spawn((cover(), Pickable::IGNORE, GlobalZIndex(10), DespawnOnExit(HelpPage::Open))).with_children(
        |cover| {
            let padding = UiRect::axes(px(14), px(12));
            let page = Node { padding, max_width: percent(100), max_height: percent(100), ..text_column(default()) };
            // Opaque, because the map behind it would make the table hard to read.
            cover.spawn(panel(page)).insert(BackgroundColor(PANEL.with_alpha(1.0))).with_children(|page| {
                spawn_scroll_area(page, auto(), ScrollArea { takes_keys: true }, |page| spawn_content(page, mode));
            });
        },
    );
}

fn spawn_content(page: &mut ChildSpawnerCommands, mode: GameMode) {
    let mouse = if mode == GameMode::Painting { PAINTING_MOUSE } else { MOUSE };
    // The table decides the width of the page, not this line.
    let paragraph = Node { max_width: px(2.0 * TABLE + GAP), margin: UiRect::vertical(px(6)), ..default() };
    page.spawn((text("Emberwalk", LARGE, GOLD), Pickable::IGNORE));
    page.spawn((text(INTRODUCTION, SMALL, MUTED), paragraph, Pickable::IGNORE));
    spawn_lessons(page);
    let is_shown = |binding: &Binding| binding.mode.is_none_or(|only| only == mode);
    // While the player paints, its keys come first.
    let (first, others): (Vec<_>, Vec<_>) = BINDINGS
        .chunk_by(|one, next| one.description == next.description)
        .filter(|keys| is_shown(&keys[0]))
        .partition(|keys| keys[0].mode.is_some());
    let rows = [first, others].concat();
    let (left, right) = rows.split_at((rows.len() - mouse.len()).div_ceil(2));
    let columns = Node { flex_wrap: FlexWrap::Wrap, column_gap: px(GAP), row_gap: px(4), ..default() };
    page.spawn((columns, Pickable::IGNORE)).with_children(|columns| {
        columns.spawn(table()).with_children(|table| {
            for (name, description) in mouse {
                table.spawn((
                    text(name, SMALL, GOLD),
                    Node { padding: UiRect::left(px(8)), ..default() },
                    Pickable::IGNORE,
                ));
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
        row.spawn((text("Lessons", SMALL, GOLD), Pickable::IGNORE));
        for (index, lesson) in LESSONS.iter().enumerate() {
            row.spawn(button(Action::OpenLesson(index))).with_children(|inside| {
                inside.spawn((text((index + 1).to_string(), SMALL, GOLD), Pickable::IGNORE));
                inside.spawn((text(lesson.title, SMALL, TEXT), Pickable::IGNORE));
            });
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
                row.spawn(button(key.action)).with_child((text(key.key_name, SMALL, GOLD), Pickable::IGNORE));
            }
        });
    spawn_description(table, keys.first().map_or("", |key| key.description));
}

fn spawn_description(table: &mut ChildSpawnerCommands, description: &str) {
    // The least height of a row is that of a key.
    let node = Node { min_height: px(24), align_items: AlignItems::Center, ..default() };
    table.spawn((node, Pickable::IGNORE)).with_child((text(description, SMALL, TEXT), Pickable::IGNORE));
}
