//! Lessons: each opens a map and plays a search, and leaves the player's options as they were.

use bevy::app::AppExit;
use bevy::prelude::*;

use emberwalk::game::action::half::Half;
use emberwalk::game::action::{Action, Answer, Playback};
use emberwalk::game::journey::planning::PlanningOptions;
use emberwalk::game::screen::mode::{GameMode, Screen, SearchPage};
use emberwalk::game::search_view::lesson::{DrawnAnswer, LessonAnswers, LessonScreen, OpenLesson, Phase};
use emberwalk::game::search_view::recorded_search::SearchView;
use emberwalk::game::world::open_map::OpenMap;
use emberwalk::game::world::question::{Leaving, OpenQuestion};
use emberwalk::game::world::request::{MapRequest, RequestedEndpoints};
use emberwalk::lessons::{Change, Drawn, LESSONS, Lesson, Subject};
use emberwalk_map::{BundledMap, Map};
use emberwalk_path::{Algorithm, HeuristicScale, Moves, Options};

use crate::play::{Game, at, tiles};

const OWN: Options = OTHERS.with_moves(Moves::Four);
const OTHERS: Options = Options::new()
    .with_moves(Moves::Eight)
    .with_corners(emberwalk_path::Corners::One)
    .with_algorithm(Algorithm::Dijkstra)
    .with_heuristic(Some(emberwalk_path::Heuristic::Zero))
    .with_scale(emberwalk_path::HeuristicScale::Exact);

/// Opens a lesson.
fn open(game: &mut Game, index: usize) {
    ask(game, Action::OpenLesson(index));
}

/// Asks for something that puts the traveller back at a start.
fn ask(game: &mut Game, action: Action) {
    game.app().world_mut().write_message(action);
    game.app().update();
    game.app().update();
}

/// The lessons about searches, with their indices.
fn about_searches() -> impl Iterator<Item = (usize, &'static Lesson)> {
    LESSONS.iter().enumerate().filter(|(_, lesson)| matches!(lesson.subject, Subject::Search(_)))
}

fn options(game: &Game) -> Options {
    game.app_ref().world().resource::<PlanningOptions>().0
}

fn open_lesson(game: &Game) -> Option<usize> {
    game.app_ref().world().resource::<OpenLesson>().get().map(|(index, _)| index)
}

fn phase(game: &Game) -> Option<Phase> {
    game.app_ref().world().resource::<OpenLesson>().phase()
}

fn chosen(game: &Game) -> Option<usize> {
    game.app_ref().world().resource::<OpenLesson>().chosen()
}

fn answers(game: &Game) -> &[DrawnAnswer] {
    &game.app_ref().world().resource::<LessonAnswers>().drawn
}

fn screen(game: &Game) -> LessonScreen {
    *game.app_ref().world().resource()
}

fn is_shown(game: &Game) -> bool {
    screen(game).is_on_subject()
}

fn view(game: &Game) -> &SearchView {
    game.app_ref().world().resource()
}

fn search_page(game: &Game) -> SearchPage {
    game.app_ref().world().resource::<Screen>().search
}

#[test]
fn every_lesson_opens_its_map_asks_and_plays_its_search_once_it_is_answered() {
    let mut game = Game::on_grass(&["1..2"]);
    for (index, lesson) in about_searches() {
        game.ask(Action::Help);
        game.frame();
        game.log_lines();
        open(&mut game, index);
        assert!(game.has_logged(&format!("lesson opened number={}", index + 1)));
        assert_eq!(open_lesson(&game), Some(index));
        let source = BundledMap::find(lesson.map).unwrap().source;
        assert_eq!(game.map().name(), Map::parse(lesson.map, source, &tiles().0).unwrap().name());
        assert_eq!(!game.map().erupting().is_empty(), lesson.erupting);
        assert_eq!(options(&game), lesson.options());
        let opened = Screen { search: SearchPage::Open, ..Screen::default() };
        assert_eq!(*game.app_ref().world().resource::<Screen>(), opened);
        game.advance(0.5);
        assert_eq!((view(&game).is_playing(), view(&game).position()), (false, 0), "it waits for an answer");
        assert_eq!((phase(&game), answers(&game).len()), (Some(Phase::Predict), lesson.answers.len()));
        let search = view(&game).search().expect("it is recorded");
        assert_eq!((search.recording.query().from, search.recording.query().to), {
            (game.map().tent().unwrap(), game.map().castle().unwrap())
        });
        assert_eq!(search.recording.query().options, lesson.options());
        for (drawn, answer) in answers(&game).iter().zip(lesson.answers) {
            let (cells, is_route) = match drawn {
                DrawnAnswer::Route(cells) => (cells, true),
                DrawnAnswer::Area(cells) => (cells, false),
            };
            assert_eq!(is_route, matches!(answer.drawn, Some(Drawn::Route(_))));
            assert!(cells.contains(&game.map().tent().unwrap()) && cells.len() > 5, "{}", answer.label);
        }
        game.ask(Action::TryLesson(0));
        assert_eq!((phase(&game), options(&game)), (Some(Phase::Predict), lesson.options()), "not yet");
        game.log_lines();
        let answer = index % lesson.answers.len();
        game.ask(Action::PredictLesson(answer));
        assert_eq!((phase(&game), chosen(&game)), (Some(Phase::Play), Some(answer)));
        assert!(view(&game).is_playing() && answers(&game).is_empty());
        let is_right = answer == lesson.right;
        assert!(game.has_logged(&format!("lesson answered answer={} is_right={is_right}", answer + 1)));
        game.advance(20.0);
        assert_eq!((phase(&game), chosen(&game)), (Some(Phase::Reveal), Some(answer)), "within 20 seconds");
        assert!(!view(&game).is_playing() && view(&game).is_complete());
    }
}

#[test]
fn closing_a_lesson_restores_the_map_the_journey_and_the_options() {
    for close in [Action::CloseLesson, Action::Escape] {
        let mut game = Game::on_bundled("figures/snow");
        game.plan_with(OWN);
        game.ask(Action::Erupt);
        game.walk(Action::Go(at(4, 8)));
        let name = game.map().name().to_owned();
        open(&mut game, 3);
        open(&mut game, 4);
        game.ask(Action::PlanWith(Half::Left, OTHERS));
        if close == Action::Escape {
            ask(&mut game, close);
            assert_eq!((open_lesson(&game), search_page(&game)), (Some(4), SearchPage::Closed));
        }
        ask(&mut game, close);
        assert_eq!((open_lesson(&game), options(&game)), (None, OWN));
        assert_eq!((search_page(&game), game.map().name()), (SearchPage::Closed, &*name));
        assert!(!game.map().erupting().is_empty(), "as the player had chosen");
        assert_eq!(game.traveller().standing_cell(), Some(at(4, 8)));
        assert!(game.app().world().resource::<Messages<AppExit>>().is_empty());
        game.ask(Action::PlanWith(Half::Left, OTHERS));
        game.frame();
        assert_eq!(options(&game), OTHERS, "they are restored once");
    }
}

#[test]
fn a_map_of_the_player_comes_back_after_a_lesson() {
    let mut game = Game::on_grass(&["1.....2"]);
    game.ask(Action::Go(at(5, 0)));
    game.advance(0.5);
    let place = |game: &Game| {
        let traveller = game.traveller();
        (traveller.feet(), traveller.origin(), traveller.leaving(), traveller.facing())
    };
    let before = place(&game);
    open(&mut game, 0);
    game.app().world_mut().write_message(Action::CloseLesson);
    // It walks on in the frame that closes the lesson, so no time passes in this frame.
    game.long_frame(0.0);
    assert_eq!((game.map().size().height, place(&game)), (1, before));
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), Some(at(5, 0)), "it walks on");
}

#[test]
fn closing_a_lesson_asks_before_what_was_painted_on_its_map_is_lost() {
    let mut game = Game::on_grass(&["1..2"]);
    open(&mut game, 1);
    game.edit_overlay('W', at(5, 5));
    game.app().world_mut().resource_mut::<OpenMap>().finish_stroke();
    ask(&mut game, Action::CloseLesson);
    assert_eq!(open_lesson(&game), Some(1));
    let question = game.app_ref().world().resource::<OpenQuestion>();
    assert_eq!(*question, OpenQuestion::Leave(Leaving::Act(Action::CloseLesson)));
    ask(&mut game, Action::Answer(Answer::Discard));
    ask(&mut game, Action::Help);
    assert_eq!((open_lesson(&game), game.map().size().height), (None, 1));
}

#[test]
fn a_lesson_says_whether_the_screen_still_shows_its_subject() {
    let changes = [
        (Action::ToggleSearchView, LessonScreen::Closed),
        (Action::ToggleRace, LessonScreen::Race),
        (Action::Escape, LessonScreen::Closed),
        (Action::Erupt, LessonScreen::OtherTerrain),
        (Action::Go(at(5, 5)), LessonScreen::OtherEnds),
        (Action::PlanWith(Half::Left, OTHERS), LessonScreen::OtherOptions),
    ];
    let mut game = Game::on_grass(&["1..2"]);
    for (change, expected) in changes {
        open(&mut game, 3);
        for action in [Action::Playback(Playback::End), Action::ToggleComparison, Action::NextOverlay] {
            assert!(is_shown(&game), "before {change:?}");
            ask(&mut game, action);
        }
        ask(&mut game, Action::ToggleComparison);
        assert!(is_shown(&game), "nothing of this changes the search");
        ask(&mut game, change);
        assert_eq!((screen(&game), open_lesson(&game)), (expected, Some(3)), "{change:?}");
    }
    open(&mut game, 3);
    assert!(is_shown(&game), "it is started again");
}

#[test]
fn an_answer_plays_the_search_of_a_lesson_whose_search_view_was_closed() {
    for close in [Action::Escape, Action::ToggleRace] {
        let mut game = Game::on_grass(&["1..2"]);
        open(&mut game, 0);
        ask(&mut game, close);
        ask(&mut game, Action::PredictLesson(0));
        game.frame();
        assert_eq!((screen(&game), phase(&game)), (LessonScreen::AsBegun, Some(Phase::Play)), "{close:?}");
        assert!(view(&game).is_playing());
        game.advance(20.0);
        assert_eq!(phase(&game), Some(Phase::Reveal));
    }
}

#[test]
fn a_suggestion_shows_a_variant_of_the_search_of_the_lesson_until_it_is_undone() {
    let mut game = Game::on_grass(&["1..2"]);
    open(&mut game, 0);
    game.ask(Action::PredictLesson(0));
    game.ask(Action::Playback(Playback::End));
    assert_eq!(screen(&game), LessonScreen::AsBegun);
    ask(&mut game, Action::TryLesson(0));
    assert_eq!(screen(&game), LessonScreen::Variant, "the hint to watch the rings would be false");
    ask(&mut game, Action::PlanWith(Half::Left, LESSONS[0].options()));
    assert_eq!(screen(&game), LessonScreen::AsBegun);
}

#[test]
fn escape_closes_one_thing_at_a_time_and_then_asks() {
    let mut game = Game::on_grass(&["1..2"]);
    open(&mut game, 1);
    ask(&mut game, Action::ToggleRace);
    ask(&mut game, Action::ToggleComparison);
    ask(&mut game, Action::Help);
    let state = |game: &Game| (*game.app_ref().world().resource::<Screen>(), open_lesson(game).is_some());
    let race = Screen { search: SearchPage::Race, ..Screen::default() };
    ask(&mut game, Action::Escape);
    assert_eq!(state(&game), (Screen { compares: true, ..race }, true));
    ask(&mut game, Action::Escape);
    assert_eq!(state(&game), (race, true));
    ask(&mut game, Action::Escape);
    assert_eq!(state(&game), (Screen::default(), true));
    ask(&mut game, Action::Escape);
    assert_eq!(state(&game), (Screen::default(), false));
    assert!(game.app().world().resource::<Messages<AppExit>>().is_empty());
}

#[test]
fn another_map_ends_the_lesson() {
    let mut game = Game::on_grass(&["1..2"]);
    open(&mut game, 3);
    ask(&mut game, Action::NextMap);
    assert_eq!((open_lesson(&game), options(&game)), (None, Options::default()));
    assert_ne!(game.map().size().height, 1, "the map that the player has chosen stays");
}

#[test]
fn a_lesson_goes_from_tent_to_castle_whatever_ends_were_requested_for_its_map() {
    let lesson = LESSONS[1];
    let endpoints = RequestedEndpoints { start: Some(at(5, 5)), goal: Some(at(6, 6)) };
    let mut game = Game::following(MapRequest { endpoints, ..MapRequest::of_path(lesson.map) });
    assert_eq!(game.traveller().standing_cell(), Some(at(5, 5)));
    open(&mut game, 1);
    assert_eq!(game.traveller().standing_cell(), game.map().tent());
}

#[test]
fn a_suggestion_of_a_lesson_plays_again_and_keeps_the_lesson() {
    let mut game = Game::on_grass(&["1..2"]);
    for (index, lesson) in about_searches() {
        for (number, attempt) in lesson.tries.iter().enumerate() {
            open(&mut game, index);
            game.ask(Action::PredictLesson(0));
            game.ask(Action::Playback(Playback::End));
            assert_eq!(phase(&game), Some(Phase::Reveal));
            let erupting = !game.map().erupting().is_empty();
            game.ask(Action::TryLesson(number));
            game.frame();
            let label = attempt.label;
            assert_eq!((open_lesson(&game), phase(&game)), (Some(index), Some(Phase::Reveal)), "{label}");
            assert!(is_shown(&game) && view(&game).is_playing() && !view(&game).is_complete(), "{label}");
            match attempt.change {
                Change::Algorithm(algorithm) => assert_eq!(options(&game).algorithm, algorithm),
                Change::Scale(scale) => assert_eq!(options(&game).scale, scale),
                Change::Volcanoes => assert_eq!(game.map().erupting().is_empty(), erupting),
                Change::People(_) | Change::Journey(_) => panic!("{label} is not about a search"),
            }
            let search = view(&game).search().expect("it is recorded").recording.query();
            assert_eq!(search.options, options(&game), "{label}");
        }
    }
}

#[test]
fn the_scale_can_be_changed_by_the_control_of_the_search_in_the_lesson_about_it() {
    let mut game = Game::on_grass(&["1..2"]);
    open(&mut game, 4);
    let before = options(&game);
    ask(&mut game, Action::PlanWith(Half::Left, before.with_scale(HeuristicScale::Exact)));
    assert!(is_shown(&game));
    ask(&mut game, Action::PlanWith(Half::Left, before.with_moves(Moves::Four)));
    assert!(!is_shown(&game), "the moves are off its subject");
}

#[test]
fn a_lesson_leaves_painting() {
    let mut game = Game::on_grass(&["1..2"]);
    ask(&mut game, Action::TogglePainting);
    ask(&mut game, Action::Lessons);
    game.frame();
    assert_eq!(game.app_ref().world().resource::<Screen>().mode, GameMode::Walking);
    assert_eq!(open_lesson(&game), Some(0));
}

#[test]
fn a_lesson_whose_map_was_painted_speaks_of_another_one_even_if_its_volcano_may_change() {
    let mut game = Game::on_grass(&["1..2"]);
    open(&mut game, 2);
    ask(&mut game, Action::Erupt);
    assert!(is_shown(&game));
    game.edit_overlay('W', at(5, 5));
    game.app().world_mut().resource_mut::<OpenMap>().finish_stroke();
    ask(&mut game, Action::Help);
    assert!(!is_shown(&game));
}

#[test]
fn a_lesson_can_be_played_without_an_answer_and_waits_again_when_it_is_started_again() {
    let mut game = Game::on_grass(&["1..2"]);
    ask(&mut game, Action::ToggleRace);
    open(&mut game, 1);
    assert_eq!((phase(&game), view(&game).is_playing()), (Some(Phase::Predict), false), "after a race");
    game.ask(Action::Playback(Playback::StepOn));
    assert_eq!((phase(&game), chosen(&game)), (Some(Phase::Play), None));
    game.ask(Action::Playback(Playback::End));
    assert_eq!(phase(&game), Some(Phase::Reveal));
    open(&mut game, 1);
    assert_eq!((phase(&game), view(&game).is_playing(), view(&game).position()), (Some(Phase::Predict), false, 0));
    ask(&mut game, Action::CloseLesson);
    assert_eq!((phase(&game), answers(&game)), (None, &[][..]));
    ask(&mut game, Action::ToggleSearchView);
    assert!(view(&game).is_playing(), "the next search does not wait");
}

#[test]
fn an_answer_that_is_pointed_at_is_drawn_alone_and_the_smallest_area_is_on_top() {
    let mut game = Game::on_grass(&["1..2"]);
    open(&mut game, 1);
    let shown = |game: &Game| -> Vec<usize> {
        game.app_ref().world().resource::<LessonAnswers>().shown().iter().map(|(index, _)| *index).collect()
    };
    assert_eq!(shown(&game), [2, 1, 0], "Dijkstra's area, the one of A*, the one of greedy search");
    game.app().world_mut().resource_mut::<LessonAnswers>().pointed = Some(1);
    game.frame();
    assert_eq!(shown(&game), [1]);
}

#[test]
fn a_digit_chooses_an_answer_while_a_question_is_asked() {
    let mut game = Game::on_bundled("valley");
    open(&mut game, 0);
    let mode = |game: &Game| game.app_ref().world().resource::<Screen>().mode;
    let digit = |place| Action::Brush(emberwalk::game::action::BrushChange::Take(place));
    ask(&mut game, digit(8));
    assert_eq!((phase(&game), chosen(&game)), (Some(Phase::Predict), None), "there is no ninth answer");
    ask(&mut game, digit(1));
    assert_eq!((phase(&game), chosen(&game), mode(&game)), (Some(Phase::Play), Some(1), GameMode::Walking));
    ask(&mut game, digit(2));
    assert_eq!(chosen(&game), Some(1), "the answer stays");
}
