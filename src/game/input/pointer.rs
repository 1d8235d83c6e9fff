//! Finds the cell under the mouse pointer, and the half of the window.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::game::app_systems::AppSystems;
use crate::game::view::camera::View;
use crate::game::view::camera_control::act_on_view;

use super::inspected_cell::{PointedCell, PointedHalf};
use super::mouse::{Mouse, Panels};
use super::picker::Picker;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, update_pointed_cell.after(act_on_view).in_set(AppSystems::Listen));
}

/// Returns the centre of the pixel under the pointer, in physical pixels; `None` outside the window.
fn pointer_position(window: &Window) -> Option<Vec2> {
    window.physical_cursor_position().map(|at| at.floor() + 0.5)
}

/// Updates the cell under the pointer. There is none while the pointer is over a panel.
fn update_pointed_cell(
    window: Query<&Window, With<PrimaryWindow>>,
    panels: Panels,
    picker: Picker,
    mouse: Res<Mouse>,
    view: Res<View>,
    mut pointed: ResMut<PointedCell>,
    mut half: ResMut<PointedHalf>,
) {
    let position = window.single().ok().and_then(pointer_position).filter(|at| !panels.cover(*at));
    if let Some(position) = position {
        half.set_if_neq(PointedHalf(view.half_at(position)));
    }
    pointed.set_if_neq(PointedCell(position.and_then(|at| picker.cell_at(at, &view, mouse.picking()))));
}
