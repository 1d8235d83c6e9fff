//! Lessons: each opens a map and plays a search, and leaves the player's options as they were.

use bevy::app::AppExit;
use bevy::prelude::*;

use emberwalk::game::half::Half;
use emberwalk::game::input::action::{Action, Answer, Playback, SearchOption};
use emberwalk::game::journey::shared_planner::PlanningOptions;
use emberwalk::game::lesson::{LessonIsShown, OpenLesson};
use emberwalk::game::mode::{ComparePage, HelpPage, SearchPage};
use emberwalk::game::question::{Leaving, OpenQuestion};
use emberwalk::game::search_view::recorded_search::SearchView;
use emberwalk::game::world::loader::Source;
use emberwalk::game::world::open_map::OpenMap;
use emberwalk::game::world::requested_endpoints::RequestedEndpoints;
use emberwalk::lessons::LESSONS;
use emberwalk_map::{BundledMap, Map};
use emberwalk_path::{Algorithm, Moves, Options};

use crate::play::{Game, at, tiles};

const OWN: Options = Options { moves: Moves::Four, ..OTHERS };
const OTHERS: Options = Options {
    moves: Moves::Eight,
    corners: emberwalk_path::Corners::One,
    algorithm: Algorithm::Dijkstra,
    heuristic: Some(emberwalk_path::Heuristic::Zero),
    scale: emberwalk_path::Scale::Exact,
};

/// Opens a lesson. The pages change in the frame after that.
fn open(game: &mut Game, index: usize) {
    ask(game, Action::OpenLesson(index));
}

/// Asks for something that puts the traveller back at a start.
fn ask(game: &mut Game, action: Action) {
    game.app().world_mut().write_message(action);
    game.app().update();
    game.app().update();
}

fn options(game: &Game) -> Options {
    game.app_ref().world().resource::<PlanningOptions>().0
}

fn open_lesson(game: &Game) -> Option<usize> {
    game.app_ref().world().resource::<OpenLesson>().get().map(|(index, _)| index)
}

fn view(game: &Game) -> &SearchView {
    game.app_ref().world().resource()
}

fn page<S: States + Copy>(game: &Game) -> S {
    *game.app_ref().world().resource::<State<S>>().get()
}

#[test]
fn every_lesson_opens_its_map_and_plays_its_search_from_the_start() {
    let mut game = Game::on_grass(&["1..2"]);
    for (index, lesson) in LESSONS.iter().enumerate() {
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
        assert_eq!((page::<HelpPage>(&game), page::<SearchPage>(&game)), (HelpPage::Closed, SearchPage::Open));
        assert!(view(&game).is_playing());
        let search = view(&game).search().expect("it is recorded");
        assert_eq!((search.recording.query().from, search.recording.query().to), {
            (game.map().tent().unwrap(), game.map().castle().unwrap())
        });
        assert_eq!(search.recording.query().options, lesson.options());
        assert!(view(&game).position() < search.recording.len() / 2, "it has just begun");
        game.ask(Action::Playback(Playback::End));
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
            assert_eq!((open_lesson(&game), page::<SearchPage>(&game)), (Some(4), SearchPage::Closed));
        }
        ask(&mut game, close);
        assert_eq!((open_lesson(&game), options(&game)), (None, OWN));
        assert_eq!((page::<SearchPage>(&game), game.map().name()), (SearchPage::Closed, &*name));
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
    let before = game.traveller().clone();
    open(&mut game, 0);
    game.app().world_mut().write_message(Action::CloseLesson);
    game.app().update();
    assert_eq!((game.map().size().height, game.traveller()), (1, &before));
    game.app().update();
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
fn a_lesson_says_whether_the_screen_still_shows_what_it_speaks_about() {
    let is_shown = |game: &Game| game.app_ref().world().resource::<LessonIsShown>().0;
    let changes: [&[Action]; 7] = [
        &[Action::ToggleSearchView],
        &[Action::ToggleRace],
        &[Action::Escape],
        &[Action::Erupt],
        &[Action::Go(at(5, 5))],
        &[Action::NextOption(Half::Left, SearchOption::Algorithm)],
        &[Action::PlanWith(Half::Left, OTHERS)],
    ];
    let mut game = Game::on_grass(&["1..2"]);
    for change in changes {
        open(&mut game, 3);
        for action in [Action::Playback(Playback::End), Action::ToggleComparison, Action::NextOverlay] {
            assert!(is_shown(&game), "before {change:?}");
            ask(&mut game, action);
        }
        ask(&mut game, Action::ToggleComparison);
        assert!(is_shown(&game), "nothing of this changes the search");
        change.iter().for_each(|action| ask(&mut game, *action));
        assert!(!is_shown(&game), "{change:?}");
        assert_eq!(open_lesson(&game), Some(3));
    }
    open(&mut game, 3);
    assert!(is_shown(&game), "it is started again");
}

#[test]
fn escape_closes_one_thing_at_a_time_and_then_asks() {
    let mut game = Game::on_grass(&["1..2"]);
    open(&mut game, 1);
    ask(&mut game, Action::ToggleRace);
    ask(&mut game, Action::ToggleComparison);
    ask(&mut game, Action::Help);
    let state = |game: &Game| {
        let pages = (page::<HelpPage>(game), page::<ComparePage>(game), page::<SearchPage>(game));
        (pages, open_lesson(game).is_some())
    };
    let (help, compare, race) = (HelpPage::Closed, ComparePage::Open, SearchPage::Race);
    ask(&mut game, Action::Escape);
    assert_eq!(state(&game), ((help, compare, race), true));
    ask(&mut game, Action::Escape);
    let compare = ComparePage::Closed;
    assert_eq!(state(&game), ((help, compare, race), true));
    ask(&mut game, Action::Escape);
    assert_eq!(state(&game), ((help, compare, SearchPage::Closed), true));
    ask(&mut game, Action::Escape);
    assert_eq!(state(&game), ((help, compare, SearchPage::Closed), false));
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
    let mut game = Game::following(Source { map: lesson.map.into(), endpoints, ..Source::default() });
    assert_eq!(game.traveller().standing_cell(), Some(at(5, 5)));
    open(&mut game, 1);
    assert_eq!(game.traveller().standing_cell(), game.map().tent());
}
