//! The cell that the player inspects with the pointer or the tile cursor.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::half::Half;
use crate::game::world::live_reload::MapRenewed;
use crate::game::world::open_map::{MapOpened, OpenMap};
use emberwalk_path::grid::Cell;

use super::mouse::Mouse;
use super::tile_cursor::TileCursor;

/// The cell under the pointer: the one whose ground or landmark is there.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointedCell(pub Option<Cell>);

/// The half of the window under the pointer. It stays while the pointer is over a panel or outside the window.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointedHalf(pub Half);

/// The inspected cell: the cell of the pointer or of the tile cursor, whichever moved last.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InspectedCell(pub Option<Cell>);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Mouse>()
        .init_resource::<PointedCell>()
        .init_resource::<PointedHalf>()
        .init_resource::<InspectedCell>()
        .add_observer(clear)
        .add_observer(keep_on_map)
        .add_systems(Update, inspect.in_set(AppSystems::Plan));
}

fn clear(_: On<MapOpened>, mut pointed: ResMut<PointedCell>, mut inspected: ResMut<InspectedCell>) {
    pointed.0 = None;
    inspected.0 = None;
}

fn keep_on_map(
    before: On<MapRenewed>,
    map: Res<OpenMap>,
    mut pointed: ResMut<PointedCell>,
    mut inspected: ResMut<InspectedCell>,
) {
    let kept = |cell: Option<Cell>| cell.and_then(|cell| before.cell(cell, &map));
    let kept = (kept(pointed.0), kept(inspected.0));
    pointed.set_if_neq(PointedCell(kept.0));
    inspected.set_if_neq(InspectedCell(kept.1));
}

/// Follows the tile cursor when an arrow key has moved it, and the pointer when the mouse has moved it. A pointer that
/// rests while the view scrolls under it does not take the panel away from the tile cursor.
fn inspect(
    pointed: Res<PointedCell>,
    cursor: Res<TileCursor>,
    mouse: Res<Mouse>,
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
    } else if pointed.is_changed() || pointer_moved {
        inspected.set_if_neq(InspectedCell(pointed.0));
    }
}
