//! The cell that the player inspects with the pointer or the tile cursor.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::world::pointed_cells::{InspectedCell, PointedCell, TileCursor};

use super::mouse::{Mouse, Panels};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Mouse>().add_systems(Update, inspect.in_set(AppSystems::Plan));
}

/// Follows the tile cursor when an arrow key has moved it, and the pointer when the mouse has moved it. A pointer that
/// rests while the view scrolls under it does not take the panel away from the tile cursor.
fn inspect(
    pointed: Res<PointedCell>,
    cursor: Res<TileCursor>,
    mouse: Res<Mouse>,
    panels: Panels,
    mut rest: Local<Option<Vec2>>,
    mut by_cursor: Local<bool>,
    mut inspected: ResMut<InspectedCell>,
) {
    let pointer_moved = mouse.position() != *rest;
    *rest = mouse.position();
    if cursor.is_changed() {
        *by_cursor = cursor.0.is_some();
    } else if pointer_moved {
        *by_cursor = false;
    }
    if *by_cursor {
        inspected.set_if_neq(InspectedCell(cursor.0));
    } else if mouse.position().is_some_and(|at| panels.cover(at)) {
        // The pointer is on its way to the panel about the cell.
    } else if pointed.is_changed() || pointer_moved {
        inspected.set_if_neq(InspectedCell(pointed.0));
    }
}
