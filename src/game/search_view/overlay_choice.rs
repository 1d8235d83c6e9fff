//! Which overlay the player has chosen: none, the entry costs, or the costs to the goal.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;
use crate::game::mode::SearchPage;

/// Which overlay the player has chosen.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OverlayChoice {
    /// No overlay.
    #[default]
    None,
    /// The cost of entering each cell.
    Cost,
    /// The cost from each cell to the goal.
    Distance,
}

impl OverlayChoice {
    fn next(self) -> Self {
        match self {
            Self::None => Self::Cost,
            Self::Cost => Self::Distance,
            Self::Distance => Self::None,
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<OverlayChoice>()
        .add_systems(Update, choose.run_if(in_state(SearchPage::Closed)).in_set(AppSystems::Act));
}

fn choose(mut actions: MessageReader<Action>, mut choice: ResMut<OverlayChoice>) {
    for action in actions.read() {
        if *action == Action::NextOverlay {
            *choice = choice.next();
        }
    }
}
