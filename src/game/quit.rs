//! What the keys H and Escape do: open or close the help page, fold the faults, or quit.

use std::time::Duration;

use bevy::app::AppExit;
use bevy::prelude::*;

use super::app_systems::AppSystems;
use super::input::action::Action;
use super::mode::HelpPage;
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

/// Opens or closes the help page and the list of faults, and quits. Escape closes the help page or folds the list; if
/// neither is open, the second one within two seconds quits.
fn act_on_help_and_quit(
    mut actions: MessageReader<Action>,
    time: Res<Time<Real>>,
    page: Res<State<HelpPage>>,
    mut next_page: ResMut<NextState<HelpPage>>,
    mut faults: ResMut<FileFaults>,
    mut question: ResMut<QuitQuestion>,
    mut exit: MessageWriter<AppExit>,
) {
    // The state itself changes only in the next frame, but a slow frame may have several key presses.
    let mut state = *page.get();
    let now = time.elapsed();
    for action in actions.read() {
        match (action, state) {
            (Action::Help, HelpPage::Closed) => state = HelpPage::Open,
            (Action::Help | Action::Escape, HelpPage::Open) => state = HelpPage::Closed,
            (Action::ToggleFaults, _) => faults.toggle(),
            (Action::Escape, HelpPage::Closed) if faults.shown().is_some() => faults.toggle(),
            (Action::Escape, HelpPage::Closed) if question.time_left(now).is_none() => question.end = Some(now + ASKED),
            (Action::Escape | Action::Quit, _) => {
                exit.write(AppExit::Success);
            }
            _ => {}
        }
    }
    if state != *page.get() {
        next_page.set(state);
    }
}
