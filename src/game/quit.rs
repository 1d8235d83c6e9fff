//! What the keys H and Escape do: open or close the help page, hide the faults, or quit.

use bevy::app::AppExit;
use bevy::prelude::*;

use super::app_systems::AppSystems;
use super::input::action::Action;
use super::mode::HelpPage;
use super::world::file_faults::FileFaults;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, act_on_help_and_escape.in_set(AppSystems::Act));
}

/// Opens or closes the help page. Escape closes the help page or hides the faults; if neither is open, it quits.
fn act_on_help_and_escape(
    mut actions: MessageReader<Action>,
    page: Res<State<HelpPage>>,
    mut next_page: ResMut<NextState<HelpPage>>,
    mut faults: ResMut<FileFaults>,
    mut exit: MessageWriter<AppExit>,
) {
    // The state itself changes only in the next frame, but a slow frame may have several key presses.
    let mut state = *page.get();
    for action in actions.read() {
        match (action, state) {
            (Action::Help, HelpPage::Closed) => state = HelpPage::Open,
            (Action::Help | Action::Escape, HelpPage::Open) => state = HelpPage::Closed,
            (Action::Escape, HelpPage::Closed) if faults.shown().is_some() => faults.dismiss(),
            (Action::Escape, HelpPage::Closed) => {
                exit.write(AppExit::Success);
            }
            _ => {}
        }
    }
    if state != *page.get() {
        next_page.set(state);
    }
}
