//! Predictions of the cell that the search takes next.

use emberwalk::game::search_view::prediction::Prediction;
use emberwalk_path::trace::Opened;

use crate::prelude::*;
use crate::search_view::view;

fn prediction(game: &Game) -> &Prediction {
    game.get()
}

/// The feedback on the last prediction.
fn said(game: &Game) -> &str {
    prediction(game).feedback().expect("there was one").1
}

/// The open cells with the smallest f, the smallest first.
fn best(game: &Game) -> Vec<Opened> {
    view(game).search().unwrap().recording.at(view(game).position()).best_open(1000)
}

/// A paused search from its start, in which the player predicts.
fn predicting(algorithm: Algorithm) -> Game {
    let mut game = Game::on_bundled("figures/road");
    game.plan_with(Options::default().with_algorithm(algorithm));
    game.ask(Action::ToggleSearchView);
    game.wait_until("the search is recorded", |game| view(game).search().is_some());
    game.ask(Action::Playback(Playback::Start));
    game.ask(Action::TogglePrediction);
    assert!(prediction(&game).is_on() && !view(&game).is_playing());
    game
}

#[test]
fn any_of_the_cells_with_the_smallest_f_is_right_and_the_search_goes_on_to_the_next_question() {
    let mut game = predicting(Algorithm::AStar);
    let goal = view(&game).search().unwrap().recording.query().to;
    let mut made = 0;
    while !view(&game).is_complete() {
        let best = best(&game);
        let equal: Vec<_> = best.iter().filter(|opened| opened.f == best[0].f).collect();
        // Also cells that the search does not take first.
        let predicted = equal[made % equal.len()].cell;
        let position = view(&game).position();
        game.ask(Action::Go(predicted));
        made += 1;
        assert_eq!(prediction(&game).score(), (made, made), "{predicted}");
        assert!(said(&game).starts_with("Right: "), "{}", said(&game));
        assert!(view(&game).position() > position);
    }
    assert!(made > 10 && view(&game).search().unwrap().recording.result().found());
    assert_eq!(view(&game).search().unwrap().recording.query().to, goal, "no click was an order to walk");
}

#[test]
fn a_wrong_prediction_is_told_with_both_f() {
    let mut game = predicting(Algorithm::AStar);
    let (first, worst) = loop {
        let best = best(&game);
        let (first, last) = (best[0], best[best.len() - 1]);
        if first.f < last.f {
            break (first, last);
        }
        game.ask(Action::Go(first.cell));
    };
    let (right, made) = prediction(&game).score();
    game.ask(Action::Go(worst.cell));
    assert_eq!(prediction(&game).score(), (right, made + 1));
    let said = said(&game);
    let begin = format!("Not yet: {} has f {:.2}, and ", worst.cell, worst.f.tiles());
    assert!(
        said.starts_with(&begin) && said.ends_with(&format!("has f {:.2}, which is lower.", first.f.tiles())),
        "{said}"
    );
}

#[test]
fn a_click_elsewhere_is_told_and_changes_nothing() {
    let mut game = predicting(Algorithm::AStar);
    let first = best(&game)[0].cell;
    game.ask(Action::Go(first));
    assert_eq!(prediction(&game).score(), (1, 1));
    let unseen = crate::play::at(8, 1);
    assert!(view(&game).search().unwrap().recording.at(view(&game).position()).state(unseen).is_none());
    let position = view(&game).position();
    game.ask(Action::Go(unseen));
    assert_eq!(said(&game), "8,1 is not open. Choose an outlined cell.");
    assert_eq!((prediction(&game).score(), view(&game).position()), ((1, 1), position));
    assert_ne!(view(&game).search().unwrap().recording.query().to, unseen);
    game.ask(Action::TogglePrediction);
    assert!(!prediction(&game).is_on());
}

/// A search may take another cell before the cell with the smallest f.
#[test]
fn the_cell_that_the_search_takes_is_always_right() {
    let algorithms =
        [Algorithm::Dijkstra, Algorithm::BreadthFirst, Algorithm::Greedy, Algorithm::Weighted { weight: 1.3 }];
    for algorithm in algorithms {
        let mut game = predicting(algorithm);
        while !view(&game).is_complete() {
            let recording = &view(&game).search().unwrap().recording;
            let taken = recording.cell_of_event(view(&game).position()).unwrap();
            game.ask(Action::Go(taken));
            assert!(said(&game).starts_with("Right: "), "{algorithm}: {}", said(&game));
        }
        let (right, made) = prediction(&game).score();
        assert!(right == made && made > 10, "{algorithm}");
        // After the last one, a click sets a goal again.
        let goal = crate::play::at(8, 1);
        game.ask(Action::Go(goal));
        game.wait_until("another search is recorded", |game| {
            view(game).search().is_some_and(|search| search.recording.query().to == goal)
        });
    }
}

#[test]
fn nobody_is_asked_in_the_painting_mode() {
    let mut game = predicting(Algorithm::AStar);
    game.ask_and_show(Action::TogglePainting);
    assert!(!prediction(&game).is_on());
}
