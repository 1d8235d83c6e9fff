//! The hint about the first steps, which disappears once the player has taken one.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;
use crate::game::mode::SearchPage;
use crate::game::world::open_map::OpenMap;

use super::places::{HudSystems, Places};
use super::scale::OnlyWithRoom;
use super::widgets::{GOLD, SMALL, panel, set_shown, set_text, text, text_column};

#[derive(Component)]
struct Hint;

/// The line about the volcanoes of the open map.
#[derive(Component)]
struct VolcanoLine;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn.in_set(HudSystems::Hint)).add_systems(
        Update,
        (
            update_volcano_line.run_if(resource_changed::<OpenMap>),
            hide_while_searching.run_if(state_changed::<SearchPage>),
            remove_hint.run_if(on_message::<Action>),
        )
            .in_set(AppSystems::Show),
    );
}

fn spawn(places: Res<Places>, mut commands: Commands) {
    let place = (Node::default(), Pickable::IGNORE, OnlyWithRoom, ChildOf(places.bottom_corners));
    commands.spawn(place).with_children(|place| {
        place.spawn((panel(text_column(default())), Hint)).insert(Pickable::IGNORE).with_children(|rows| {
            rows.spawn((text("Click a tile to walk there.", SMALL, GOLD), Pickable::IGNORE));
            rows.spawn((text("", SMALL, GOLD), Pickable::IGNORE, VolcanoLine));
            rows.spawn((text("Press H for all keys.", SMALL, GOLD), Pickable::IGNORE));
        });
    });
}

/// Hides the hint while the search view or the race is open, whose keys are others.
fn hide_while_searching(page: Res<State<SearchPage>>, mut hint: Query<&mut Node, With<Hint>>) {
    for mut node in &mut hint {
        set_shown(&mut node, *page.get() == SearchPage::Closed);
    }
}

/// Says what V does on the open map, or nothing if there is no volcano.
fn update_volcano_line(map: Res<OpenMap>, mut line: Query<(&mut Text, &mut Node), With<VolcanoLine>>) {
    for (mut text, mut node) in &mut line {
        let content =
            if map.any_dormant() { "Press V to make the volcano erupt." } else { "Press V to calm the volcano." };
        set_text(&mut text, content);
        node.display = if map.has_volcano() { Display::Flex } else { Display::None };
    }
}

/// Removes the hint when the player sends the traveller somewhere, or paints.
fn remove_hint(mut actions: MessageReader<Action>, hint: Query<Entity, With<Hint>>, mut commands: Commands) {
    if actions.read().any(|action| {
        matches!(action, Action::Go(_) | Action::GoToCursor | Action::GoToCastle | Action::TogglePainting)
    }) {
        hint.iter().for_each(|hint| commands.entity(hint).despawn());
    }
}
