//! What the keys H, Tab, C and Escape do: open or close pages, fold the faults, or quit.

use std::time::Duration;

use bevy::app::AppExit;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::state::state::FreelyMutableState;

use super::app_systems::AppSystems;
use super::input::action::Action;
use super::mode::{ComparePage, HelpPage, SearchPage};
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
    app.init_resource::<QuitQuestion>().add_systems(Update, act_on_pages_and_quit.in_set(AppSystems::Act));
}

/// A page that can be open or closed. The state itself changes only in the next frame, but a slow frame may have several
/// key presses.
#[derive(SystemParam)]
struct Page<'w, S: FreelyMutableState> {
    now: Res<'w, State<S>>,
    next: ResMut<'w, NextState<S>>,
}

impl<S: FreelyMutableState + Copy> Page<'_, S> {
    fn get(&self) -> S {
        match *self.next {
            NextState::Unchanged => *self.now.get(),
            NextState::Pending(next) | NextState::PendingIfNeq(next) => next,
        }
    }

    fn set(&mut self, state: S) {
        self.next.set(state);
    }
}

/// Opens or closes the pages and the list of faults, and quits. Escape closes the first of them that is open; if none is,
/// the second one within two seconds quits.
fn act_on_pages_and_quit(
    mut actions: MessageReader<Action>,
    time: Res<Time<Real>>,
    pages: (Page<HelpPage>, Page<ComparePage>, Page<SearchPage>),
    mut faults: ResMut<FileFaults>,
    mut question: ResMut<QuitQuestion>,
    mut exit: MessageWriter<AppExit>,
) {
    let (mut help, mut compare, mut search) = pages;
    let now = time.elapsed();
    for action in actions.read() {
        match (action, help.get(), compare.get(), search.get()) {
            (Action::Help, HelpPage::Closed, ..) => help.set(HelpPage::Open),
            (Action::Help | Action::Escape, HelpPage::Open, ..) => help.set(HelpPage::Closed),
            (Action::ToggleComparison, _, ComparePage::Closed, _) => compare.set(ComparePage::Open),
            (Action::ToggleComparison | Action::Escape, _, ComparePage::Open, _) => compare.set(ComparePage::Closed),
            (Action::ToggleSearchView, .., SearchPage::Closed) => search.set(SearchPage::Open),
            (Action::ToggleSearchView | Action::Escape, .., SearchPage::Open) => search.set(SearchPage::Closed),
            (Action::ToggleFaults, ..) => faults.toggle(),
            (Action::Escape, ..) if faults.shown().is_some() => faults.toggle(),
            (Action::Escape, ..) if question.time_left(now).is_none() => question.end = Some(now + ASKED),
            (Action::Escape | Action::Quit, ..) => {
                exit.write(AppExit::Success);
            }
            _ => {}
        }
    }
}
