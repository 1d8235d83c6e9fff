//! Whether the screen still shows the subject of the open lesson.

use bevy::prelude::*;

use crate::game::journey::goal::TravellerGoal;
use crate::game::journey::planning::GridQuery;
use crate::game::journey::traveller::Player;
use crate::game::people::town::Travellers;
use crate::game::screen::mode::{Screen, SearchPage};
use crate::game::search_view::current_query::CurrentQuery;
use crate::lessons::{LESSONS, Lesson, Subject};
use emberwalk_world::town::Group;

use super::{Open, OpenLesson};

/// How far the screen still shows the subject of the open lesson.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LessonScreen {
    /// It shows the search, the people or the traveller of the lesson.
    #[default]
    AsBegun,
    /// It shows a variant of them, such as a suggestion of the lesson.
    Variant,
    /// The search view is closed, in a lesson about a search.
    Closed,
    /// The search view is open, in a lesson about people or a journey.
    Search,
    /// A race is open.
    Race,
    /// The terrain differs.
    OtherTerrain,
    /// The start or the goal differs, or is missing.
    OtherEnds,
    /// The volcanoes erupt at another time than the lesson has announced.
    OtherEruption,
    /// The options of the search or the traveller, or the rules for steps, are not the subject of the lesson.
    OtherOptions,
    /// There are other people, or the player has sent some of them elsewhere.
    OtherPeople,
}

impl LessonScreen {
    /// Whether it shows the subject of the lesson, or a variant of it.
    pub fn is_on_subject(self) -> bool {
        matches!(self, Self::AsBegun | Self::Variant)
    }
}

/// Notices when the player has left the subject of the lesson: the search, the people or the journey, the map, the goal, or
/// the view. The lesson's own suggestions stay on the subject.
pub(super) fn compare_with_screen(
    current: CurrentQuery,
    screen: Res<Screen>,
    travellers: Res<Travellers>,
    player: Single<&TravellerGoal, With<Player>>,
    mut lesson: ResMut<OpenLesson>,
    mut lesson_screen: ResMut<LessonScreen>,
) {
    let Some(open) = &mut lesson.bypass_change_detection().open else { return };
    let shown = &LESSONS[open.index];
    let query = current.query();
    let compared = match (shown.subject, screen.search) {
        _ if open.query.is_none() => LessonScreen::AsBegun,
        (_, SearchPage::Race) => LessonScreen::Race,
        (Subject::Search(_), SearchPage::Closed) => LessonScreen::Closed,
        (Subject::People(_) | Subject::Journey(_), SearchPage::Open) => LessonScreen::Search,
        (Subject::Journey(_), _) => compare_journey(shown, open, &current, &player),
        (Subject::People(_), _) if player.sent => LessonScreen::OtherEnds,
        (Subject::People(_), _) if open.left.is_some() || !shown.speaks_of_people(travellers.groups) => {
            LessonScreen::OtherPeople
        }
        _ => match open.query.zip(query) {
            None => LessonScreen::OtherEnds,
            Some((begun, now)) => compare(shown, begun, now, current.map.is_unsaved(), travellers.groups),
        },
    };
    open.query = open.query.or(query);
    lesson_screen.set_if_neq(compared);
}

/// Compares a query and the people with their state at the beginning of the lesson.
fn compare(lesson: &Lesson, begun: GridQuery, now: GridQuery, is_painted: bool, groups: &[Group]) -> LessonScreen {
    let ends = |GridQuery { query, .. }: &GridQuery| (query.from, query.to);
    let has_same_people = lesson.people().is_none_or(|people| people.groups == groups);
    match now {
        _ if ends(&now) != ends(&begun) => LessonScreen::OtherEnds,
        _ if now.grid != begun.grid && (is_painted || !lesson.lets_volcanoes_change()) => LessonScreen::OtherTerrain,
        _ if !lesson.speaks_of(&now.query.options) => LessonScreen::OtherOptions,
        _ if now == begun && has_same_people => LessonScreen::AsBegun,
        _ => LessonScreen::Variant,
    }
}

/// Compares the journey of the traveller, and the announced eruption, with the lesson.
fn compare_journey(lesson: &Lesson, open: &mut Open, current: &CurrentQuery, goal: &TravellerGoal) -> LessonScreen {
    let map = &current.map;
    let (journey, castle) = (open.journey, map.castle());
    let has_arrived = journey.is_some_and(|journey| journey.has_arrived());
    let is_at_castle = map.world().walker().map(|walker| walker.entered()) == castle;
    let is_same = goal.cell == castle && goal.sent == journey.is_some() && (is_at_castle || !has_arrived);
    let erupts_as_announced = match &journey {
        Some(journey) => journey.erupts_as_announced(map.world()),
        None => map.world().announced().is_none() && map.erupting().is_empty() != lesson.erupting,
    };
    let compared = match journey {
        _ if !is_same => LessonScreen::OtherEnds,
        _ if map.town().is_some() => LessonScreen::OtherPeople,
        _ if map.is_unsaved() => LessonScreen::OtherTerrain,
        _ if !lesson.speaks_of(&current.options()) => LessonScreen::OtherOptions,
        _ if !erupts_as_announced => LessonScreen::OtherEruption,
        Some(journey) if Some(journey.announced) != lesson.journey() => LessonScreen::Variant,
        _ => LessonScreen::AsBegun,
    };
    if journey.is_some() && !has_arrived && !compared.is_on_subject() {
        // Whatever happens on the way, the arrival differs from the expected one.
        open.left = open.left.or(Some(compared));
    }
    open.left.unwrap_or(compared)
}
