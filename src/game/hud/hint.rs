//! The hint about the first steps, which disappears once the player has taken one.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;
use crate::game::input::touch::UsesFingers;
use crate::game::mode::SearchPage;
use crate::game::world::open_map::OpenMap;

use super::places::{HudSystems, Places};
use super::scale::LeastRoom;
use super::widgets::{GOLD, SMALL, panel, set_shown, set_text, text, text_column};

#[derive(Component)]
struct Hint;

/// A line of the hint.
#[derive(Component, Clone, Copy)]
enum Line {
    Walk,
    /// About the volcanoes of the open map.
    Volcano,
    More,
}

/// The size of a window that has room for the hint, in logical pixels of the HUD.
const ROOM: Vec2 = Vec2::new(360.0, 400.0);

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn.in_set(HudSystems::Hint)).add_systems(
        Update,
        (
            update_lines.run_if(resource_changed::<OpenMap>.or_eager(resource_changed::<UsesFingers>)),
            hide_while_searching.run_if(state_changed::<SearchPage>),
            remove_hint.run_if(on_message::<Action>),
        )
            .in_set(AppSystems::Show),
    );
}

fn spawn(places: Res<Places>, mut commands: Commands) {
    let place = (Node::default(), Pickable::IGNORE, LeastRoom(ROOM), ChildOf(places.bottom_corners));
    commands.spawn(place).with_children(|place| {
        place.spawn((panel(text_column(default())), Hint)).insert(Pickable::IGNORE).with_children(|rows| {
            for line in [Line::Walk, Line::Volcano, Line::More] {
                rows.spawn((text("", SMALL, GOLD), Pickable::IGNORE, line));
            }
        });
    });
}

/// Hides the hint while the search view or the race is open, whose keys are others.
fn hide_while_searching(page: Res<State<SearchPage>>, mut hint: Query<&mut Node, With<Hint>>) {
    for mut node in &mut hint {
        set_shown(&mut node, *page.get() == SearchPage::Closed);
    }
}

/// Says what to do first. Without a volcano there is no line about it.
fn update_lines(map: Res<OpenMap>, fingers: Res<UsesFingers>, mut lines: Query<(&Line, &mut Text, &mut Node)>) {
    for (line, mut text, mut node) in &mut lines {
        let content = match (line, fingers.0) {
            (Line::Walk, false) => "Click a tile to walk there.",
            (Line::Walk, true) => "Tap a tile to walk there.",
            (Line::Volcano, _) if !map.has_volcano() => "",
            (Line::Volcano, false) if map.any_dormant() => "Press V to make the volcano erupt.",
            (Line::Volcano, false) => "Press V to calm the volcano.",
            (Line::Volcano, true) if map.any_dormant() => "Erupt makes the volcano erupt.",
            (Line::Volcano, true) => "Calm calms the volcano.",
            (Line::More, false) => "Press H for all keys.",
            (Line::More, true) => "Rest a finger on a tile to see its cost.",
        };
        set_text(&mut text, content);
        set_shown(&mut node, !content.is_empty());
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
