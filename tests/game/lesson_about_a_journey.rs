//! The lesson about a journey: the traveller waits until the player has answered, then an eruption is announced and it sets
//! out.

use bevy::input::keyboard::KeyCode;

use emberwalk::game::action::half::Half;
use emberwalk::game::action::{Action, OverlayChoice};
use emberwalk::game::people::town::Travellers;
use emberwalk::game::screen::mode::{Screen, SearchPage};
use emberwalk::game::search_view::lesson::{DrawnAnswer, LessonAnswers, LessonScreen, OpenLesson, Phase};
use emberwalk::game::world::open_map::OpenMap;
use emberwalk::lessons::LESSONS;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{Algorithm, Moves, Options};

use crate::keys::press_key;
use crate::play::{Game, at};

/// The index of the lesson.
const COMING: usize = 7;

fn lesson(game: &Game) -> &OpenLesson {
    game.app_ref().world().resource()
}

fn phase(game: &Game) -> Option<Phase> {
    lesson(game).phase()
}

fn screen(game: &Game) -> LessonScreen {
    *game.app_ref().world().resource()
}

fn announced(game: &Game) -> Option<CrowdTime> {
    game.map().world().announced()
}

/// Asks for something that may put the traveller elsewhere.
fn ask(game: &mut Game, action: Action) {
    game.ask_for(action);
    game.app().update();
}

/// Runs frames until the traveller has arrived, and returns how long the lesson says that this took.
fn seconds_of_journey(game: &mut Game) -> f64 {
    for _ in 0..20 * 128 {
        if let Some(journey) = lesson(game).journey().filter(|journey| journey.has_arrived()) {
            return journey.duration(CrowdTime::ZERO).seconds();
        }
        game.frame();
    }
    panic!("it does not arrive in 20 seconds, and is {}", screen_of(game));
}

/// The lesson's words about the screen.
fn screen_of(game: &Game) -> String {
    format!("{:?} in {:?}", screen(game), phase(game))
}

#[test]
fn the_lesson_is_done_by_keys_and_the_route_bends_before_the_volcano_erupts() {
    let mut game = Game::on_grass(&["1..2"]);
    ask(&mut game, Action::OpenLesson(COMING));
    ask(&mut game, Action::CloseLesson);
    press_key(&mut game, KeyCode::F8, "");
    game.app().update();
    assert_eq!(lesson(&game).get().map(|(index, _)| index), Some(COMING), "the last lesson opens again");
    let tent = game.map().tent().unwrap();
    let drawn = game.app_ref().world().resource::<LessonAnswers>().drawn.clone();
    let [DrawnAnswer::Route(straight), DrawnAnswer::Route(bent)] = &drawn[..] else { panic!("two routes: {drawn:?}") };
    assert!(straight.len() > 5 && bent.len() > 5 && straight != bent);
    game.advance(1.0);
    assert_eq!((phase(&game), announced(&game)), (Some(Phase::Predict), None));
    assert_eq!(
        (game.traveller().standing_cell(), game.route()),
        (Some(tent), straight.clone()),
        "it does not know yet"
    );
    press_key(&mut game, KeyCode::Digit2, "2");
    assert_eq!((phase(&game), lesson(&game).chosen()), (Some(Phase::Play), Some(1)));
    assert_eq!(&game.route(), bent, "in the same frame");
    assert!(announced(&game).is_some_and(|rest| rest > CrowdTime::from_seconds(4.9)));
    game.advance(4.5);
    assert!(announced(&game).is_some() && game.map().any_dormant());
    let here = game.traveller().origin().unwrap();
    assert!(bent.contains(&here) && !straight.contains(&here), "it is at {here}");
    let seconds = seconds_of_journey(&mut game);
    assert!(game.arrived() && !game.map().any_dormant());
    let outcome = format!("after {seconds:.1} seconds");
    assert!(LESSONS[COMING].outcome.contains(&outcome), "{outcome}");
    assert_eq!((phase(&game), screen(&game)), (Some(Phase::Reveal), LessonScreen::AsBegun));
}

#[test]
fn a_suggestion_announces_another_time_and_begins_again() {
    let mut game = Game::on_grass(&["1..2"]);
    ask(&mut game, Action::OpenLesson(COMING));
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
    let mut game = Game::on_grass(&["1..2"]);
    ask(&mut game, Action::OpenLesson(COMING));
    game.ask(Action::PredictLesson(2));
    ask(&mut game, Action::SkipWalk);
    let seconds = seconds_of_journey(&mut game);
    assert!(LESSONS[COMING].outcome.contains(&format!("after {seconds:.1} seconds")), "{seconds}");
}

#[test]
fn closing_the_lesson_brings_everything_back() {
    let own = Options::default().with_moves(Moves::Four).with_algorithm(Algorithm::Dijkstra);
    for answer in [None, Some(1)] {
        let mut game = Game::on_bundled("figures/snow");
        game.plan_with(own);
        game.ask(Action::ShowOverlay(OverlayChoice::Cost));
        game.walk(Action::Go(at(4, 8)));
        let travellers = *game.app_ref().world().resource::<Travellers>();
        ask(&mut game, Action::OpenLesson(COMING));
        if let Some(answer) = answer {
            game.ask(Action::PredictLesson(answer));
            game.advance(6.0);
        }
        ask(&mut game, Action::CloseLesson);
        assert_eq!((phase(&game), game.map().name()), (None, "Snow"));
        assert_eq!(*game.app_ref().world().resource::<Travellers>(), travellers);
        assert_eq!(*game.app_ref().world().resource::<OverlayChoice>(), OverlayChoice::Cost);
        assert_eq!((announced(&game), game.map().any_dormant()), (None, true));
        assert_eq!(game.traveller().standing_cell(), Some(at(4, 8)));
        game.advance(1.0);
        assert_eq!(game.traveller().standing_cell(), Some(at(4, 8)), "it is not sent anywhere");
    }
}

#[test]
fn the_lesson_says_what_has_changed_and_an_answer_puts_it_back() {
    let plan = |options| Action::PlanWith(Half::Left, options);
    let changes = [
        (Action::ToggleSearchView, LessonScreen::Search),
        (Action::ToggleRace, LessonScreen::Race),
        (Action::GoToCastle, LessonScreen::OtherEnds),
        (Action::Go(at(2, 2)), LessonScreen::OtherEnds),
        (Action::Erupt, LessonScreen::OtherEruption),
        (Action::Announce(5), LessonScreen::OtherEruption),
        (Action::LetTravel(Some(10)), LessonScreen::OtherPeople),
        (plan(Options::default().with_moves(Moves::Four)), LessonScreen::OtherOptions),
        (plan(Options::default().with_algorithm(Algorithm::Greedy)), LessonScreen::OtherOptions),
        (plan(Options::default().with_algorithm(Algorithm::Dijkstra)), LessonScreen::AsBegun),
    ];
    let mut game = Game::on_grass(&["1..2"]);
    for (change, expected) in changes {
        ask(&mut game, Action::OpenLesson(COMING));
        assert_eq!(screen(&game), LessonScreen::AsBegun, "before {change:?}");
        ask(&mut game, change);
        assert_eq!(screen(&game), expected, "{change:?}");
        ask(&mut game, Action::PredictLesson(1));
        let stays = matches!(expected, LessonScreen::OtherOptions | LessonScreen::OtherPeople);
        assert_eq!(screen(&game), if stays { expected } else { LessonScreen::AsBegun }, "{change:?}");
        assert_eq!(game.app_ref().world().resource::<Screen>().search, SearchPage::Closed);
    }
    ask(&mut game, Action::OpenLesson(COMING));
    game.edit_overlay('F', at(1, 3));
    game.app().world_mut().resource_mut::<OpenMap>().finish_stroke();
    game.frame();
    assert_eq!(screen(&game), LessonScreen::OtherTerrain);
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
        ask(&mut game, Action::OpenLesson(COMING));
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
    ask(&mut game, Action::OpenLesson(COMING));
    game.ask(Action::PredictLesson(1));
    seconds_of_journey(&mut game);
    ask(&mut game, Action::GoToCastle);
    assert_eq!((phase(&game), screen(&game)), (Some(Phase::Reveal), LessonScreen::OtherEnds));
}
