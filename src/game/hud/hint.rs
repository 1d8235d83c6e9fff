//! The hint about the first steps, which disappears once the player has taken one.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;
use crate::game::input::touch::UsesFingers;
use crate::game::mode::SearchPage;
use crate::game::world::open_map::OpenMap;

use super::described::{Lines, show_in, spawn_lines, spawn_panel};
use super::places::Places;
use super::scale::LeastRoom;
use super::widgets::GOLD;

/// The size of a window that has room for it below the other panels, in logical pixels of the HUD.
const ROOM: Vec2 = Vec2::new(360.0, 400.0);

pub(super) fn plugin(app: &mut App) {
    let corners = app.world().resource::<Places>().bottom_corners;
    let place = (Node::default(), Pickable::IGNORE, LeastRoom(ROOM), ChildOf(corners));
    let place = app.world_mut().spawn(place).id();
    let panel = spawn_panel(app, place, default());
    app.add_systems(Update, first_steps.pipe(show_in(panel, spawn_lines)).in_set(AppSystems::Show));
}

/// Says what to do first, until the player sends the traveller somewhere, or paints. Without a volcano there is no line
/// about it.
fn first_steps(
    mut actions: MessageReader<Action>,
    map: Res<OpenMap>,
    fingers: Res<UsesFingers>,
    page: Res<State<SearchPage>>,
    mut is_done: Local<bool>,
) -> Option<Lines> {
    *is_done |= actions.read().any(|action| {
        matches!(action, Action::Go(_) | Action::GoToCursor | Action::GoToCastle | Action::TogglePainting)
    });
    if *is_done || *page.get() != SearchPage::Closed {
        return None;
    }
    let volcano = match fingers.0 {
        _ if !map.has_volcano() => "",
        false if map.any_dormant() => "Press V to make the volcano erupt.",
        false => "Press V to calm the volcano.",
        true if map.any_dormant() => "Press Erupt to wake the volcano.",
        true => "Press Calm to calm the volcano.",
    };
    let (walk, more) = match fingers.0 {
        false => ("Click a tile to walk there.", "Press H for all keys."),
        true => ("Tap a tile to walk there.", "Rest a finger on a tile to see its cost."),
    };
    Some([walk, volcano, more].map(|line| (line.to_owned(), GOLD)).to_vec())
}
