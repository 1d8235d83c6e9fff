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

use super::recorded_search::SearchView;

/// At most this many cells with the same f are counted.
const MOST_EQUAL: usize = 100;

/// The predictions of the player, in the search that is watched.
#[derive(Resource, Debug, Default)]
pub struct Prediction {
    is_on: bool,
    right: usize,
    made: usize,
    /// What was said about the last one.
    said: String,
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

    /// What is said about the last prediction; empty before the first one.
    pub fn said(&self) -> &str {
        &self.said
    }
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

/// Whether a cell is open in the search that is watched.
fn is_open(view: &SearchView, cell: Cell) -> bool {
    let state = view.search().and_then(|search| search.recording.at(view.position()).state(cell));
    state.is_some_and(|state| !state.is_closed)
}

/// Makes a click on an open cell, or Enter there, a prediction instead of an order to walk.
fn take_clicks(
    prediction: Res<Prediction>,
    screen: Res<Screen>,
    view: Res<SearchView>,
    cursor: Res<TileCursor>,
    mut actions: MessageMutator<Action>,
) {
    if !prediction.is_on || screen.search != SearchPage::Open {
        actions.clear();
        return;
    }
    for action in actions.read() {
        let cell = match *action {
            Action::Go(cell) => Some(cell),
            Action::GoToCursor { .. } => cursor.0,
            _ => None,
        };
        if let Some(cell) = cell.filter(|cell| is_open(&view, *cell)) {
            *action = Action::Predict(cell);
        }
    }
}

fn act(
    mut actions: MessageReader<Action>,
    screen: Res<Screen>,
    mut view: ResMut<SearchView>,
    mut prediction: ResMut<Prediction>,
) {
    if prediction.is_on && (screen.search != SearchPage::Open || prediction.generation != view.generation()) {
        *prediction =
            Prediction { is_on: screen.search == SearchPage::Open, generation: view.generation(), ..default() };
    }
    for action in actions.read() {
        match *action {
            Action::TogglePrediction => {
                *prediction = Prediction { is_on: !prediction.is_on, generation: view.generation(), ..default() };
                if prediction.is_on {
                    let begin = if view.is_complete() { 0 } else { view.position() };
                    ask_from(&mut view, begin);
                }
            }
            Action::Predict(cell) => {
                if let Some((is_right, said, next)) = judged(&view, cell) {
                    prediction.right += usize::from(is_right);
                    prediction.made += 1;
                    prediction.said = said;
                    ask_from(&mut view, next);
                }
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
    let is_right = predicted.f == smallest.f;
    let counts_steps = recording.query().options.algorithm == Algorithm::BreadthFirst;
    let key =
        |f: RouteCost| if counts_steps { format!("{} steps", steps_of(f)) } else { format!("f {:.2}", f.tiles()) };
    let said = match (is_right, equal) {
        (false, _) => {
            format!("Not yet: {cell} has {}, and {taken} has {}, which is lower.", key(predicted.f), key(smallest.f))
        }
        (true, 1) => format!("Right: {} is the lowest.", key(smallest.f)),
        (true, _) if taken == cell => format!("Right: {equal} cells have {}, the lowest.", key(smallest.f)),
        (true, _) => {
            format!("Right: {equal} cells have {}, the lowest. This search takes {taken}.", key(smallest.f))
        }
    };
    Some((is_right, said, question + 1))
}
