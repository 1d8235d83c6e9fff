//! Lessons: each opens a map and plays a search, and leaves the player's options as they were.

use bevy::app::AppExit;
use bevy::prelude::*;

use emberwalk::game::search_view::lesson::{DrawnAnswer, LessonAnswers, LessonScreen, OpenLesson, Phase};
use emberwalk::lessons::{Change, Drawn, LESSONS, Lesson, Subject};
use emberwalk_map::BundledMap;

use crate::play::tiles;
use crate::prelude::*;
use crate::search_view::{planning, view};

const OWN: Options = OTHERS.with_moves(Moves::Four);
const OTHERS: Options = Options::new()
    .with_moves(Moves::Eight)
    .with_corners(Corners::One)
    .with_algorithm(Algorithm::Dijkstra)
    .with_heuristic(Some(Heuristic::Zero))
    .with_scale(HeuristicScale::Exact);

/// Opens a lesson.
pub fn open(game: &mut Game, index: usize) {
    ask(game, Action::OpenLesson(index));
}

/// A game in which a lesson is open.
pub fn in_lesson(index: usize) -> Game {
    let mut game = Game::on_grass(&["1..2"]);
    open(&mut game, index);
    game
}

/// Asks for something that may put the traveller elsewhere.
pub fn ask(game: &mut Game, action: Action) {
    game.ask_for(action);
    game.app().update();
}

/// The lessons about searches, with their indices.
fn about_searches() -> impl Iterator<Item = (usize, &'static Lesson)> {
    LESSONS.iter().enumerate().filter(|(_, lesson)| matches!(lesson.subject, Subject::Search(_)))
}

pub fn shown_lesson(game: &Game) -> &OpenLesson {
    game.get()
}

/// The index of the open lesson.
pub fn open_lesson(game: &Game) -> Option<usize> {
    shown_lesson(game).get().map(|(index, _)| index)
}

pub fn phase(game: &Game) -> Option<Phase> {
    shown_lesson(game).phase()
}

pub fn screen(game: &Game) -> LessonScreen {
    *game.get()
}

fn is_shown(game: &Game) -> bool {
    screen(game).is_on_subject()
}

fn answers(game: &Game) -> &[DrawnAnswer] {
    &game.get::<LessonAnswers>().drawn
}

#[test]
fn every_lesson_opens_its_map_asks_and_plays_its_search_once_it_is_answered() {
    let mut game = Game::on_grass(&["1..2"]);
    for (index, lesson) in about_searches() {
        game.ask_and_show(Action::Help);
        game.log_lines();
        open(&mut game, index);
        assert!(game.has_logged(&format!("lesson opened number={}", index + 1)));
        assert_eq!(open_lesson(&game), Some(index));
        let source = BundledMap::find(lesson.map).unwrap().source;
        assert_eq!(game.map().name(), Map::parse(lesson.map, source, &tiles().0).unwrap().name());
        assert_eq!(!game.map().erupting().is_empty(), lesson.erupting);
        assert_eq!(planning(&game), lesson.options());
        let opened = Screen { search: SearchPage::Open, ..Screen::default() };
        assert_eq!(*game.get::<Screen>(), opened);
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
        assert_eq!((phase(&game), planning(&game)), (Some(Phase::Predict), lesson.options()), "not yet");
        game.log_lines();
        let answer = index % lesson.answers.len();
        game.ask(Action::PredictLesson(answer));
        assert_eq!((phase(&game), shown_lesson(&game).chosen()), (Some(Phase::Play), Some(answer)));
        assert!(view(&game).is_playing() && answers(&game).is_empty());
        let is_right = answer == lesson.right;
        assert!(game.has_logged(&format!("lesson answered answer={} is_right={is_right}", answer + 1)));
        game.advance(20.0);
        assert_eq!(
            (phase(&game), shown_lesson(&game).chosen()),
            (Some(Phase::Reveal), Some(answer)),
            "within 20 seconds"
        );
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
            assert_eq!((open_lesson(&game), game.get::<Screen>().search), (Some(4), SearchPage::Closed));
        }
        ask(&mut game, close);
        assert_eq!((open_lesson(&game), planning(&game)), (None, OWN));
        assert_eq!((game.get::<Screen>().search, game.map().name()), (SearchPage::Closed, &*name));
        assert!(!game.map().erupting().is_empty(), "as the player had chosen");
        assert_eq!(game.traveller().standing_cell(), Some(at(4, 8)));
        assert!(game.get::<Messages<AppExit>>().is_empty());
        game.ask_and_show(Action::PlanWith(Half::Left, OTHERS));
        assert_eq!(planning(&game), OTHERS, "they are restored once");
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
    let mut game = in_lesson(1);
    game.edit_overlay('W', at(5, 5));
    game.get_mut::<OpenMap>().finish_stroke();
    ask(&mut game, Action::CloseLesson);
    assert_eq!(open_lesson(&game), Some(1));
    assert_eq!(game.question(), OpenQuestion::Leave(Leaving::Act(Action::CloseLesson)));
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
        let mut game = in_lesson(0);
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
fn a_variant_of_the_search_of_a_lesson_is_still_its_subject() {
    let plan = |options| Action::PlanWith(Half::Left, options);
    let scaled = LESSONS[4].options();
    let lessons = [
        (
            0,
            vec![
                (Action::PredictLesson(0), LessonScreen::AsBegun),
                (Action::Playback(Playback::End), LessonScreen::AsBegun),
                (Action::TryLesson(0), LessonScreen::Variant),
                (plan(LESSONS[0].options()), LessonScreen::AsBegun),
            ],
        ),
        (2, vec![(Action::Erupt, LessonScreen::Variant)]),
        (
            4,
            vec![
                (plan(scaled.with_scale(HeuristicScale::Exact)), LessonScreen::Variant),
                (plan(scaled.with_moves(Moves::Four)), LessonScreen::OtherOptions),
            ],
        ),
    ];
    for (index, steps) in lessons {
        let mut game = in_lesson(index);
        for (action, expected) in steps {
            ask(&mut game, action);
            assert_eq!(screen(&game), expected, "{index}, {action:?}");
        }
    }
}

#[test]
fn escape_closes_one_thing_at_a_time_and_then_asks() {
    let mut game = in_lesson(1);
    ask(&mut game, Action::ToggleRace);
    ask(&mut game, Action::ToggleComparison);
    ask(&mut game, Action::Help);
    let race = Screen { search: SearchPage::Race, ..Screen::default() };
    for expected in
        [(Screen { compares: true, ..race }, true), (race, true), (Screen::default(), true), (Screen::default(), false)]
    {
        ask(&mut game, Action::Escape);
        assert_eq!((*game.get::<Screen>(), open_lesson(&game).is_some()), expected);
    }
    assert!(game.get::<Messages<AppExit>>().is_empty());
}

#[test]
fn another_map_ends_the_lesson() {
    let mut game = in_lesson(3);
    ask(&mut game, Action::NextMap);
    assert_eq!((open_lesson(&game), planning(&game)), (None, Options::default()));
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
            game.ask_and_show(Action::TryLesson(number));
            let label = attempt.label;
            assert_eq!((open_lesson(&game), phase(&game)), (Some(index), Some(Phase::Reveal)), "{label}");
            assert!(is_shown(&game) && view(&game).is_playing() && !view(&game).is_complete(), "{label}");
            match attempt.change {
                Change::Algorithm(algorithm) => assert_eq!(planning(&game).algorithm, algorithm),
                Change::Scale(scale) => assert_eq!(planning(&game).scale, scale),
                Change::Volcanoes => assert_eq!(game.map().erupting().is_empty(), erupting),
                Change::People(_) | Change::Journey(_) => panic!("{label} is not about a search"),
            }
            let search = view(&game).search().expect("it is recorded").recording.query();
            assert_eq!(search.options, planning(&game), "{label}");
        }
    }
}

#[test]
fn a_lesson_leaves_painting() {
    let mut game = Game::on_grass(&["1..2"]);
    ask(&mut game, Action::TogglePainting);
    ask(&mut game, Action::Lessons);
    game.frame();
    assert_eq!(game.get::<Screen>().mode, GameMode::Walking);
    assert_eq!(open_lesson(&game), Some(0));
}

#[test]
fn a_lesson_whose_map_was_painted_speaks_of_another_one_even_if_its_volcano_may_change() {
    let mut game = in_lesson(2);
    ask(&mut game, Action::Erupt);
    game.edit_overlay('W', at(5, 5));
    game.get_mut::<OpenMap>().finish_stroke();
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
    assert_eq!((phase(&game), shown_lesson(&game).chosen()), (Some(Phase::Play), None));
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
    let mut game = in_lesson(1);
    let shown =
        |game: &Game| -> Vec<usize> { game.get::<LessonAnswers>().shown().iter().map(|(index, _)| *index).collect() };
    assert_eq!(shown(&game), [2, 1, 0], "Dijkstra's area, the one of A*, the one of greedy search");
    game.get_mut::<LessonAnswers>().pointed = Some(1);
    game.frame();
    assert_eq!(shown(&game), [1]);
}

#[test]
fn a_digit_chooses_an_answer_while_a_question_is_asked() {
    let mut game = Game::on_bundled("valley");
    open(&mut game, 0);
    let mode = |game: &Game| game.get::<Screen>().mode;
    let digit = |place| Action::Brush(emberwalk::game::action::BrushChange::Take(place));
    ask(&mut game, digit(8));
    assert_eq!((phase(&game), shown_lesson(&game).chosen()), (Some(Phase::Predict), None), "there is no ninth answer");
    ask(&mut game, digit(1));
    assert_eq!(
        (phase(&game), shown_lesson(&game).chosen(), mode(&game)),
        (Some(Phase::Play), Some(1), GameMode::Walking)
    );
    ask(&mut game, digit(2));
    assert_eq!(shown_lesson(&game).chosen(), Some(1), "the answer stays");
}
