//! Draws the answers of the open lesson on the map while the player is asked.

use bevy::prelude::*;

use crate::game::journey::planning::GridQuery;
use crate::game::search_view::current_query::CurrentQuery;
use crate::lessons::{Drawn, Lesson};
use emberwalk_map::Map;
use emberwalk_path::grid::Cell;
use emberwalk_path::trace::Recording;
use emberwalk_path::{Planner, RouteQuery};

use super::{LessonScreen, OpenLesson, Phase};

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

/// Finds the cells that represent the answers, while the player is asked.
pub(super) fn draw_answers(
    lesson: Res<OpenLesson>,
    screen: Res<LessonScreen>,
    current: CurrentQuery,
    mut drawn_for: Local<Option<(usize, GridQuery)>>,
    mut answers: ResMut<LessonAnswers>,
) {
    let is_asked = screen.is_on_subject() && lesson.phase() == Some(Phase::Predict);
    let asked = lesson.get().filter(|_| is_asked).zip(current.query());
    let question = asked.map(|((index, _), query)| (index, query));
    if *drawn_for == question {
        return;
    }
    *drawn_for = question;
    let draw = |((_, lesson), GridQuery { query, .. }): ((usize, &Lesson), GridQuery)| {
        let drawn = lesson.answers.iter().filter_map(|answer| answer.drawn);
        drawn.map(|drawn| draw(drawn, &current.map, query)).collect()
    };
    *answers = LessonAnswers { drawn: asked.map(draw).unwrap_or_default(), pointed: None };
}

/// The cells that represent an answer about the route between the ends of a query. The lesson maps are small.
fn draw(drawn: Drawn, map: &Map, query: RouteQuery) -> DrawnAnswer {
    let mut planner = Planner::new();
    let grid = map.costs();
    match drawn {
        Drawn::Route(options) => {
            let result = planner.plan(grid, &query.with_options(options));
            DrawnAnswer::Route(result.map(|result| result.cells().to_vec()).unwrap_or_default())
        }
        Drawn::Journey(journey) => {
            let world = journey.world(map);
            let result = planner.plan_ahead(&world.outlook(), &query, world.departure());
            DrawnAnswer::Route(result.map(|result| result.cells().collect()).unwrap_or_default())
        }
        Drawn::Area(options) => {
            let recording = Recording::new(&mut planner, grid, &query.with_options(options));
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
