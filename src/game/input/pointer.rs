//! Finds the cell under the mouse pointer, and the half of the window.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::game::app_systems::AppSystems;
use crate::game::screen::mode::Screen;
use crate::game::viewport::Viewport;
use crate::game::world::pointed_cells::{PointedCell, PointedHalf};

use super::camera_control::act_on_view;
use super::mouse::{Mouse, Panels};
use super::picker::{Picker, Picking};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, update_pointed_cell.after(act_on_view).in_set(AppSystems::Listen));
}

/// Updates the cell under the pointer. There is none while the pointer is over a panel.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn update_pointed_cell(
    window: Query<&Window, With<PrimaryWindow>>,
    panels: Panels,
    picker: Picker,
    mouse: Res<Mouse>,
    screen: Res<Screen>,
    view: Res<Viewport>,
    mut pointed: ResMut<PointedCell>,
    mut half: ResMut<PointedHalf>,
) {
    // The centre of its pixel.
    let position = window.single().ok().and_then(Window::physical_cursor_position).map(|at| at.floor() + 0.5);
    let position = position.filter(|at| !panels.cover(*at));
    if let Some(position) = position {
        half.set_if_neq(PointedHalf(view.layout().half_at(position)));
    }
    // The brush paints the ground, even if a landmark stands in front of it.
    let picking = if screen.is_painting() { Picking::Ground } else { mouse.picking() };
    pointed.set_if_neq(PointedCell(position.and_then(|at| picker.cell_at(at, &view, picking))));
}
