//! What the keys H, Tab, B, C, E and Escape do: open or close pages and lessons, fold the faults, switch between
//! walking and painting, or quit.

use std::time::Duration;

use bevy::app::AppExit;
use bevy::prelude::*;

use super::app_systems::AppSystems;
use super::input::action::Action;
use super::input::bindings::binding_of;
use super::lesson::OpenLesson;
use super::mode::{ComparePage, GameMode, HelpPage, SearchPage, Upcoming};
use super::notice::Notice;
use super::painting::large_change::LargeChange;
use super::painting::ongoing_stroke::OngoingStroke;
use super::painting::selection::Selection;
use super::question::{Leaving, OpenQuestion};
use super::world::file_faults::FileFaults;
use super::world::live_reload::AwaitedMap;
use super::world::load_progress::LoadProgress;
use super::world::open_map::OpenMap;

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

/// Opens or closes the pages and the list of faults, ends painting, closes lessons, and quits. Escape does the first of
/// this that is possible, one thing at a time; if there is nothing, the second one within two seconds quits.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn act_on_pages_and_quit(
    mut actions: MessageReader<Action>,
    time: Res<Time<Real>>,
    pages: (Upcoming<HelpPage>, Upcoming<ComparePage>, Upcoming<SearchPage>, Upcoming<GameMode>),
    mut lesson: ResMut<OpenLesson>,
    (mut faults, awaited, progress): (ResMut<FileFaults>, Res<AwaitedMap>, Res<LoadProgress>),
    mut question: ResMut<QuitQuestion>,
    (mut stroke, mut selection, mut large): (ResMut<OngoingStroke>, ResMut<Selection>, ResMut<LargeChange>),
    map: Res<OpenMap>,
    mut unsaved: ResMut<OpenQuestion>,
    mut notices: MessageWriter<Notice>,
    mut exit: MessageWriter<AppExit>,
    mut commands: Commands,
) {
    let (mut help, mut compare, mut search, mut mode) = pages;
    let now = time.elapsed();
    for action in actions.read() {
        match (action, help.get(), compare.get(), search.get()) {
            (Action::Escape | Action::Stop, ..) if large.is_running() => large.stop(&mut notices),
            // It is written after this system, which reads actions itself.
            (Action::Escape, ..) if awaited.is_some() && progress.get().is_some() => {
                commands.write_message(Action::Stop);
            }
            (Action::Help, HelpPage::Closed, ..) => help.set(match mode.get() {
                GameMode::Walking => HelpPage::Walking,
                GameMode::Painting => HelpPage::Painting,
            }),
            (Action::Help | Action::Escape, HelpPage::Walking | HelpPage::Painting, ..) => help.set(HelpPage::Closed),
            (Action::TurnHelpPage, HelpPage::Walking, ..) => help.set(HelpPage::Painting),
            (Action::TurnHelpPage, HelpPage::Painting, ..) => help.set(HelpPage::Walking),
            (Action::Escape, ..) if mode.get() == GameMode::Painting && stroke.let_go(&mut selection) => {}
            (Action::ToggleComparison, _, ComparePage::Closed, _) => compare.set(ComparePage::Open),
            (Action::ToggleComparison | Action::Escape, _, ComparePage::Open, _) => compare.set(ComparePage::Closed),
            (Action::ToggleSearchView | Action::Escape, .., SearchPage::Open)
            | (Action::ToggleRace | Action::Escape, .., SearchPage::Race) => search.set(SearchPage::Closed),
            (Action::ToggleSearchView, ..) => search.set(SearchPage::Open),
            (Action::ToggleRace, ..) => search.set(SearchPage::Race),
            (Action::Escape, ..) if mode.get() == GameMode::Painting && selection.area.is_some() => {
                selection.area = None
            }
            (Action::TogglePainting | Action::Escape, ..) if mode.get() == GameMode::Painting => {
                mode.set(GameMode::Walking);
            }
            (Action::TogglePainting, ..) => mode.set(GameMode::Painting),
            (Action::CloseLesson | Action::Escape, ..)
                if lesson.get().is_some() && unsaved.ask_to_leave(&map, Leaving::Act(Action::CloseLesson)) => {}
            (Action::CloseLesson | Action::Escape, ..) if lesson.get().is_some() => {
                lesson.close();
                search.set(SearchPage::Closed);
            }
            (Action::ToggleFaults, ..) => faults.toggle(),
            (Action::Escape, ..) if faults.shown().is_some() => faults.toggle(),
            // A page has no end of its own: the browser closes it.
            (Action::Escape, ..) if binding_of(Action::Quit).is_none() => {}
            (Action::Escape, ..) if question.time_left(now).is_none() => question.end = Some(now + ASKED),
            (Action::Escape | Action::Quit, ..) => {
                // After a question that is cancelled, Escape has to be pressed twice again.
                question.end = None;
                if !unsaved.ask_to_leave(&map, Leaving::Act(Action::Quit)) {
                    exit.write(AppExit::Success);
                }
            }
            _ => {}
        }
    }
}
