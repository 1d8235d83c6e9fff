//! Opens and closes lessons: a map, the options of a search, and the search view that plays it.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use tracing::info;

use crate::lessons::{LESSONS, Lesson};
use emberwalk_path::Options;
use emberwalk_path::grid::Cell;

use super::action::Action;
use super::app_systems::AppSystems;
use super::journey::goal::Goal;
use super::journey::shared_planner::PlanningOptions;
use super::journey::traveller::{Player, Traveller};
use super::mode::{ComparePage, HelpPage, SearchPage};
use super::notice::Notice;
use super::question::{Leaving, OpenQuestion};
use super::search_view::present_query::{PresentQuery, Purpose};
use super::world::open_map::{MapOpened, OpenMap};
use super::world::pages::PageTurner;
use super::world::requested_endpoints::RequestedEndpoints;
use super::world::volcanoes::VolcanoChoice;

/// The lesson that is open.
#[derive(Resource, Default)]
pub struct OpenLesson {
    open: Option<Open>,
    /// The index of the one that was opened last.
    last: usize,
    /// What was there before, until it is restored.
    before: Option<Before>,
}

struct Open {
    /// Its index.
    index: usize,
    /// Tells its map from others.
    map: u64,
    /// What its search is for, once that is known.
    purpose: Option<Purpose>,
}

/// What a lesson replaces.
struct Before {
    options: Options,
    /// `None` if the player has opened another map since.
    map: Option<MapBefore>,
}

struct MapBefore {
    page: (Option<usize>, VolcanoChoice),
    requested: RequestedEndpoints,
    journey: (Traveller, Goal),
}

impl OpenLesson {
    /// The index of the open lesson, and the lesson.
    pub fn get(&self) -> Option<(usize, &'static Lesson)> {
        self.open.as_ref().and_then(|open| Some((open.index, LESSONS.get(open.index)?)))
    }

    /// Closes it. The map that was open before, the journey on it and the player's own options come back in the same
    /// frame.
    pub(super) fn close(&mut self) {
        self.open = None;
    }
}

/// Whether the screen shows what the open lesson speaks about.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LessonIsShown(pub bool);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<OpenLesson>()
        .init_resource::<LessonIsShown>()
        .add_observer(close_with_map)
        .add_systems(Update, open.in_set(AppSystems::Act))
        .add_systems(
            Update,
            (
                restore.run_if(resource_changed::<OpenLesson>).after(AppSystems::Act).before(AppSystems::Plan),
                compare_with_screen.after(AppSystems::Plan).before(AppSystems::Walk),
            ),
        );
}

/// The pages that a lesson opens or closes.
#[derive(SystemParam)]
struct LessonPages<'w> {
    help: ResMut<'w, NextState<HelpPage>>,
    compare: ResMut<'w, NextState<ComparePage>>,
    search: ResMut<'w, NextState<SearchPage>>,
}

#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn open(
    mut actions: MessageReader<Action>,
    mut turner: PageTurner,
    mut options: ResMut<PlanningOptions>,
    player: Single<(&Traveller, &Goal), With<Player>>,
    mut lesson: ResMut<OpenLesson>,
    mut pages: LessonPages,
    mut question: ResMut<OpenQuestion>,
    mut notices: MessageWriter<Notice>,
) {
    for action in actions.read() {
        let index = match *action {
            Action::OpenLesson(index) => index,
            Action::Lessons => lesson.last,
            _ => continue,
        };
        let Some(Lesson { map, erupting, .. }) = LESSONS.get(index) else { continue };
        let volcanoes = if *erupting { VolcanoChoice::Erupting } else { VolcanoChoice::AsInFile };
        if question.ask_to_leave(turner.map.is_unsaved(), Leaving::Act(*action)) {
            continue;
        }
        let page = turner.present();
        // A user's tileset may lack the terrain of the map.
        let Some(opened) = turner.open(map, volcanoes) else {
            notices.write(Notice(format!("This tileset cannot show the map of the lesson, {map}.")));
            continue;
        };
        let journey = (player.0.clone(), *player.1);
        lesson.before.get_or_insert_with(|| Before {
            options: options.0,
            map: Some(MapBefore { page, requested: turner.pages.requested, journey }),
        });
        // What the lesson says is about the way from the tent to the castle.
        turner.pages.requested = RequestedEndpoints::default();
        lesson.last = index;
        lesson.open = Some(Open { index, map: opened, purpose: None });
        options.0 = LESSONS[index].options();
        NextState::set_if_neq(&mut pages.help, HelpPage::Closed);
        NextState::set_if_neq(&mut pages.compare, ComparePage::Closed);
        NextState::set_if_neq(&mut pages.search, SearchPage::Open);
        info!(number = index + 1, "lesson opened");
    }
}

/// Closes the lesson when the player opens another map, and stays there.
fn close_with_map(_: On<MapOpened>, map: Res<OpenMap>, mut lesson: ResMut<OpenLesson>) {
    if lesson.open.as_ref().is_some_and(|open| open.map != map.frame().opened) {
        lesson.close();
        if let Some(before) = &mut lesson.before {
            before.map = None;
        }
    }
}

/// Restores what was there before the lesson, once that is closed.
fn restore(
    mut lesson: ResMut<OpenLesson>,
    mut options: ResMut<PlanningOptions>,
    mut turner: PageTurner,
    mut commands: Commands,
) {
    if lesson.open.is_some() {
        return;
    }
    let Some(before) = lesson.before.take() else { return };
    options.0 = before.options;
    if let Some(MapBefore { page, requested, journey }) = before.map {
        turner.pages.requested = requested;
        if turner.reopen(page) {
            // After the observers, which begin a journey from the tent.
            commands.run_system_cached_with(continue_journey, journey);
        }
    }
}

/// Puts the traveller where it was before the lesson. If there was none, the file may have changed so that there is one
/// now.
fn continue_journey(
    In((traveller, goal)): In<(Traveller, Goal)>,
    map: Res<OpenMap>,
    player: Single<(&mut Traveller, &mut Goal), With<Player>>,
) {
    let is_on_map = |cell: Cell| map.size().contains(cell);
    if traveller.origin().is_some_and(is_on_map) && goal.cell.is_none_or(is_on_map) {
        let (mut here, mut present) = player.into_inner();
        *here = traveller;
        if present.cell != goal.cell || present.sent != goal.sent {
            present.set(goal.cell, goal.sent);
        }
    }
}

/// Notices when the player has changed what the lesson is about: the search, the map, the goal, or what is open.
fn compare_with_screen(
    present: PresentQuery,
    page: Res<State<SearchPage>>,
    mut lesson: ResMut<OpenLesson>,
    mut is_shown: ResMut<LessonIsShown>,
) {
    let Some(open) = &mut lesson.bypass_change_detection().open else { return };
    let purpose = present.purpose();
    let is_as_begun = match open.purpose {
        Some(_) => open.purpose == purpose && *page.get() == SearchPage::Open,
        // The search view opens in the next frame.
        None => true,
    };
    open.purpose = open.purpose.or(purpose);
    is_shown.set_if_neq(LessonIsShown(is_as_begun));
}
