//! Opens and closes lessons: a map, the options of a search, and the search view that plays it.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use tracing::info;

use crate::lessons::{LESSONS, Lesson};
use crate::path::Options;

use super::app_systems::AppSystems;
use super::input::action::Action;
use super::journey::shared_planner::PlanningOptions;
use super::mode::{ComparePage, HelpPage, SearchPage};
use super::notice::Notice;
use super::question::{Leaving, OpenQuestion};
use super::world::open_map::{MapOpened, OpenMap};
use super::world::pages::PageTurner;
use super::world::requested_endpoints::RequestedEndpoints;
use super::world::volcanoes::VolcanoChoice;

/// The lesson that is open.
#[derive(Resource, Default)]
pub struct OpenLesson {
    /// Its index, and the cost grid of its map.
    open: Option<(usize, u64)>,
    /// The player's own options, until they are restored.
    before: Option<Options>,
}

impl OpenLesson {
    /// Returns the index of the open lesson, and the lesson.
    pub fn get(&self) -> Option<(usize, &'static Lesson)> {
        self.open.and_then(|(index, _)| Some((index, LESSONS.get(index)?)))
    }

    /// Closes it. The player's own options come back in the same frame.
    pub(super) fn close(&mut self) {
        self.open = None;
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<OpenLesson>()
        .add_observer(close_with_map)
        .add_systems(Update, open.in_set(AppSystems::Act))
        .add_systems(
            Update,
            restore_options.run_if(resource_changed::<OpenLesson>).after(AppSystems::Act).before(AppSystems::Plan),
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
    mut requested: ResMut<RequestedEndpoints>,
    mut options: ResMut<PlanningOptions>,
    mut lesson: ResMut<OpenLesson>,
    mut pages: LessonPages,
    mut question: ResMut<OpenQuestion>,
    mut notices: MessageWriter<Notice>,
) {
    for action in actions.read() {
        let Action::OpenLesson(index) = *action else { continue };
        let Some(Lesson { map, erupting, .. }) = LESSONS.get(index) else { continue };
        let volcanoes = if *erupting { VolcanoChoice::Erupting } else { VolcanoChoice::AsInFile };
        if question.ask_to_leave(&turner.map, Leaving::Act(*action)) {
            continue;
        }
        // A user's tileset may lack the terrain of the map.
        let Some(grid) = turner.open(map, volcanoes) else {
            notices.write(Notice(format!("This tileset cannot show the map of the lesson, {map}.")));
            continue;
        };
        // What the lesson says is about the way from the tent to the castle.
        *requested = RequestedEndpoints::default();
        lesson.before.get_or_insert(options.0);
        lesson.open = Some((index, grid));
        options.0 = LESSONS[index].options();
        NextState::set_if_neq(&mut pages.help, HelpPage::Closed);
        NextState::set_if_neq(&mut pages.compare, ComparePage::Closed);
        NextState::set_if_neq(&mut pages.search, SearchPage::Open);
        info!(number = index + 1, "lesson opened");
    }
}

/// Closes the lesson when the player opens another map.
fn close_with_map(_: On<MapOpened>, map: Res<OpenMap>, mut lesson: ResMut<OpenLesson>) {
    if lesson.open.is_some_and(|(_, grid)| grid != map.costs().id()) {
        lesson.close();
    }
}

fn restore_options(mut lesson: ResMut<OpenLesson>, mut options: ResMut<PlanningOptions>) {
    if lesson.open.is_none()
        && let Some(before) = lesson.before.take()
    {
        options.0 = before;
    }
}
