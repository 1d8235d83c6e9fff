//! The pointer of the mouse over the map.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::game::AppSystems;
use crate::game::view::camera::View;
use crate::game::view::camera_control::act_on_view;
use crate::game::world::open_map::OpenMap;

use super::inspected_cell::PointedCell;
use super::mouse::Panels;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, point.after(act_on_view).in_set(AppSystems::Listen));
}

/// The pointer's place in the window in physical pixels, the centre of its pixel; `None` outside.
fn pointer(window: &Window) -> Option<Vec2> {
    window.physical_cursor_position().map(|at| at.floor() + 0.5)
}

/// Finds the cell under the pointer; over a panel there is none.
fn point(
    window: Query<&Window, With<PrimaryWindow>>,
    panels: Panels,
    view: Res<View>,
    map: Res<OpenMap>,
    mut pointed: ResMut<PointedCell>,
) {
    let pointer = window.single().ok().and_then(pointer).filter(|at| !panels.contain(*at));
    pointed.set_if_neq(PointedCell(pointer.and_then(|at| view.cell_at(at, map.projection()))));
}
