//! The keys for help and for Escape: what is open is closed first, and then the window.

use bevy::app::AppExit;
use bevy::prelude::*;

use super::AppSystems;
use super::input::action::Action;
use super::mode::HelpPage;
use super::world::file_faults::FileFaults;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, open_and_close.in_set(AppSystems::Act));
}

/// Opens or closes the help page. Escape closes the help page, then the faults; if nothing is open it closes the window.
fn open_and_close(
    mut actions: MessageReader<Action>,
    page: Res<State<HelpPage>>,
    mut next_page: ResMut<NextState<HelpPage>>,
    mut faults: ResMut<FileFaults>,
    mut exit: MessageWriter<AppExit>,
) {
    // The state itself changes only in the next frame, and a slow frame may have several keys.
    let mut now = *page.get();
    for action in actions.read() {
        match (action, now) {
            (Action::Help, HelpPage::Closed) => now = HelpPage::Open,
            (Action::Help | Action::Escape, HelpPage::Open) => now = HelpPage::Closed,
            (Action::Escape, HelpPage::Closed) if faults.shown().is_some() => faults.dismiss(),
            (Action::Escape, HelpPage::Closed) => {
                exit.write(AppExit::Success);
            }
            _ => {}
        }
    }
    if now != *page.get() {
        next_page.set(now);
    }
}
