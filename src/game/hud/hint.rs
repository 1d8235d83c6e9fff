//! The hint about the first steps, which disappears once the player has taken one.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;

use super::bottom_column::{BottomColumn, HudSystems};
use super::widgets::{GOLD, SMALL, panel, text, text_column};

#[derive(Component)]
struct Hint;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn.in_set(HudSystems::Hint))
        .add_systems(Update, remove_hint.run_if(on_message::<Action>).in_set(AppSystems::Show));
}

fn spawn(column: Res<BottomColumn>, mut commands: Commands) {
    commands.entity(column.0).with_children(|column| {
        let node = Node { margin: UiRect::left(px(10)), align_self: AlignSelf::FlexStart, ..default() };
        column.spawn(panel(text_column(node))).insert((Pickable::IGNORE, Hint)).with_children(|rows| {
            for line in ["Click a tile to walk there.", "Press V to make the volcano erupt.", "Press H for all keys."] {
                rows.spawn((text(line, SMALL, GOLD), Pickable::IGNORE));
            }
        });
    });
}

/// Removes the hint when the player sends the traveller somewhere or makes the volcanoes erupt.
fn remove_hint(mut actions: MessageReader<Action>, hint: Query<Entity, With<Hint>>, mut commands: Commands) {
    if actions
        .read()
        .any(|action| matches!(action, Action::Go(_) | Action::GoToCursor | Action::GoToCastle | Action::Erupt))
    {
        hint.iter().for_each(|hint| commands.entity(hint).despawn());
    }
}
