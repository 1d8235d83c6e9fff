//! The keys H, Tab, B, C, E, Z and Escape: they open or close pages and lessons, fold the list of errors, switch between
//! walking and painting, hide or show the panels, or quit.

use std::time::Duration;

use bevy::app::AppExit;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use super::action::Action;
use super::app_systems::AppSystems;
use super::frames::time_limits::lengthened;
use super::input::bindings::binding_of;
use super::painting::file_errors::refuse_to_begin;
use super::painting::large_change::LargeChange;
use super::painting::ongoing_stroke::OngoingStroke;
use super::painting::selection::Selection;
use super::people::selected::SelectedPeople;
use super::screen::mode::{GameMode, IsBare, Screen, SearchPage};
use super::screen::notice::{Hint, Notice};
use super::search_view::lesson::OpenLesson;
use super::world::file_errors::FileErrors;
use super::world::open_map::OpenMap;
use super::world::question::{Leaving, OpenQuestion};
use super::world::reader::MapReader;

/// The time within which a second Escape quits.
const ASKED: Duration = Duration::from_secs(2);

/// Whether the player is asked to press Escape again to quit.
#[derive(Resource, Debug, Default)]
pub(in crate::game) struct QuitQuestion {
    /// The time until which an Escape quits.
    end: Option<Duration>,
}

impl QuitQuestion {
    /// For how long an Escape still quits; `None` if it does not.
    pub(in crate::game) fn time_left(&self, now: Duration) -> Option<Duration> {
        self.end?.checked_sub(now).filter(|left| !left.is_zero())
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<QuitQuestion>()
        .add_systems(Update, act_on_pages_and_quit.before(refuse_to_begin).in_set(AppSystems::Switch));
}

/// The things that can be open.
#[derive(SystemParam)]
struct Open<'w> {
    large: ResMut<'w, LargeChange>,
    reader: ResMut<'w, MapReader>,
    screen: ResMut<'w, Screen>,
    bare: ResMut<'w, IsBare>,
    stroke: ResMut<'w, OngoingStroke>,
    selection: ResMut<'w, Selection>,
    people: ResMut<'w, SelectedPeople>,
    lesson: ResMut<'w, OpenLesson>,
    errors: ResMut<'w, FileErrors>,
    map: Res<'w, OpenMap>,
    question: ResMut<'w, OpenQuestion>,
    notices: MessageWriter<'w, Notice>,
    hints: MessageWriter<'w, Hint>,
}

impl Open<'_> {
    /// Closes the topmost open panel or mode, or asks whether to; returns whether there was any.
    fn close_topmost(&mut self) -> bool {
        self.stop()
            || self.screen.close_help()
            || self.screen.is_painting() && self.stroke.let_go(&mut self.selection)
            || self.show_panels()
            || self.screen.close_comparison()
            || self.screen.close_search()
            || self.screen.is_painting() && self.deselect()
            || self.screen.leave_mode()
            || self.people.clear()
            || self.close_lesson()
            || self.fold_errors()
    }

    /// Shows the panels if they are hidden: their content is not visible before.
    fn show_panels(&mut self) -> bool {
        self.bare.0 && std::mem::take(&mut self.bare.0)
    }

    /// Hides the panels, and tells how they come back, or shows them.
    fn toggle_panels(&mut self) {
        if !self.show_panels() {
            self.bare.0 = true;
            let key = binding_of(Action::ToggleBare).map_or("Esc", |binding| binding.key_name);
            let text = format!("{key} shows the panels.");
            self.hints.write(Hint { text, holds: |world| world.resource::<IsBare>().0 });
        }
    }

    /// Stops long work.
    fn stop(&mut self) -> bool {
        let notice = self.large.stop().or_else(|| self.reader.stop());
        let has_stopped = notice.is_some();
        self.notices.write_batch(notice);
        has_stopped
    }

    /// Leaves all modes in which the traveller does not walk.
    fn walk(&mut self) {
        self.stroke.let_go(&mut self.selection);
        self.deselect();
        self.screen.close_help();
        self.screen.close_comparison();
        self.screen.close_search();
        self.screen.leave_mode();
        self.close_lesson();
    }

    fn deselect(&mut self) -> bool {
        self.selection.area.is_some() && self.selection.area.take().is_some()
    }

    fn close_lesson(&mut self) -> bool {
        let is_open = self.lesson.get().is_some();
        if is_open && !self.question.ask_to_leave(self.map.is_unsaved(), Leaving::Act(Action::CloseLesson)) {
            self.lesson.close();
            self.screen.close_search();
        }
        is_open
    }

    fn fold_errors(&mut self) -> bool {
        let is_shown = self.errors.shown().is_some();
        if is_shown {
            self.errors.toggle();
        }
        is_shown
    }
}

/// Opens or closes the pages and the list of errors, ends painting, closes lessons, and quits. Escape closes one thing
/// at a time; if nothing is open, the second one within two seconds quits.
fn act_on_pages_and_quit(
    mut actions: MessageReader<Action>,
    time: Res<Time<Real>>,
    mut open: Open,
    mut quit: ResMut<QuitQuestion>,
    mut exit: MessageWriter<AppExit>,
) {
    let now = time.elapsed();
    for action in actions.read() {
        match action {
            Action::Stop => drop(open.stop()),
            Action::Help => open.screen.help = open.screen.help.is_none().then_some(open.screen.mode),
            Action::TurnHelpPage => open.screen.help = open.screen.help.map(GameMode::other),
            Action::Walk => open.walk(),
            Action::ToggleComparison => open.screen.compares = !open.screen.compares,
            Action::ToggleSearchView => open.screen.toggle_search(SearchPage::Open),
            Action::ToggleRace => open.screen.toggle_search(SearchPage::Race),
            Action::TogglePainting => open.screen.mode = open.screen.mode.other(),
            Action::CloseLesson => drop(open.close_lesson()),
            Action::ToggleErrors => open.errors.toggle(),
            Action::ToggleBare => open.toggle_panels(),
            // The web version cannot quit: the browser closes the page.
            Action::Escape if open.close_topmost() || binding_of(Action::Quit).is_none() => {}
            Action::Escape if quit.time_left(now).is_none() => quit.end = Some(now + lengthened(ASKED)),
            Action::Escape | Action::Quit => {
                // After a cancelled question, Escape has to be pressed twice again.
                quit.end = None;
                if !open.question.ask_to_leave(open.map.is_unsaved(), Leaving::Act(Action::Quit)) {
                    exit.write(AppExit::Success);
                }
            }
            _ => {}
        }
    }
}
