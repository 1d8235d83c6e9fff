//! The overlay that the player has chosen: none, the entry costs, the costs to the goal, the levels of a map with
//! hills, or the traffic of people. In the search view it replaces the overlay of the search.

use bevy::prelude::*;

use crate::game::action::{Action, OverlayChoice};
use crate::game::app_systems::AppSystems;
use crate::game::people::town::People;
use crate::game::screen::mode::{Screen, ScreenChanged};
use crate::game::screen::notice::Notice;
use crate::game::world::open_map::{MapOpened, OpenMap};

impl OverlayChoice {
    /// The overlays that a map has, in their order.
    pub(in crate::game) fn all(has_hills: bool, has_people: bool) -> impl Iterator<Item = Self> {
        let always = [Self::None, Self::Cost, Self::Distance];
        always.into_iter().chain(has_hills.then_some(Self::Levels)).chain(has_people.then_some(Self::Traffic))
    }

    fn next(self, has_hills: bool, has_people: bool) -> Self {
        Self::all(has_hills, has_people).skip_while(|choice| *choice != self).nth(1).unwrap_or_default()
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<OverlayChoice>()
        .add_observer(leave_levels)
        .add_observer(show_the_search)
        .add_systems(Update, (choose.in_set(AppSystems::Act), leave_traffic.in_set(AppSystems::Plan)));
}

/// The search has its own overlay.
fn show_the_search(changed: On<ScreenChanged>, mut choice: ResMut<OverlayChoice>) {
    if changed.now.plays_search() && changed.now.search != changed.before.search {
        choice.set_if_neq(OverlayChoice::None);
    }
}

/// A map without hills has nothing to show.
fn leave_levels(_: On<MapOpened>, map: Res<OpenMap>, mut choice: ResMut<OverlayChoice>) {
    if *choice == OverlayChoice::Levels && map.top() == 0 {
        *choice = OverlayChoice::None;
    }
}

/// There is no traffic without people.
fn leave_traffic(map: Res<OpenMap>, people: Res<People>, mut choice: ResMut<OverlayChoice>) {
    if *choice == OverlayChoice::Traffic && map.town().is_none() && !people.are_coming() {
        *choice = OverlayChoice::None;
    }
}

fn choose(
    mut actions: MessageReader<Action>,
    screen: Res<Screen>,
    map: Res<OpenMap>,
    mut choice: ResMut<OverlayChoice>,
    mut notices: MessageWriter<Notice>,
) {
    for action in actions.read() {
        let wanted = match *action {
            Action::NextOverlay => choice.next(map.top() > 0, map.town().is_some()),
            Action::ShowOverlay(wanted) => wanted,
            _ => continue,
        };
        if screen.is_race() {
            notices.write(Notice("A race shows its searches: close it with Race (B), then use Overlay (O).".into()));
        } else {
            choice.set_if_neq(wanted);
        }
    }
}
