//! Which overlay of costs the player has chosen: none, the entry costs, or the costs to the goal. In the search view it
//! takes the place of the search.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;
use crate::game::mode::SearchPage;
use crate::game::notice::Notice;

/// Which overlay the player has chosen.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OverlayChoice {
    /// None; in the search view, the search is shown.
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
    app.init_resource::<OverlayChoice>().add_systems(Update, choose.in_set(AppSystems::Act));
    for page in [SearchPage::Open, SearchPage::Race] {
        app.add_systems(OnEnter(page), show_the_search);
    }
}

/// The search has an overlay of its own.
fn show_the_search(mut choice: ResMut<OverlayChoice>) {
    choice.set_if_neq(OverlayChoice::None);
}

fn choose(
    mut actions: MessageReader<Action>,
    page: Res<State<SearchPage>>,
    mut choice: ResMut<OverlayChoice>,
    mut notices: MessageWriter<Notice>,
) {
    for _ in actions.read().filter(|action| **action == Action::NextOverlay) {
        if *page.get() == SearchPage::Race {
            notices.write(Notice("A race shows its searches: B closes it, then O shows the costs.".into()));
        } else {
            *choice = choice.next();
        }
    }
}
