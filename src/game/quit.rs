//! What the keys H, Tab and Escape do: open or close the help page and the search view, fold the faults, or quit.

use std::time::Duration;

use bevy::app::AppExit;
use bevy::prelude::*;

use super::app_systems::AppSystems;
use super::input::action::Action;
use super::mode::{HelpPage, SearchPage};
use super::world::file_faults::FileFaults;

/// The time within which a second Escape quits.
const ASKED: Duration = Duration::from_secs(2);

/// Whether the player is asked to press Escape again to quit.
#[derive(Resource, Debug, Default)]
pub struct QuitQuestion {
    /// The time until which an Escape quits.
    end: Option<Duration>,
}

impl QuitQuestion {
    /// Returns for how long an Escape still quits; `None` if it does not.
    pub fn time_left(&self, now: Duration) -> Option<Duration> {
        self.end?.checked_sub(now).filter(|left| !left.is_zero())
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<QuitQuestion>().add_systems(Update, act_on_help_and_quit.in_set(AppSystems::Act));
}

/// Opens or closes the help page, the search view and the list of faults, and quits. Escape closes the first of them that
/// is open; if none is, the second one within two seconds quits.
fn act_on_help_and_quit(
    mut actions: MessageReader<Action>,
    time: Res<Time<Real>>,
    help: (Res<State<HelpPage>>, ResMut<NextState<HelpPage>>),
    search: (Res<State<SearchPage>>, ResMut<NextState<SearchPage>>),
    mut faults: ResMut<FileFaults>,
    mut question: ResMut<QuitQuestion>,
    mut exit: MessageWriter<AppExit>,
) {
    let ((help, mut next_help), (search, mut next_search)) = (help, search);
    // The states themselves change only in the next frame, but a slow frame may have several key presses.
    let (mut help_page, mut search_page) = (*help.get(), *search.get());
    let now = time.elapsed();
    for action in actions.read() {
        match (action, help_page, search_page) {
            (Action::Help, HelpPage::Closed, _) => help_page = HelpPage::Open,
            (Action::Help | Action::Escape, HelpPage::Open, _) => help_page = HelpPage::Closed,
            (Action::ToggleSearchView, _, SearchPage::Closed) => search_page = SearchPage::Open,
            (Action::ToggleSearchView | Action::Escape, _, SearchPage::Open) => search_page = SearchPage::Closed,
            (Action::ToggleFaults, ..) => faults.toggle(),
            (Action::Escape, ..) if faults.shown().is_some() => faults.toggle(),
            (Action::Escape, ..) if question.time_left(now).is_none() => question.end = Some(now + ASKED),
            (Action::Escape | Action::Quit, ..) => {
                exit.write(AppExit::Success);
            }
            _ => {}
        }
    }
    if help_page != *help.get() {
        next_help.set(help_page);
    }
    if search_page != *search.get() {
        next_search.set(search_page);
    }
}
