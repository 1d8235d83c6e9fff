//! The help page: every key, and each is a button too.

use bevy::prelude::*;

use crate::game::input::action::{Action, BINDINGS, Binding};
use crate::game::mode::HelpPage;

use super::{GOLD, LARGE, PANEL, QUIET, SMALL, TEXT, button, lines, panel, text};

/// What the mouse does; the keys have a table of their own.
const MOUSE: [(&str, &str); 3] = [
    ("Left click", "walk to a tile"),
    ("Right drag", "look around; the middle button too"),
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
        let page = Node { padding: UiRect::all(px(16)), row_gap: px(6), ..lines(default()) };
        // An opaque ground, so that the table is easy to read.
        cover.spawn(panel(page)).insert(BackgroundColor(PANEL.with_alpha(1.0))).with_children(|page| {
            page.spawn(text("Emberwalk", LARGE, GOLD));
            page.spawn(text("The traveller takes the cheapest route: roads are fast, snow is slow,", SMALL, QUIET));
            page.spawn(text("an erupting volcano draws it near, a tombstone keeps it away.", SMALL, QUIET));
            let columns = Node { column_gap: px(12), ..default() };
            page.spawn(columns).with_children(|columns| {
                let column = Node { flex_direction: FlexDirection::Column, row_gap: px(3), ..default() };
                let (left, right) = BINDINGS.split_at((BINDINGS.len() - MOUSE.len()) / 2);
                columns.spawn(column.clone()).with_children(|column| {
                    for (shown, about) in MOUSE {
                        let row = Node { padding: UiRect::axes(px(8), px(4)), column_gap: px(6), ..default() };
                        column.spawn(row).with_children(|row| line(row, shown, about));
                    }
                    left.iter().for_each(|binding| row(column, binding));
                });
                columns.spawn(column).with_children(|column| right.iter().for_each(|binding| row(column, binding)));
            });
        });
    });
}

fn row(column: &mut ChildSpawnerCommands, binding: &Binding) {
    let about = if binding.action == Action::Escape { "close this page; then quit" } else { binding.about };
    column.spawn(button(binding.action)).with_children(|row| line(row, binding.shown, about));
}

fn line(row: &mut ChildSpawnerCommands, shown: &str, about: &str) {
    let key = Node { width: px(88), ..default() };
    row.spawn((key, Pickable::IGNORE)).with_child((text(shown, SMALL, GOLD), Pickable::IGNORE));
    row.spawn((text(about, SMALL, TEXT), Pickable::IGNORE));
}
