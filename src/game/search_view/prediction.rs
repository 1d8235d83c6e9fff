//! The player predicts which cell the search takes next, by clicks on open cells.

use bevy::prelude::*;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::screen::mode::{Screen, SearchPage};
use crate::game::world::pointed_cells::TileCursor;
use emberwalk_path::grid::Cell;
use emberwalk_path::trace::Recording;
use emberwalk_path::{Algorithm, RouteCost};
use emberwalk_picture::overlay::steps_of;

use super::best_open::MAX_LOOKED_THROUGH;
use super::lesson::OpenLesson;
use super::recorded_search::{RecordedSearch, SearchView};

/// The maximum number of cells with the same f that are counted.
const MOST_EQUAL: usize = 100;

/// The predictions of the player, in the search that is watched.
#[derive(Resource, Debug, Default)]
pub struct Prediction {
    is_on: bool,
    right: usize,
    made: usize,
    /// Whether the last one was right, and the feedback on it.
    last: Option<(bool, String)>,
    /// The number of the search.
    generation: u64,
}

impl Prediction {
    /// Whether the player is asked which cell comes next.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// How many predictions were right, and how many were made.
    pub fn score(&self) -> (usize, usize) {
        (self.right, self.made)
    }

    /// Whether the last prediction was right, and the feedback on it; `None` before the first one.
    pub fn feedback(&self) -> Option<(bool, &str)> {
        self.last.as_ref().map(|(is_right, said)| (*is_right, said.as_str()))
    }
}

/// Whether the player can predict: the search view plays a search of the planner that is not too long.
pub(in crate::game) fn is_possible(screen: &Screen, lesson: &OpenLesson, view: &SearchView) -> bool {
    let fits = |search: &RecordedSearch| search.verdict.is_none() && search.recording.len() <= MAX_LOOKED_THROUGH;
    let is_open = screen.search == SearchPage::Open && !screen.is_painting() && lesson.get().is_none();
    is_open && view.search().is_none_or(fits)
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Prediction>()
        .add_systems(Update, take_clicks.after(AppSystems::Listen).before(AppSystems::Act))
        .add_systems(Update, act.in_set(AppSystems::Act));
}

/// The position at which the player is asked next: the event there closes a cell.
fn next_question(recording: &Recording, position: usize) -> Option<usize> {
    (position..recording.len()).find(|next| recording.event(*next).is_some_and(|event| event.is_closed()))
}

/// Makes a click on a cell, or Enter there, a prediction instead of an order to walk.
fn take_clicks(
    prediction: Res<Prediction>,
    (screen, lesson): (Res<Screen>, Res<OpenLesson>),
    view: Res<SearchView>,
    cursor: Res<TileCursor>,
    mut actions: MessageMutator<Action>,
) {
    if !prediction.is_on || !is_possible(&screen, &lesson, &view) || view.is_complete() {
        actions.clear();
        return;
    }
    for action in actions.read() {
        let cell = match *action {
            Action::Go(cell) => Some(cell),
            Action::GoToCursor { .. } => cursor.0,
            _ => None,
        };
        if let Some(cell) = cell {
            *action = Action::Predict(cell);
        }
    }
}

fn act(
    mut actions: MessageReader<Action>,
    (screen, lesson): (Res<Screen>, Res<OpenLesson>),
    mut view: ResMut<SearchView>,
    mut prediction: ResMut<Prediction>,
) {
    let is_possible = is_possible(&screen, &lesson, &view);
    if prediction.is_on && (!is_possible || prediction.generation != view.generation()) {
        *prediction = Prediction { is_on: is_possible, generation: view.generation(), ..default() };
        if is_possible {
            let position = view.position();
            ask_from(&mut view, position);
        }
    }
    for action in actions.read() {
        match *action {
            Action::TogglePrediction => {
                let is_on = !prediction.is_on && is_possible;
                *prediction = Prediction { is_on, generation: view.generation(), ..default() };
                if prediction.is_on {
                    let begin = if view.is_complete() { 0 } else { view.position() };
                    ask_from(&mut view, begin);
                }
            }
            Action::Predict(cell) => {
                let Some((is_right, said, next)) = judged(&view, cell) else {
                    prediction.last = Some((false, format!("{cell} is not open. Choose an outlined cell.")));
                    continue;
                };
                prediction.right += usize::from(is_right);
                prediction.made += 1;
                prediction.last = Some((is_right, said));
                ask_from(&mut view, next);
            }
            _ => {}
        }
    }
}

/// Goes to the next question from a position on.
fn ask_from(view: &mut SearchView, position: usize) {
    let end = view.len();
    let next = view.search().and_then(|search| next_question(&search.recording, position));
    view.go_to(next.unwrap_or(end));
}

/// Whether a cell may be taken next, what is said about that, and the position after the cell that was taken.
fn judged(view: &SearchView, cell: Cell) -> Option<(bool, String, usize)> {
    let recording = &view.search()?.recording;
    let question = next_question(recording, view.position())?;
    let moment = recording.at(question);
    let predicted = moment.state(cell).filter(|state| !state.is_closed)?;
    let best = moment.best_open(MOST_EQUAL);
    let smallest = best.first()?;
    let taken = recording.cell_of_event(question)?;
    let equal = best.iter().filter(|opened| opened.f == smallest.f).count();
    let equal = if equal == MOST_EQUAL { format!("at least {equal}") } else { equal.to_string() };
    let is_right = predicted.f == smallest.f || cell == taken;
    let counts_steps = recording.query().options.algorithm == Algorithm::BreadthFirst;
    let key =
        |f: RouteCost| if counts_steps { format!("{} steps", steps_of(f)) } else { format!("f {:.2}", f.tiles()) };
    let (own, lowest) = (key(predicted.f), key(smallest.f));
    let said = if !is_right {
        format!("Not yet: {cell} has {own}, and {} has {lowest}, which is lower.", smallest.cell)
    } else if predicted.f > smallest.f {
        format!("Right: this search takes {cell}. Cells whose f is nearly equal come in any order.")
    } else if equal == "1" {
        format!("Right: {lowest} is the lowest.")
    } else if taken == cell {
        format!("Right: {equal} cells have {lowest}, the lowest.")
    } else {
        format!("Right: {equal} cells have {lowest}, the lowest. This search takes {taken}.")
    };
    Some((is_right, said, question + 1))
}
