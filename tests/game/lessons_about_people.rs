//! Lessons about people: they wait until the player has answered, then they set out, and everything is as before when
//! the lesson is closed.

use bevy::input::keyboard::KeyCode;
use bevy::prelude::*;

use emberwalk::game::action::{Action, OverlayChoice};
use emberwalk::game::people::town::Travellers;
use emberwalk::game::screen::mode::{Screen, SearchPage};
use emberwalk::game::search_view::lesson::{LessonAnswers, LessonScreen, OpenLesson, Phase};
use emberwalk::lessons::LESSONS;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{Algorithm, Moves, Options};
use emberwalk_world::town::Town;

use crate::keys::press_key;
use crate::play::{Game, at};

/// The indices of the lessons about a bridge and about a thousand people.
const BRIDGE: usize = 5;
const THOUSAND: usize = 6;

fn lesson(game: &Game) -> &OpenLesson {
    game.app_ref().world().resource()
}

fn phase(game: &Game) -> Option<Phase> {
    lesson(game).phase()
}

fn town(game: &Game) -> &Town {
    game.map().town().expect("there are people")
}

fn screen(game: &Game) -> LessonScreen {
    *game.app_ref().world().resource()
}

fn overlay(game: &Game) -> OverlayChoice {
    *game.app_ref().world().resource()
}

/// Asks for something that may put the traveller elsewhere.
fn ask(game: &mut Game, action: Action) {
    game.ask_for(action);
    game.app().update();
}

/// The seconds in which people walk until the lesson explains its outcome.
fn seconds_to_outcome(game: &mut Game) -> f64 {
    while phase(game) == Some(Phase::Play) {
        assert!(town(game).now() < CrowdTime::from_seconds(60.0), "it takes too long");
        game.frame();
    }
    town(game).last_arrival().seconds()
}

#[test]
fn the_lesson_about_a_bridge_is_done_by_keys_and_comes_out_as_it_says() {
    let mut game = Game::on_grass(&["1..2"]);
    ask(&mut game, Action::OpenLesson(BRIDGE));
    ask(&mut game, Action::CloseLesson);
    press_key(&mut game, KeyCode::F8, "");
    game.app().update();
    assert_eq!(lesson(&game).get().map(|(index, _)| index), Some(BRIDGE), "the last lesson opens again");
    assert_eq!((town(&game).len(), town(&game).on_the_way()), (25, 24));
    assert!(game.app_ref().world().resource::<LessonAnswers>().drawn.is_empty());
    assert!(town(&game).figures().all(|figure| !figure.is_waiting), "they stand, and do not wait for anybody");
    game.advance(1.0);
    assert_eq!((phase(&game), town(&game).now()), (Some(Phase::Predict), CrowdTime::ZERO), "they wait");
    press_key(&mut game, KeyCode::Digit2, "2");
    assert_eq!((phase(&game), lesson(&game).chosen()), (Some(Phase::Play), Some(1)));
    let seconds = seconds_to_outcome(&mut game);
    assert_eq!((phase(&game), town(&game).on_the_way()), (Some(Phase::Reveal), 0));
    let outcome = format!("after {seconds:.1} seconds");
    assert!(LESSONS[BRIDGE].outcome.contains(&outcome), "{outcome}");
    game.advance(30.0);
    assert_eq!(town(&game).on_the_way(), 0, "they stay");
    let now = town(&game).now();
    game.advance(1.0);
    assert_eq!(town(&game).now(), now, "no frame is drawn for people who stand");
    assert_eq!(screen(&game), LessonScreen::AsBegun);
}

#[test]
fn a_thousand_people_walk_over_the_costs_to_their_goal_and_the_lesson_explains_them_meanwhile() {
    let mut game = Game::on_grass(&["1..2"]);
    ask(&mut game, Action::OpenLesson(THOUSAND));
    assert_eq!((town(&game).len(), overlay(&game)), (1001, OverlayChoice::None));
    press_key(&mut game, KeyCode::Digit3, "3");
    assert_eq!(overlay(&game), OverlayChoice::Distance);
    seconds_to_outcome(&mut game);
    assert!(town(&game).on_the_way() > 500, "most of them are still on the way");
    game.ask(Action::TryLesson(0));
    game.frame();
    assert_eq!((town(&game).len(), screen(&game)), (101, LessonScreen::Variant));
    game.ask(Action::TryLesson(1));
    game.advance(0.5);
    assert!(!game.map().erupting().is_empty());
    assert_eq!((phase(&game), screen(&game)), (Some(Phase::Reveal), LessonScreen::Variant));
}

#[test]
fn a_suggestion_lets_other_people_set_out_immediately() {
    let mut game = Game::on_grass(&["1..2"]);
    ask(&mut game, Action::OpenLesson(BRIDGE));
    game.ask(Action::PredictLesson(0));
    let both = seconds_to_outcome(&mut game);
    let mut times = Vec::new();
    for (number, size) in [(0, 12), (1, 36)] {
        game.ask(Action::TryLesson(number));
        assert_eq!((town(&game).on_the_way(), phase(&game)), (size, Some(Phase::Reveal)));
        assert_eq!(screen(&game), LessonScreen::Variant);
        while town(&game).on_the_way() > 0 {
            game.frame();
        }
        times.push(town(&game).last_arrival().seconds());
    }
    assert!(2.0 * times[0] < both && both < times[1], "{both} and {times:?}");
    ask(&mut game, Action::Lessons);
    assert_eq!((phase(&game), screen(&game)), (Some(Phase::Predict), LessonScreen::AsBegun));
    assert_eq!((town(&game).on_the_way(), town(&game).now()), (24, CrowdTime::ZERO));
}

#[test]
fn closing_a_lesson_about_people_brings_everything_back() {
    let own = Options::default().with_moves(Moves::Four).with_algorithm(Algorithm::Dijkstra);
    for (index, answer) in [(BRIDGE, None), (BRIDGE, Some(0)), (THOUSAND, Some(2))] {
        let mut game = Game::on_bundled("figures/snow");
        game.plan_with(own);
        game.ask(Action::LetTravel(Some(12)));
        game.ask(Action::ShowOverlay(OverlayChoice::Cost));
        game.walk(Action::Go(at(4, 8)));
        let travellers = *game.app_ref().world().resource::<Travellers>();
        ask(&mut game, Action::OpenLesson(index));
        if let Some(answer) = answer {
            game.ask(Action::PredictLesson(answer));
            game.advance(2.0);
        }
        ask(&mut game, Action::CloseLesson);
        assert_eq!((phase(&game), game.map().name()), (None, "Snow"));
        assert_eq!(*game.app_ref().world().resource::<Travellers>(), travellers);
        assert_eq!((town(&game).len(), overlay(&game)), (12, OverlayChoice::Cost));
        assert_eq!(game.traveller().standing_cell(), Some(at(4, 8)));
        let before = town(&game).now();
        game.advance(1.0);
        assert!(town(&game).now() > before, "people walk");
    }
}

#[test]
fn a_search_lesson_has_nobody_else_on_its_map_and_the_people_come_back() {
    let mut game = Game::on_bundled("market");
    ask(&mut game, Action::OpenLesson(1));
    assert!(game.map().town().is_none());
    ask(&mut game, Action::CloseLesson);
    assert_eq!(town(&game).len(), 215);
}

#[test]
fn another_map_ends_a_lesson_about_people_and_has_its_own_people() {
    let mut game = Game::on_grass(&["1..2"]);
    ask(&mut game, Action::OpenLesson(BRIDGE));
    game.ask(Action::PredictLesson(1));
    game.advance(2.0);
    let market = emberwalk_map::bundled_maps().iter().position(|map| map.name == "market").unwrap();
    ask(&mut game, Action::OpenBundled(market));
    assert_eq!((phase(&game), town(&game).len()), (None, 215));
    assert_eq!(*game.app_ref().world().resource::<Travellers>(), Travellers::default());
    game.advance(1.0);
    assert!(town(&game).now() > CrowdTime::ZERO);
}

#[test]
fn a_lesson_about_people_says_what_has_taken_their_place() {
    let changes = [
        (Action::ToggleSearchView, LessonScreen::Search),
        (Action::ToggleRace, LessonScreen::Race),
        (Action::GoToCastle, LessonScreen::OtherEnds),
        (Action::Go(at(2, 2)), LessonScreen::OtherEnds),
        (Action::LetTravel(Some(10)), LessonScreen::OtherPeople),
        (Action::SendPeople(at(2, 2)), LessonScreen::OtherPeople),
        (
            Action::PlanWith(emberwalk::game::action::half::Half::Left, Options::default().with_moves(Moves::Four)),
            LessonScreen::OtherOptions,
        ),
    ];
    let mut game = Game::on_grass(&["1..2"]);
    for (change, expected) in changes {
        ask(&mut game, Action::OpenLesson(BRIDGE));
        assert_eq!(screen(&game), LessonScreen::AsBegun, "before {change:?}");
        ask(&mut game, change);
        assert_eq!(screen(&game), expected, "{change:?}");
    }
    ask(&mut game, Action::OpenLesson(BRIDGE));
    game.edit_overlay('B', at(5, 3));
    game.frame();
    assert_eq!(screen(&game), LessonScreen::OtherTerrain);
}

#[test]
fn an_answer_closes_the_search_view_that_was_opened_over_people() {
    let mut game = Game::on_grass(&["1..2"]);
    ask(&mut game, Action::OpenLesson(BRIDGE));
    ask(&mut game, Action::ToggleSearchView);
    ask(&mut game, Action::PredictLesson(1));
    assert_eq!(game.app_ref().world().resource::<Screen>().search, SearchPage::Closed);
    game.advance(1.0);
    assert_eq!((phase(&game), screen(&game)), (Some(Phase::Play), LessonScreen::AsBegun));
    assert!(town(&game).now() > CrowdTime::ZERO);
}
