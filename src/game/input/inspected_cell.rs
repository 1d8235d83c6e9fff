//! The cell that the player inspects with the pointer or the tile cursor.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::world::live_reload::MapRenewed;
use crate::game::world::open_map::{MapOpened, OpenMap};
use crate::grid::Cell;

use super::tile_cursor::TileCursor;

/// The cell under the pointer: the one whose ground diamond contains it.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointedCell(pub Option<Cell>);

/// The inspected cell: the cell of the pointer or of the tile cursor, whichever moved last.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InspectedCell(pub Option<Cell>);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<PointedCell>()
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
    _: On<MapRenewed>,
    map: Res<OpenMap>,
    mut pointed: ResMut<PointedCell>,
    mut inspected: ResMut<InspectedCell>,
) {
    let is_on_map = |cell: &Cell| map.size().contains(*cell);
    let kept = (pointed.0.filter(is_on_map), inspected.0.filter(is_on_map));
    pointed.set_if_neq(PointedCell(kept.0));
    inspected.set_if_neq(InspectedCell(kept.1));
}

fn inspect(pointed: Res<PointedCell>, cursor: Res<TileCursor>, mut inspected: ResMut<InspectedCell>) {
    if cursor.is_changed() && cursor.0.is_some() {
        inspected.set_if_neq(InspectedCell(cursor.0));
    } else if pointed.is_changed() {
        inspected.set_if_neq(InspectedCell(pointed.0));
    }
}
