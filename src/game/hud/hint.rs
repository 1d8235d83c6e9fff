//! What to do first, until the player has done it.

use bevy::prelude::*;

use crate::game::AppSystems;
use crate::game::input::action::Action;

use super::{Foot, GOLD, HudSystems, SMALL, lines, panel, text};

#[derive(Component)]
struct Hint;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn.in_set(HudSystems::Hint))
        .add_systems(Update, take_away.run_if(on_message::<Action>).in_set(AppSystems::Show));
}

fn spawn(foot: Res<Foot>, mut commands: Commands) {
    commands.entity(foot.0).with_children(|foot| {
        let node = Node { margin: UiRect::left(px(10)), align_self: AlignSelf::FlexStart, ..default() };
        foot.spawn(panel(lines(node))).insert((Pickable::IGNORE, Hint)).with_children(|rows| {
            for words in ["Click a tile: the traveller walks there.", "V: the volcano erupts.", "H: all keys."] {
                rows.spawn((text(words, SMALL, GOLD), Pickable::IGNORE));
            }
        });
    });
}

/// Removes the hint when the player sends the traveller or lets the volcanoes erupt.
fn take_away(mut actions: MessageReader<Action>, hint: Query<Entity, With<Hint>>, mut commands: Commands) {
    if actions
        .read()
        .any(|action| matches!(action, Action::Go(_) | Action::GoToCursor | Action::GoToCastle | Action::Erupt))
    {
        hint.iter().for_each(|hint| commands.entity(hint).despawn());
    }
}
