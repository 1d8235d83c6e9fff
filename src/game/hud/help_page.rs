//! The help page: every key, and each a button for who has no keyboard at hand.

use bevy::prelude::*;

use crate::game::AppSystems;
use crate::game::input::action::{Action, BINDINGS, Binding};

use super::{GOLD, LARGE, Open, PANEL, QUIET, SMALL, TEXT, button, lines, panel, text};

/// What the mouse does, beside the table of keys.
const MOUSE: [(&str, &str); 3] = [
    ("Left click", "walk to a tile"),
    ("Right drag", "look around; the middle button too"),
    ("Wheel", "zoom towards the pointer"),
];

#[derive(Component)]
struct HelpPage;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (open_or_close.in_set(AppSystems::Act), turn.run_if(resource_changed::<Open>).in_set(AppSystems::Show)),
    );
}

fn open_or_close(mut actions: MessageReader<Action>, mut open: ResMut<Open>) {
    for _ in actions.read().filter(|action| **action == Action::Help) {
        open.0 = !open.0;
    }
}

fn turn(open: Res<Open>, page: Query<Entity, With<HelpPage>>, mut commands: Commands) {
    page.iter().for_each(|page| commands.entity(page).despawn());
    if open.0 {
        commands.queue(spawn);
    }
}

fn spawn(world: &mut World) {
    let cover = Node {
        position_type: PositionType::Absolute,
        width: percent(100),
        height: percent(100),
        align_items: AlignItems::Center,
        justify_content: JustifyContent::Center,
        ..default()
    };
    world.spawn((cover, Pickable::IGNORE, GlobalZIndex(10), HelpPage)).with_children(|cover| {
        let page = Node { padding: UiRect::all(px(16)), row_gap: px(6), ..lines(default()) };
        // What lies below would make the table hard to read.
        cover.spawn(panel(page)).insert(BackgroundColor(PANEL.with_alpha(1.0))).with_children(|page| {
            page.spawn(text("Emberwalk", LARGE, GOLD));
            page.spawn(text("The traveller takes the cheapest way: roads are fast, snow is slow,", SMALL, QUIET));
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

fn row(column: &mut ChildSpawner, binding: &Binding) {
    let about = if binding.action == Action::Escape { "close this page; then quit" } else { binding.about };
    column.spawn(button(binding.action)).with_children(|row| line(row, binding.shown, about));
}

fn line(row: &mut ChildSpawner, shown: &str, about: &str) {
    let key = Node { width: px(88), ..default() };
    row.spawn((key, Pickable::IGNORE)).with_child((text(shown, SMALL, GOLD), Pickable::IGNORE));
    row.spawn((text(about, SMALL, TEXT), Pickable::IGNORE));
}
