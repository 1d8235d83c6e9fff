//! Moves the goal while it is dragged in the search view or the race.

use bevy::prelude::*;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::input::mouse::{Mouse, handle_mouse};
use crate::game::input::picker::Picker;
use crate::game::screen::mode::plays_search;
use crate::game::viewport::Viewport;
use emberwalk_path::grid::Cell;

use super::prediction::Prediction;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, drag_goal.run_if(plays_search).after(handle_mouse).in_set(AppSystems::Listen));
}

/// Sets the goal to the cell under the pointer while the left button is held on the map. A press that slips over the edge
/// of a cell must not be a second prediction.
fn drag_goal(
    mouse: Res<Mouse>,
    picker: Picker,
    view: Res<Viewport>,
    prediction: Res<Prediction>,
    mut dragged: Local<Option<Cell>>,
    mut actions: MessageWriter<Action>,
) {
    let cell = mouse.dragged_to().and_then(|position| picker.cell_at(position, &view, mouse.picking()));
    // The press itself has set the first cell.
    let before = std::mem::replace(&mut *dragged, cell);
    actions.write_batch(cell.filter(|_| before.is_some() && before != cell && !prediction.is_on()).map(Action::Go));
}
