//! Opens and closes lessons: a map, the options of a search, and the search view, which plays the search once the
//! player has predicted the result.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use tracing::info;

use crate::lessons::{Change, Drawn, LESSONS, Lesson};
use bevy_emberwalk::GridPosition;
use emberwalk_path::grid::Cell;
use emberwalk_path::trace::Recording;
use emberwalk_path::{CostGrid, Options, Planner, RouteQuery};

use crate::game::action::{Action, BrushChange};
use crate::game::app_systems::AppSystems;
use crate::game::journey::goal::Goal;
use crate::game::journey::planning::GridQuery;
use crate::game::journey::planning::PlanningOptions;
use crate::game::journey::traveller::{MovedTraveller, Player, Traveller};
use crate::game::screen::mode::{Screen, SearchPage};
use crate::game::screen::notice::Notice;
use crate::game::search_view::options::WatchesAuto;
use crate::game::search_view::present_query::PresentQuery;
use crate::game::search_view::recorded_search::SearchView;
use crate::game::world::open_map::{MapOpened, OpenMap};
use crate::game::world::opener::MapOpener;
use crate::game::world::pages::Bookmark;
use crate::game::world::question::{Leaving, OpenQuestion};
use crate::game::world::request::RequestedEndpoints;
use crate::game::world::volcanoes::VolcanoChoice;

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
    /// The query of its search, once it is known.
    query: Option<GridQuery>,
}

/// The stage of a lesson.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// The player is asked what the search will do. The search waits at its start.
    #[default]
    Predict,
    /// The search is played.
    Play,
    /// The dock shows the result, and the player can try something else.
    Reveal,
}

/// The state that a lesson replaces.
struct Before {
    options: Options,
    watches_auto: WatchesAuto,
    /// `None` if the player has opened another map since.
    map: Option<MapBefore>,
}

struct MapBefore {
    bookmark: Bookmark,
    traveller: Option<GridPosition>,
    goal: Goal,
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

    /// The index of the answer that the player has chosen; `None` before, and if the player has played the search
    /// without an answer.
    pub fn chosen(&self) -> Option<usize> {
        self.open.as_ref().and_then(|open| open.chosen)
    }

    /// Closes it. The map that was open before, the journey on it and the player's own options come back in the same
    /// frame.
    pub(in crate::game) fn close(&mut self) {
        self.open = None;
    }
}

/// How far the screen still shows the subject of the open lesson.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LessonScreen {
    /// It shows the search of the lesson.
    #[default]
    AsBegun,
    /// It shows a variant of that search, such as one that the lesson suggests.
    Variant,
    /// The search view is closed.
    Closed,
    /// A race takes the place of the search view.
    Race,
    /// The terrain is another one.
    OtherTerrain,
    /// The start or the goal is another one, or there is none.
    OtherEnds,
    /// The options of the search are not the subject of the lesson.
    OtherOptions,
}

impl LessonScreen {
    /// Whether it shows the search of the lesson, or a variant of it.
    pub fn is_on_subject(self) -> bool {
        matches!(self, Self::AsBegun | Self::Variant)
    }
}

/// The marks on the map for the answers of the open lesson while the player is asked; empty at other times.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct LessonAnswers {
    /// For each answer the cells of its route or area.
    pub drawn: Vec<DrawnAnswer>,
    /// The index of the only answer that is drawn while the player points at it.
    pub pointed: Option<usize>,
}

/// The cells that represent an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DrawnAnswer {
    /// A route, from the tent to the castle.
    Route(Vec<Cell>),
    /// An area, row by row.
    Area(Vec<Cell>),
}

impl LessonAnswers {
    /// The index and the cells of each answer that is drawn now, the largest area first.
    pub fn shown(&self) -> Vec<(usize, &DrawnAnswer)> {
        let is_shown = |index: usize| self.pointed.is_none_or(|pointed| pointed == index);
        let mut shown: Vec<_> = self.drawn.iter().enumerate().filter(|(index, _)| is_shown(*index)).collect();
        shown.sort_by_key(|(_, drawn)| match drawn {
            DrawnAnswer::Area(cells) => std::cmp::Reverse(cells.len()),
            DrawnAnswer::Route(_) => std::cmp::Reverse(0),
        });
        shown
    }
}

/// The colours of the answers on the map, by their index. They can be distinguished without hues, too.
pub(in crate::game) const ANSWER_COLOURS: [Color; 3] =
    [Color::srgb(1.0, 0.86, 0.36), Color::srgb(0.36, 0.70, 1.0), Color::srgb(0.80, 0.32, 0.62)];

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<OpenLesson>()
        .init_resource::<LessonScreen>()
        .init_resource::<LessonAnswers>()
        .add_observer(close_with_map)
        .add_systems(Update, (open, answer).chain().in_set(AppSystems::Act))
        .add_systems(
            Update,
            (
                restore.run_if(resource_changed::<OpenLesson>).after(AppSystems::Switch).before(AppSystems::Plan),
                compare_with_screen.after(AppSystems::Plan).before(AppSystems::Walk),
                (follow_playback, draw_answers).chain().after(AppSystems::Walk).before(AppSystems::Show),
            ),
        );
}

/// The options that a lesson replaces.
#[derive(SystemParam)]
struct OwnOptions<'w> {
    planning: ResMut<'w, PlanningOptions>,
    watches_auto: ResMut<'w, WatchesAuto>,
}

#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn open(
    mut actions: MessageReader<Action>,
    mut opener: MapOpener,
    mut options: OwnOptions,
    player: Single<(Traveller, &Goal), With<Player>>,
    mut lesson: ResMut<OpenLesson>,
    mut screen: ResMut<Screen>,
    mut view: ResMut<SearchView>,
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
        if question.ask_to_leave(opener.map.is_unsaved(), Leaving::Act(*action)) {
            continue;
        }
        let bookmark = opener.bookmark();
        // A user's tileset may lack the terrain of the map.
        let Some(opened) = opener.open_bundled(map, volcanoes) else {
            notices.write(Notice(format!("This tileset cannot show the lesson's map, {map}.")));
            continue;
        };
        lesson.before.get_or_insert_with(|| Before {
            options: options.planning.0,
            watches_auto: *options.watches_auto,
            map: Some(MapBefore { bookmark, traveller: player.0.place().copied(), goal: *player.1 }),
        });
        // The lesson is about the route from the tent to the castle.
        opener.pages.requested = RequestedEndpoints::default();
        lesson.last = index;
        lesson.open = Some(Open { index, phase: Phase::Predict, chosen: None, map: opened, query: None });
        options.planning.0 = LESSONS[index].search.options();
        options.watches_auto.0 = false;
        view.begin_paused();
        *screen = Screen { search: SearchPage::Open, ..Screen::default() };
        info!(number = index + 1, "lesson opened");
    }
}

/// Takes the player's answer, and runs the suggestions that the player tries.
fn answer(
    mut actions: MessageReader<Action>,
    mut lesson: ResMut<OpenLesson>,
    mut options: ResMut<PlanningOptions>,
    mut screen: ResMut<Screen>,
    mut view: ResMut<SearchView>,
    mut commands: Commands,
) {
    for action in actions.read() {
        let Some((index, &Lesson { answers, tries, .. })) = lesson.get() else { continue };
        // The digits choose terrains only while the player paints.
        let action = match *action {
            Action::Brush(BrushChange::Take(place)) if !screen.is_painting() => Action::PredictLesson(place.into()),
            other => other,
        };
        match (action, lesson.phase()) {
            (Action::PredictLesson(chosen), Some(Phase::Predict)) if chosen < answers.len() => {
                if let Some(open) = &mut lesson.open {
                    open.phase = Phase::Play;
                    open.chosen = Some(chosen);
                }
                screen.search = SearchPage::Open;
                view.play_from_start();
                let is_right = chosen == LESSONS[index].right;
                info!(answer = chosen + 1, is_right, "lesson answered");
            }
            (Action::TryLesson(tried), Some(Phase::Reveal)) if tried < tries.len() => {
                match tries[tried].change {
                    Change::Algorithm(algorithm) => options.0.algorithm = algorithm,
                    Change::Scale(scale) => options.0.scale = scale,
                    Change::Volcanoes => drop(commands.write_message(Action::Erupt)),
                }
                screen.search = SearchPage::Open;
                view.play_from_start();
            }
            _ => {}
        }
    }
}

/// Shows the result once the search has been played to its end. A player may also play it without an answer, but a race
/// is another matter.
fn follow_playback(view: Res<SearchView>, screen: Res<LessonScreen>, mut lesson: ResMut<OpenLesson>) {
    let Some(Open { phase, .. }) = lesson.open.as_ref().filter(|_| *screen != LessonScreen::Race) else { return };
    let is_over = view.is_complete() && !view.is_empty();
    let next = match phase {
        Phase::Predict if view.is_playing() || view.position() > 0 => Phase::Play,
        Phase::Play if is_over => Phase::Reveal,
        _ => return,
    };
    if let Some(open) = &mut lesson.open {
        open.phase = next;
    }
}

/// Finds the cells that represent the answers, while the player is asked.
fn draw_answers(
    lesson: Res<OpenLesson>,
    screen: Res<LessonScreen>,
    present: PresentQuery,
    mut drawn_for: Local<Option<(usize, GridQuery)>>,
    mut answers: ResMut<LessonAnswers>,
) {
    let is_asked = screen.is_on_subject() && lesson.phase() == Some(Phase::Predict);
    let asked = lesson.get().filter(|_| is_asked).zip(present.query());
    let question = asked.map(|((index, _), query)| (index, query));
    if *drawn_for == question {
        return;
    }
    *drawn_for = question;
    let draw = |((_, lesson), GridQuery { query, .. }): ((usize, &Lesson), GridQuery)| {
        lesson.answers.iter().map(|answer| draw(answer.drawn, present.map.costs(), query)).collect()
    };
    *answers = LessonAnswers { drawn: asked.map(draw).unwrap_or_default(), pointed: None };
}

/// The cells that represent an answer about the search between the ends of a query. The lesson maps are small.
fn draw(drawn: Drawn, grid: &CostGrid, query: RouteQuery) -> DrawnAnswer {
    let mut planner = Planner::new();
    match drawn {
        Drawn::Route(search) => {
            let result = planner.plan(grid, &query.with_options(search.options()));
            DrawnAnswer::Route(result.map(|result| result.cells().to_vec()).unwrap_or_default())
        }
        Drawn::Area(search) => {
            let recording = Recording::new(&mut planner, grid, &query.with_options(search.options()));
            DrawnAnswer::Area(recording.map_or_else(
                |_| Vec::new(),
                |recording| {
                    let end = recording.at(recording.len());
                    let is_closed = |cell: &Cell| end.state(*cell).is_some_and(|state| state.is_closed);
                    grid.size().cells().filter(is_closed).collect()
                },
            ))
        }
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
fn restore(mut lesson: ResMut<OpenLesson>, mut options: OwnOptions, mut opener: MapOpener, mut commands: Commands) {
    if lesson.open.is_some() {
        return;
    }
    let Some(before) = lesson.before.take() else { return };
    options.planning.0 = before.options;
    *options.watches_auto = before.watches_auto;
    if let Some(map) = before.map
        && opener.reopen(&map.bookmark)
    {
        // After the observers, which begin a journey from the tent.
        commands.run_system_cached_with(continue_journey, map);
    }
}

/// Puts the traveller where it was before the lesson, unless that is no longer ground: the file may have changed.
fn continue_journey(
    In(MapBefore { traveller, goal, .. }): In<MapBefore>,
    map: Res<OpenMap>,
    player: Single<(MovedTraveller, &mut Goal), With<Player>>,
    mut commands: Commands,
) {
    let is_ground = |traveller: GridPosition| map.costs().is_passable(traveller.entered());
    if traveller.is_some_and(is_ground) && goal.cell.is_none_or(|goal| map.size().contains(goal)) {
        let (mut here, mut present) = player.into_inner();
        here.put(traveller, &mut commands);
        if present.cell != goal.cell || present.sent != goal.sent {
            present.set(goal.cell, goal.sent);
        }
    }
}

/// Notices when the player has left the subject of the lesson: the search, the map, the goal, or the view. The lesson's
/// own suggestions stay on the subject.
fn compare_with_screen(
    present: PresentQuery,
    screen: Res<Screen>,
    mut lesson: ResMut<OpenLesson>,
    mut lesson_screen: ResMut<LessonScreen>,
) {
    let Some(open) = &mut lesson.bypass_change_detection().open else { return };
    let query = present.query();
    let compared = match (open.query, screen.search) {
        (None, _) => LessonScreen::AsBegun,
        (_, SearchPage::Closed) => LessonScreen::Closed,
        (_, SearchPage::Race) => LessonScreen::Race,
        (Some(begun), SearchPage::Open) => match query {
            None => LessonScreen::OtherEnds,
            Some(now) => compare(&LESSONS[open.index], begun, now, present.map.is_unsaved()),
        },
    };
    open.query = open.query.or(query);
    lesson_screen.set_if_neq(compared);
}

/// Compares a query with the one with which the lesson began.
fn compare(lesson: &Lesson, begun: GridQuery, now: GridQuery, is_painted: bool) -> LessonScreen {
    let ends = |GridQuery { query, .. }: &GridQuery| (query.from, query.to);
    match now {
        _ if ends(&now) != ends(&begun) => LessonScreen::OtherEnds,
        _ if now.grid != begun.grid && (is_painted || !lesson.lets_volcanoes_change()) => LessonScreen::OtherTerrain,
        _ if !lesson.speaks_of(&now.query.options) => LessonScreen::OtherOptions,
        _ if now == begun => LessonScreen::AsBegun,
        _ => LessonScreen::Variant,
    }
}
