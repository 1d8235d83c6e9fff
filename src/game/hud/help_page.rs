//! The help page: a table of all keys. Each row is also a button.

use bevy::prelude::*;

use crate::game::input::action::{Action, BINDINGS, Binding};
use crate::game::mode::HelpPage;

use super::widgets::{GOLD, LARGE, MUTED, PANEL, SMALL, TEXT, button, panel, text, text_column};

/// What the mouse does. [`BINDINGS`] lists the keys.
const MOUSE: [(&str, &str); 3] = [
    ("Left click", "walk to a tile"),
    ("Right drag", "pan; so does the middle button"),
    ("Wheel", "zoom towards the pointer"),
];

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(HelpPage::Open), spawn);
}

fn spawn(mut commands: Commands) {
    let cover = Node {
        position_type: PositionType::Absolute,
        width: percent(100),
        height: percent(100),
        align_items: AlignItems::Center,
        justify_content: JustifyContent::Center,
        ..default()
    };
    commands.spawn((cover, Pickable::IGNORE, GlobalZIndex(10), DespawnOnExit(HelpPage::Open))).with_children(|cover| {
        let page = Node { padding: UiRect::all(px(16)), row_gap: px(6), ..text_column(default()) };
        // Opaque, because the map behind it would make the table hard to read.
        cover.spawn(panel(page)).insert(BackgroundColor(PANEL.with_alpha(1.0))).with_children(|page| {
            page.spawn(text("Emberwalk", LARGE, GOLD));
            page.spawn(text("The traveller takes the cheapest route: roads are fast, snow is slow,", SMALL, MUTED));
            page.spawn(text("an erupting volcano attracts it, a tombstone repels it.", SMALL, MUTED));
            let columns = Node { column_gap: px(12), ..default() };
            page.spawn(columns).with_children(|columns| {
                let column = Node { flex_direction: FlexDirection::Column, row_gap: px(3), ..default() };
                let (left, right) = BINDINGS.split_at((BINDINGS.len() - MOUSE.len()) / 2);
                columns.spawn(column.clone()).with_children(|column| {
                    for (key_name, description) in MOUSE {
                        let row = Node { padding: UiRect::axes(px(8), px(4)), column_gap: px(6), ..default() };
                        column.spawn(row).with_children(|row| spawn_texts(row, key_name, description));
                    }
                    left.iter().for_each(|binding| spawn_row(column, binding));
                });
                columns
                    .spawn(column)
                    .with_children(|column| right.iter().for_each(|binding| spawn_row(column, binding)));
            });
        });
    });
}

fn spawn_row(column: &mut ChildSpawnerCommands, binding: &Binding) {
    let description =
        if binding.action == Action::Escape { "close this page; press again to quit" } else { binding.description };
    column.spawn(button(binding.action)).with_children(|row| spawn_texts(row, binding.key_name, description));
}

fn spawn_texts(row: &mut ChildSpawnerCommands, key_name: &str, description: &str) {
    let key = Node { width: px(88), ..default() };
    row.spawn((key, Pickable::IGNORE)).with_child((text(key_name, SMALL, GOLD), Pickable::IGNORE));
    row.spawn((text(description, SMALL, TEXT), Pickable::IGNORE));
}
