//! The tile cursor, which the arrow keys move, for playing without a mouse.

use bevy::prelude::*;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::journey::traveller::{Player, Traveller};
use crate::game::viewport::{Viewport, cell_point};
use crate::game::world::open_map::OpenMap;
use crate::game::world::pointed_cells::TileCursor;

use super::mouse::Panels;

pub(super) fn plugin(app: &mut App) {
    // Enter uses the position after the arrow keys of the same frame.
    let systems = move_tile_cursor.after(AppSystems::Listen).before(AppSystems::Act);
    app.add_systems(Update, systems);
}

/// Moves the tile cursor and keeps it in view. It starts at the traveller.
fn move_tile_cursor(
    mut actions: MessageReader<Action>,
    map: Res<OpenMap>,
    player: Single<Traveller, With<Player>>,
    panels: Panels,
    mut cursor: ResMut<TileCursor>,
    mut view: ResMut<Viewport>,
) {
    let window = view.layout().window.as_vec2();
    for action in actions.read() {
        let Action::MoveCursor(direction) = *action else { continue };
        let moved = match cursor.0 {
            Some(cell) => cell + direction,
            None => player.origin().unwrap_or_default(),
        };
        if map.size().contains(moved) {
            cursor.0 = Some(moved);
            view.reveal(cell_point(moved, &map), map.projection(), |point| panels.uncovered(point, window));
        }
    }
}
