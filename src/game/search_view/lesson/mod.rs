//! Opens and closes lessons: a map with the options of a search and the search view, with people, or with a traveller. All
//! of them wait until the player has predicted the result.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use tracing::info;

use crate::lessons::{Change, LESSONS, Lesson, Subject};
use emberwalk_path::Options;
use emberwalk_path::time::CrowdTime;

use crate::game::action::{Action, BrushChange, OverlayChoice};
use crate::game::app_systems::AppSystems;
use crate::game::journey::goal::TravellerGoal;
use crate::game::journey::placing::PutTraveller;
use crate::game::journey::planning::{GridQuery, PlanningOptions};
use crate::game::journey::traveller::Player;
use crate::game::people::time::PeopleCue;
use crate::game::people::town::{People, Travellers};
use crate::game::screen::mode::{Screen, SearchPage};
use crate::game::screen::notice::Notice;
use crate::game::search_view::options::WatchesAuto;
use crate::game::search_view::recorded_search::SearchView;
use crate::game::world::open_map::{MapOpened, OpenMap};
use crate::game::world::opener::MapOpener;
use crate::game::world::pages::Bookmark;
use crate::game::world::question::{Leaving, OpenQuestion};
use crate::game::world::request::RequestedEndpoints;
use emberwalk_world::{Position, VolcanoChoice};

mod answers;
mod journey;
mod subject;

pub use answers::{DrawnAnswer, LessonAnswers};
pub use journey::BegunJourney;
pub use subject::LessonScreen;

/// The lesson that is open.
#[derive(Resource, Default)]
pub struct OpenLesson {
    open: Option<Open>,
    /// The index of the last opened lesson.
    last: usize,
    /// The state before the lesson, until it is restored.
    before: Option<Before>,
}

struct Open {
    /// Its index.
    index: usize,
    phase: Phase,
    /// The index of the answer that the player has chosen.
    chosen: Option<usize>,
    /// The unique number of its map.
    map: u64,
    /// The query from the traveller to the castle, once it is known.
    query: Option<GridQuery>,
    /// The journey of the lesson, once the traveller has set out.
    journey: Option<BegunJourney>,
    /// How the people or the traveller have left the subject of the lesson. They come back only if they set out again.
    left: Option<LessonScreen>,
}

/// Compares the screen with the subject of a lesson.
#[derive(SystemParam)]
pub(in crate::game) struct ShownLesson<'w> {
    lesson: Res<'w, OpenLesson>,
    screen: Res<'w, LessonScreen>,
}

impl ShownLesson<'_> {
    /// The subject of the lesson, if the screen shows it.
    fn subject(&self) -> Option<Subject> {
        self.lesson.get().filter(|_| self.screen.is_on_subject()).map(|(_, lesson)| lesson.subject)
    }

    /// Whether it shows the people of a lesson.
    pub fn has_people(&self) -> bool {
        matches!(self.subject(), Some(Subject::People(_)))
    }

    /// Whether the route of the player's traveller is not drawn: the lesson is about people, or asks for the route.
    pub fn hides_route(&self) -> bool {
        match self.subject() {
            Some(Subject::People(_)) => true,
            Some(Subject::Journey(_)) => self.lesson.phase() == Some(Phase::Predict),
            Some(Subject::Search(_)) | None => false,
        }
    }
}

/// The stage of a lesson.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// The player is asked for a prediction. The search waits at its start, and people and the traveller wait where
    /// they are.
    #[default]
    Predict,
    /// The search is played, or the people or the traveller walk.
    Play,
    /// The dock shows the result, and the player can try something else.
    Reveal,
}

/// The state that a lesson replaces.
struct Before {
    options: Options,
    watches_auto: WatchesAuto,
    travellers: Travellers,
    /// `None` if the player has opened another map since.
    map: Option<MapBefore>,
}

struct MapBefore {
    bookmark: Bookmark,
    overlay: OverlayChoice,
    traveller: Option<Position>,
    goal: TravellerGoal,
}

impl OpenLesson {
    /// The index of the open lesson, and the lesson.
    pub fn get(&self) -> Option<(usize, &'static Lesson)> {
        self.open.as_ref().and_then(|open| Some((open.index, LESSONS.get(open.index)?)))
    }

    /// The stage of the open lesson; `None` if none is open.
    pub fn phase(&self) -> Option<Phase> {
        self.open.as_ref().map(|open| open.phase)
    }

    /// The index of the answer that the player has chosen; `None` before that, and if the player has played the search
    /// without an answer.
    pub fn chosen(&self) -> Option<usize> {
        self.open.as_ref().and_then(|open| open.chosen)
    }

    /// The journey of the open lesson, once the traveller has set out.
    pub fn journey(&self) -> Option<&BegunJourney> {
        self.open.as_ref().and_then(|open| open.journey.as_ref())
    }

    /// Closes it. The map that was open before, the journey on it and the player's own options come back in the same
    /// frame.
    pub(in crate::game) fn close(&mut self) {
        self.open = None;
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<OpenLesson>()
        .init_resource::<LessonScreen>()
        .init_resource::<LessonAnswers>()
        .add_observer(close_with_map)
        .add_systems(Update, (open, answer).chain().in_set(AppSystems::Act))
        .add_systems(
            Update,
            (
                (restore, direct_people)
                    .chain()
                    .run_if(resource_changed::<OpenLesson>)
                    .after(AppSystems::Switch)
                    .before(AppSystems::Plan),
                (subject::compare_with_screen, journey::foretell)
                    .chain()
                    .after(AppSystems::Plan)
                    .before(AppSystems::Walk),
                (journey::follow_traveller, follow_playback, answers::draw_answers)
                    .chain()
                    .after(AppSystems::Walk)
                    .before(AppSystems::Show),
            ),
        );
}

/// The choices of the player that a lesson replaces.
#[derive(SystemParam)]
struct Choices<'w> {
    planning: ResMut<'w, PlanningOptions>,
    watches_auto: ResMut<'w, WatchesAuto>,
    travellers: ResMut<'w, Travellers>,
    overlay: ResMut<'w, OverlayChoice>,
}

#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn open(
    mut actions: MessageReader<Action>,
    mut opener: MapOpener,
    mut choices: Choices,
    goal: Single<&TravellerGoal, With<Player>>,
    mut lesson: ResMut<OpenLesson>,
    mut screen: ResMut<Screen>,
    mut view: ResMut<SearchView>,
    mut question: ResMut<OpenQuestion>,
    mut notices: MessageWriter<Notice>,
    mut commands: Commands,
) {
    for action in actions.read() {
        let index = match *action {
            Action::OpenLesson(index) => index,
            Action::Lessons => lesson.last,
            _ => continue,
        };
        let Some(opened @ Lesson { map, erupting, subject, .. }) = LESSONS.get(index) else { continue };
        let volcanoes = if *erupting { VolcanoChoice::Erupting } else { VolcanoChoice::AsDrawn };
        if question.ask_to_leave(opener.map.is_unsaved(), Leaving::Act(*action)) {
            continue;
        }
        let bookmark = opener.pages.bookmark(opener.map.volcanoes());
        let position = opener.map.world().position();
        // A user's tileset may lack the terrain of the map.
        let Some(map) = opener.open_bundled(map, volcanoes) else {
            notices.write(Notice(format!("This tileset cannot show the lesson's map, {map}.")));
            continue;
        };
        lesson.before.get_or_insert_with(|| Before {
            options: choices.planning.0,
            watches_auto: *choices.watches_auto,
            travellers: *choices.travellers,
            map: Some(MapBefore { bookmark, overlay: *choices.overlay, traveller: position, goal: **goal }),
        });
        // The lesson is about the route from the tent to the castle.
        opener.pages.requested = RequestedEndpoints::default();
        lesson.last = index;
        lesson.open =
            Some(Open { index, phase: Phase::Predict, chosen: None, map, query: None, journey: None, left: None });
        choices.planning.0 = opened.options();
        choices.watches_auto.0 = false;
        choices.overlay.set_if_neq(OverlayChoice::None);
        // They come to the map, which has just been opened.
        let groups = opened.people().map_or(&[][..], |people| people.groups);
        *choices.travellers = Travellers { number: Some(1), groups, ..Travellers::default() };
        if opened.people().is_some() {
            // They are everywhere.
            commands.write_message(Action::Fit);
        }
        view.begin_paused();
        *screen = Screen { search: search_page(*subject), ..Screen::default() };
        info!(number = index + 1, "lesson opened");
    }
}

/// The search page on which the subject of a lesson is played.
fn search_page(subject: Subject) -> SearchPage {
    match subject {
        Subject::Search(_) => SearchPage::Open,
        Subject::People(_) | Subject::Journey(_) => SearchPage::Closed,
    }
}

/// Takes the player's answer, and runs the suggestions that the player tries.
fn answer(
    mut actions: MessageReader<Action>,
    mut lesson: ResMut<OpenLesson>,
    mut choices: Choices,
    mut people: ResMut<People>,
    mut screen: ResMut<Screen>,
    mut view: ResMut<SearchView>,
    mut commands: Commands,
) {
    for action in actions.read() {
        let phase = lesson.phase();
        let Some((_, shown)) = lesson.get() else { continue };
        let Some(open) = &mut lesson.bypass_change_detection().open else { continue };
        // The digits choose terrains only while the player paints.
        let action = match *action {
            Action::Brush(BrushChange::Take(place)) if !screen.is_painting() => Action::PredictLesson(place.into()),
            other => other,
        };
        match (action, phase) {
            (Action::PredictLesson(chosen), Some(Phase::Predict)) if chosen < shown.answers.len() => {
                open.phase = Phase::Play;
                open.chosen = Some(chosen);
                if shown.people().is_some_and(|people| people.shows_costs) {
                    choices.overlay.set_if_neq(OverlayChoice::Distance);
                }
                if let Some(journey) = shown.journey() {
                    commands.run_system_cached_with(journey::set_out, journey);
                }
                let is_right = chosen == shown.right;
                info!(answer = chosen + 1, is_right, "lesson answered");
            }
            (Action::TryLesson(tried), Some(Phase::Reveal)) if tried < shown.tries.len() => {
                match shown.tries[tried].change {
                    Change::Algorithm(algorithm) => choices.planning.0.algorithm = algorithm,
                    Change::Scale(scale) => choices.planning.0.scale = scale,
                    Change::Volcanoes => drop(commands.write_message(Action::Erupt)),
                    Change::People(groups) => {
                        choices.travellers.groups = groups;
                        people.come_again();
                        open.left = None;
                    }
                    Change::Journey(journey) => commands.run_system_cached_with(journey::set_out, journey),
                }
            }
            (Action::SendPeople(_), _) => {
                open.left = Some(LessonScreen::OtherPeople);
                continue;
            }
            _ => continue,
        }
        lesson.set_changed();
        screen.search = search_page(shown.subject);
        view.play_from_start();
    }
}

/// Lets the people of a lesson wait until the player has answered.
fn direct_people(lesson: Res<OpenLesson>, mut cue: ResMut<PeopleCue>) {
    let has_people = lesson.get().is_some_and(|(_, lesson)| lesson.people().is_some());
    cue.set_if_neq(match lesson.phase() {
        _ if !has_people => PeopleCue::None,
        Some(Phase::Predict) => PeopleCue::Wait,
        _ => PeopleCue::Walk,
    });
}

/// Shows the result once the search has been played to its end, or the people or the traveller have arrived. A player may
/// also play it without an answer, but a race or other people are another matter.
fn follow_playback(
    view: Res<SearchView>,
    map: Res<OpenMap>,
    screen: Res<LessonScreen>,
    mut lesson: ResMut<OpenLesson>,
) {
    let Some((_, shown)) = lesson.get().filter(|_| !matches!(*screen, LessonScreen::Race | LessonScreen::OtherPeople))
    else {
        return;
    };
    let (has_begun, is_over) = match (shown.subject, map.town()) {
        (Subject::Search(_), _) => (view.is_playing() || view.position() > 0, view.is_complete() && !view.is_empty()),
        (Subject::People(people), Some(town)) => {
            let is_late = town.now() >= CrowdTime::from_whole_seconds(people.seconds);
            (town.now() > CrowdTime::ZERO, is_late || town.on_the_way() == 0)
        }
        (Subject::People(_), None) => return,
        (Subject::Journey(_), _) => (false, lesson.journey().is_some_and(BegunJourney::has_arrived)),
    };
    let next = match lesson.phase() {
        Some(Phase::Predict) if has_begun => Phase::Play,
        Some(Phase::Play) if is_over => Phase::Reveal,
        _ => return,
    };
    if let Some(open) = &mut lesson.open {
        open.phase = next;
    }
}

/// Closes the lesson when the player opens another map, and stays on that map.
fn close_with_map(_: On<MapOpened>, map: Res<OpenMap>, mut lesson: ResMut<OpenLesson>) {
    if lesson.open.as_ref().is_some_and(|open| open.map != map.frame().opened) {
        lesson.close();
        if let Some(before) = &mut lesson.before {
            before.map = None;
        }
    }
}

/// Restores the state before the lesson, once the lesson is closed.
fn restore(
    mut lesson: ResMut<OpenLesson>,
    mut choices: Choices,
    mut people: ResMut<People>,
    mut opener: MapOpener,
    mut commands: Commands,
) {
    if lesson.open.is_some() {
        return;
    }
    let Some(before) = lesson.before.take() else { return };
    choices.planning.0 = before.options;
    *choices.watches_auto = before.watches_auto;
    *choices.travellers = before.travellers;
    people.come_again();
    if let Some(map) = before.map
        && opener.reopen(&map.bookmark)
    {
        choices.overlay.set_if_neq(map.overlay);
        // After the observers, which begin a journey from the tent.
        commands.run_system_cached_with(continue_journey, map);
    }
}

/// Puts the traveller where it was before the lesson, unless its cell is blocked now: the file may have changed.
fn continue_journey(
    In(MapBefore { traveller, goal, .. }): In<MapBefore>,
    mut player: PutTraveller,
    mut current: Single<&mut TravellerGoal, With<Player>>,
) {
    let is_ground = |traveller: Position| player.map.costs().is_passable(traveller.cell);
    if traveller.is_some_and(is_ground) && goal.cell.is_none_or(|goal| player.map.size().contains(goal)) {
        player.put(traveller);
        if current.cell != goal.cell || current.sent != goal.sent {
            current.set(goal.cell, goal.sent);
        }
    }
}
