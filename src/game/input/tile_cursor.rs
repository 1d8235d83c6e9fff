//! The tile cursor, which the arrow keys move, for playing without a mouse.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::camera::View;
use crate::game::camera::cell_point;
use crate::game::journey::traveller::{Player, Traveller};
use crate::game::world::live_reload::MapRenewed;
use crate::game::world::open_map::{MapOpened, OpenMap};
use emberwalk_path::grid::Cell;

use super::action::Action;
use super::mouse::Panels;

/// The cell of the tile cursor; `None` until the first arrow key.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TileCursor(pub Option<Cell>);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<TileCursor>()
        .add_observer(clear)
        .add_observer(keep_on_map)
        .add_systems(Update, move_tile_cursor.in_set(AppSystems::Act));
}

fn clear(_: On<MapOpened>, mut cursor: ResMut<TileCursor>) {
    cursor.0 = None;
}

fn keep_on_map(before: On<MapRenewed>, map: Res<OpenMap>, mut cursor: ResMut<TileCursor>) {
    let kept = cursor.0.and_then(|cell| before.cell(cell, &map));
    cursor.set_if_neq(TileCursor(kept));
}

/// Moves the tile cursor and keeps it in view. It starts at the traveller.
pub(in crate::game) fn move_tile_cursor(
    mut actions: MessageReader<Action>,
    map: Res<OpenMap>,
    player: Single<&Traveller, With<Player>>,
    panels: Panels,
    mut cursor: ResMut<TileCursor>,
    mut view: ResMut<View>,
) {
    let window = view.window_size().as_vec2();
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
