//! The goal of the player's traveller.

use bevy::prelude::*;
use tracing::info;

use emberwalk_path::grid::Cell;

use super::traveller::Player;

/// The goal of a traveller. It changes only when another goal is set. Then the route is planned again.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct TravellerGoal {
    /// The cell, if there is a goal.
    pub cell: Option<Cell>,
    /// Whether the traveller was sent there; otherwise the route is only shown.
    pub sent: bool,
}

impl TravellerGoal {
    /// Sets another goal, or none, and logs it.
    pub fn set(&mut self, cell: Option<Cell>, sent: bool) {
        *self = Self { cell, sent };
        if let Some(cell) = cell {
            info!(%cell, "goal set");
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.register_required_components::<Player, TravellerGoal>();
}
