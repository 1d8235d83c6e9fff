//! Lessons about people, and the lesson about a journey through an announced eruption: all stand until the player has
//! answered, then they set out, and everything is as before when the lesson is closed.

use bevy::input::keyboard::KeyCode;

use emberwalk::game::people::town::Travellers;
use emberwalk::game::search_view::lesson::{DrawnAnswer, LessonAnswers, LessonScreen, Phase};
use emberwalk::lessons::LESSONS;
use emberwalk_path::time::CrowdTime;
use emberwalk_world::town::Town;

use crate::keys::press_key;
use crate::lessons::{ask, in_lesson, open, open_lesson, phase, screen, shown_lesson};
use crate::prelude::*;

/// The indices of the lessons about a bridge, about a thousand people, and about a journey.
const BRIDGE: usize = 5;
const THOUSAND: usize = 6;
const COMING: usize = 7;

/// A game in which a lesson was closed, and then opened again by a key.
fn in_reopened_lesson(index: usize) -> Game {
    let mut game = in_lesson(index);
    ask(&mut game, Action::CloseLesson);
    press_key(&mut game, KeyCode::F8, "");
    game.app().update();
    assert_eq!(open_lesson(&game), Some(index), "the last lesson opens again");
    game
}

fn town(game: &Game) -> &Town {
    game.map().town().expect("there are people")
}

fn overlay(game: &Game) -> OverlayChoice {
    *game.get()
}

fn announced(game: &Game) -> Option<CrowdTime> {
    game.map().world().announced()
}

/// The seconds in which people walk until the lesson explains its outcome.
fn seconds_to_outcome(game: &mut Game) -> f64 {
    while phase(game) == Some(Phase::Play) {
        assert!(town(game).now() < CrowdTime::from_seconds(60.0), "it takes too long");
        game.frame();
    }
    town(game).last_arrival().seconds()
}

/// Runs frames until the traveller has arrived, and returns how long the lesson says that this took.
fn seconds_of_journey(game: &mut Game) -> f64 {
    for _ in 0..20 * 128 {
        if let Some(journey) = shown_lesson(game).journey().filter(|journey| journey.has_arrived()) {
            return journey.duration(CrowdTime::ZERO).seconds();
        }
        game.frame();
    }
    panic!("it does not arrive in 20 seconds, and is {:?} in {:?}", screen(game), phase(game));
}

/// Checks that a lesson tells this duration after the answer.
fn check_told(index: usize, seconds: f64) {
    let outcome = format!("after {seconds:.1} seconds");
    assert!(LESSONS[index].outcome.contains(&outcome), "{outcome}");
}

#[test]
fn the_lesson_about_a_bridge_is_done_by_keys_and_comes_out_as_it_says() {
    let mut game = in_reopened_lesson(BRIDGE);
    assert_eq!((town(&game).agents(), town(&game).on_the_way()), (25, 24));
    assert!(game.get::<LessonAnswers>().drawn.is_empty());
    assert!(town(&game).figures().all(|figure| !figure.is_waiting), "they stand, and do not wait for anybody");
    game.advance(1.0);
    assert_eq!((phase(&game), town(&game).now()), (Some(Phase::Predict), CrowdTime::ZERO), "they wait");
    press_key(&mut game, KeyCode::Digit2, "2");
    assert_eq!((phase(&game), shown_lesson(&game).chosen()), (Some(Phase::Play), Some(1)));
    let seconds = seconds_to_outcome(&mut game);
    assert_eq!((phase(&game), town(&game).on_the_way()), (Some(Phase::Reveal), 0));
    check_told(BRIDGE, seconds);
    game.advance(30.0);
    assert_eq!(town(&game).on_the_way(), 0, "they stay");
    let now = town(&game).now();
    game.advance(1.0);
    assert_eq!(town(&game).now(), now, "no frame is drawn for people who stand");
    assert_eq!(screen(&game), LessonScreen::AsBegun);
}

#[test]
fn the_lesson_about_a_journey_is_done_by_keys_and_the_route_bends_before_the_volcano_erupts() {
    let mut game = in_reopened_lesson(COMING);
    let tent = game.map().tent().unwrap();
    let drawn = game.get::<LessonAnswers>().drawn.clone();
    let [DrawnAnswer::Route(straight), DrawnAnswer::Route(bent)] = &drawn[..] else { panic!("two routes: {drawn:?}") };
    assert!(straight.len() > 5 && bent.len() > 5 && straight != bent);
    game.advance(1.0);
    assert_eq!((phase(&game), announced(&game)), (Some(Phase::Predict), None));
    assert_eq!(game.traveller().standing_cell(), Some(tent));
    assert_eq!(&game.route(), straight, "it does not know yet");
    press_key(&mut game, KeyCode::Digit2, "2");
    assert_eq!((phase(&game), shown_lesson(&game).chosen()), (Some(Phase::Play), Some(1)));
    assert_eq!(&game.route(), bent, "in the same frame");
    assert!(announced(&game).is_some_and(|rest| rest > CrowdTime::from_seconds(4.9)));
    game.advance(4.5);
    assert!(announced(&game).is_some() && game.map().any_dormant());
    let here = game.traveller().origin().unwrap();
    assert!(bent.contains(&here) && !straight.contains(&here), "it is at {here}");
    let seconds = seconds_of_journey(&mut game);
    assert!(game.arrived() && !game.map().any_dormant());
    check_told(COMING, seconds);
    assert_eq!((phase(&game), screen(&game)), (Some(Phase::Reveal), LessonScreen::AsBegun));
}

#[test]
fn a_thousand_people_walk_over_the_costs_to_their_goal_and_the_lesson_explains_them_meanwhile() {
    let mut game = in_lesson(THOUSAND);
    assert_eq!((town(&game).agents(), overlay(&game)), (1001, OverlayChoice::None));
    press_key(&mut game, KeyCode::Digit3, "3");
    assert_eq!(overlay(&game), OverlayChoice::Distance);
    seconds_to_outcome(&mut game);
    assert!(town(&game).on_the_way() > 500, "most of them are still on the way");
    game.ask_and_show(Action::TryLesson(0));
    assert_eq!((town(&game).agents(), screen(&game)), (101, LessonScreen::Variant));
    game.ask(Action::TryLesson(1));
    game.advance(0.5);
    assert!(!game.map().erupting().is_empty());
    assert_eq!((phase(&game), screen(&game)), (Some(Phase::Reveal), LessonScreen::Variant));
}

#[test]
fn a_suggestion_lets_other_people_set_out_immediately() {
    let mut game = in_lesson(BRIDGE);
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
fn a_suggestion_announces_another_time_and_begins_again() {
    let mut game = in_lesson(COMING);
    game.ask(Action::PredictLesson(0));
    let first = seconds_of_journey(&mut game);
    let mut times = Vec::new();
    for number in [0, 1] {
        ask(&mut game, Action::TryLesson(number));
        assert_eq!((phase(&game), screen(&game)), (Some(Phase::Reveal), LessonScreen::Variant));
        assert!(game.map().any_dormant() && announced(&game).is_some());
        times.push(seconds_of_journey(&mut game));
        assert_eq!(screen(&game), LessonScreen::Variant);
    }
    assert!(times[0] < first - 1.0 && first + 1.0 < times[1], "{first} and {times:?}");
    ask(&mut game, Action::Lessons);
    assert_eq!((phase(&game), screen(&game)), (Some(Phase::Predict), LessonScreen::AsBegun));
    assert_eq!((game.traveller().standing_cell(), announced(&game)), (game.map().tent(), None));
}

#[test]
fn a_skipped_journey_takes_as_long() {
    let mut game = in_lesson(COMING);
    game.ask(Action::PredictLesson(2));
    ask(&mut game, Action::SkipWalk);
    check_told(COMING, seconds_of_journey(&mut game));
}

#[test]
fn closing_a_lesson_about_people_or_a_journey_brings_everything_back() {
    let own = Options::default().with_moves(Moves::Four).with_algorithm(Algorithm::Dijkstra);
    for (index, answer, people) in
        [(BRIDGE, None, 12), (BRIDGE, Some(0), 12), (THOUSAND, Some(2), 12), (COMING, None, 1), (COMING, Some(1), 1)]
    {
        let mut game = Game::on_bundled("figures/snow");
        game.plan_with(own);
        game.ask(Action::LetTravel(Some(people)));
        game.ask(Action::ShowOverlay(OverlayChoice::Cost));
        game.walk(Action::Go(at(4, 8)));
        let travellers = *game.get::<Travellers>();
        open(&mut game, index);
        if let Some(answer) = answer {
            game.ask(Action::PredictLesson(answer));
            game.advance(if index == COMING { 6.0 } else { 2.0 });
        }
        ask(&mut game, Action::CloseLesson);
        assert_eq!((phase(&game), game.map().name()), (None, "Snow"));
        assert_eq!((*game.get::<Travellers>(), game.map().travellers()), (travellers, people));
        assert_eq!(overlay(&game), OverlayChoice::Cost);
        assert_eq!((announced(&game), game.map().any_dormant()), (None, true));
        assert_eq!(game.traveller().standing_cell(), Some(at(4, 8)));
        let now = |game: &Game| game.map().town().map(Town::now);
        let before = now(&game);
        game.advance(1.0);
        assert_eq!(now(&game) > before, people > 1, "people walk");
        assert!(people > 1 || game.traveller().standing_cell() == Some(at(4, 8)), "it is not sent anywhere");
    }
}

#[test]
fn a_search_lesson_has_nobody_else_on_its_map_and_the_people_come_back() {
    let mut game = Game::on_bundled("market");
    open(&mut game, 1);
    assert!(game.map().town().is_none());
    ask(&mut game, Action::CloseLesson);
    assert_eq!(town(&game).agents(), 215);
}

#[test]
fn another_map_ends_a_lesson_about_people_and_has_its_own_people() {
    let mut game = in_lesson(BRIDGE);
    game.ask(Action::PredictLesson(1));
    game.advance(2.0);
    let market = emberwalk_map::bundled_maps().iter().position(|map| map.name == "market").unwrap();
    ask(&mut game, Action::OpenBundled(market));
    assert_eq!((phase(&game), town(&game).agents()), (None, 215));
    assert_eq!(*game.get::<Travellers>(), Travellers::default());
    game.advance(1.0);
    assert!(town(&game).now() > CrowdTime::ZERO);
}

#[test]
fn a_lesson_says_what_has_taken_its_place_and_an_answer_puts_it_back() {
    let plan = |options| Action::PlanWith(Half::Left, options);
    let both = [BRIDGE, COMING];
    let changes: [(&[usize], Action, LessonScreen); 11] = [
        (&both, Action::ToggleSearchView, LessonScreen::Search),
        (&both, Action::ToggleRace, LessonScreen::Race),
        (&both, Action::GoToCastle, LessonScreen::OtherEnds),
        (&both, Action::Go(at(2, 2)), LessonScreen::OtherEnds),
        (&both, Action::LetTravel(Some(10)), LessonScreen::OtherPeople),
        (&[BRIDGE], Action::SendPeople(at(2, 2)), LessonScreen::OtherPeople),
        (&[COMING], Action::Erupt, LessonScreen::OtherEruption),
        (&[COMING], Action::Announce(5), LessonScreen::OtherEruption),
        (&both, plan(Options::default().with_moves(Moves::Four)), LessonScreen::OtherOptions),
        (&[COMING], plan(Options::default().with_algorithm(Algorithm::Greedy)), LessonScreen::OtherOptions),
        (&[COMING], plan(Options::default().with_algorithm(Algorithm::Dijkstra)), LessonScreen::AsBegun),
    ];
    let mut game = Game::on_grass(&["1..2"]);
    for (lessons, change, expected) in changes {
        for &index in lessons {
            open(&mut game, index);
            assert_eq!(screen(&game), LessonScreen::AsBegun, "{index}, before {change:?}");
            ask(&mut game, change);
            assert_eq!(screen(&game), expected, "{index}, {change:?}");
            ask(&mut game, Action::PredictLesson(1));
            assert_eq!(game.get::<Screen>().search, SearchPage::Closed, "{index}, {change:?}");
            let stays = matches!(expected, LessonScreen::OtherOptions | LessonScreen::OtherPeople);
            if index == COMING || matches!(expected, LessonScreen::Search | LessonScreen::Race) {
                let expected = if stays { expected } else { LessonScreen::AsBegun };
                assert_eq!(screen(&game), expected, "{index}, {change:?}");
            }
        }
    }
    for (index, painted, cell) in [(BRIDGE, 'B', at(5, 3)), (COMING, 'F', at(1, 3))] {
        let mut game = in_lesson(index);
        game.set_overlay(painted, cell);
        assert_eq!(screen(&game), LessonScreen::OtherTerrain);
    }
}

#[test]
fn a_traveller_who_has_left_its_journey_does_not_end_it() {
    let changes: [(&[Action], LessonScreen); 5] = [
        (&[Action::Reset], LessonScreen::OtherEnds),
        (&[Action::Reset, Action::GoToCastle], LessonScreen::OtherEnds),
        (&[Action::Go(at(2, 2)), Action::GoToCastle], LessonScreen::OtherEnds),
        (&[Action::ToggleAnnounced], LessonScreen::OtherEruption),
        (&[Action::Erupt], LessonScreen::OtherEruption),
    ];
    let mut game = Game::on_grass(&["1..2"]);
    for (actions, expected) in changes {
        open(&mut game, COMING);
        game.ask(Action::PredictLesson(1));
        game.advance(2.5);
        assert_eq!(screen(&game), LessonScreen::AsBegun, "before {actions:?}");
        for action in actions {
            ask(&mut game, *action);
        }
        game.advance(15.0);
        assert_eq!((phase(&game), screen(&game)), (Some(Phase::Play), expected), "{actions:?}");
    }
    // It walks there once more, without the eruption that it knows of.
    open(&mut game, COMING);
    game.ask(Action::PredictLesson(1));
    seconds_of_journey(&mut game);
    ask(&mut game, Action::GoToCastle);
    assert_eq!((phase(&game), screen(&game)), (Some(Phase::Reveal), LessonScreen::OtherEnds));
}
