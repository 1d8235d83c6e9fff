//! Lessons: each opens a map and plays a search, and leaves the player's options as they were.

use bevy::app::AppExit;
use bevy::prelude::*;

use emberwalk::game::input::action::{Action, Playback};
use emberwalk::game::journey::shared_planner::PlanningOptions;
use emberwalk::game::lesson::OpenLesson;
use emberwalk::game::mode::{ComparePage, HelpPage, SearchPage};
use emberwalk::game::search_view::recorded_search::SearchView;
use emberwalk::game::world::map_to_open::MapToOpen;
use emberwalk::game::world::requested_endpoints::RequestedEndpoints;
use emberwalk::lessons::LESSONS;
use emberwalk::map::{BundledMap, Map};
use emberwalk::path::{Algorithm, Moves, Options};
use emberwalk::scene::Look;

use crate::play::{Game, at, tiles};

const OWN: Options = Options { moves: Moves::Four, ..OTHERS };
const OTHERS: Options = Options {
    moves: Moves::Eight,
    corners: emberwalk::path::Corners::One,
    algorithm: Algorithm::Dijkstra,
    heuristic: emberwalk::path::Heuristic::Zero,
    scale: emberwalk::path::Scale::Exact,
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
fn closing_a_lesson_restores_the_options_and_keeps_its_map() {
    for close in [Action::CloseLesson, Action::Escape] {
        let mut game = Game::on_grass(&["1..2"]);
        game.plan_with(OWN);
        open(&mut game, 3);
        open(&mut game, 4);
        game.ask(Action::PlanWith(OTHERS));
        ask(&mut game, close);
        assert_eq!((open_lesson(&game), options(&game)), (None, OWN));
        assert_eq!((page::<SearchPage>(&game), game.map().name()), (SearchPage::Closed, "The valley"));
        assert!(game.app().world().resource::<Messages<AppExit>>().is_empty());
        game.ask(Action::PlanWith(OTHERS));
        game.frame();
        assert_eq!(options(&game), OTHERS, "they are restored once");
    }
}

#[test]
fn escape_closes_the_help_page_then_the_table_then_the_lesson_and_then_asks() {
    let mut game = Game::on_grass(&["1..2"]);
    open(&mut game, 1);
    ask(&mut game, Action::ToggleComparison);
    ask(&mut game, Action::Help);
    let state = |game: &Game| (page::<HelpPage>(game), page::<ComparePage>(game), open_lesson(game).is_some());
    ask(&mut game, Action::Escape);
    assert_eq!(state(&game), (HelpPage::Closed, ComparePage::Open, true));
    ask(&mut game, Action::Escape);
    assert_eq!(state(&game), (HelpPage::Closed, ComparePage::Closed, true));
    ask(&mut game, Action::Escape);
    assert_eq!(state(&game), (HelpPage::Closed, ComparePage::Closed, false));
    assert!(game.app().world().resource::<Messages<AppExit>>().is_empty());
}

#[test]
fn another_map_ends_the_lesson() {
    let mut game = Game::on_grass(&["1..2"]);
    open(&mut game, 3);
    ask(&mut game, Action::NextMap);
    assert_eq!((open_lesson(&game), options(&game)), (None, Options::default()));
}

#[test]
fn a_lesson_goes_from_tent_to_castle_whatever_ends_were_requested_for_its_map() {
    let lesson = LESSONS[1];
    let map = Map::parse(lesson.map, BundledMap::find(lesson.map).unwrap().source, &tiles().0).unwrap();
    let requested = RequestedEndpoints { start: Some(at(5, 5)), goal: Some(at(6, 6)) };
    let first = MapToOpen::new(map, tiles().1.clone(), Look::Full).with_endpoints(requested).bundled(lesson.map);
    let mut game = Game::open(first);
    assert_eq!(game.traveller().standing_cell(), Some(at(5, 5)));
    open(&mut game, 1);
    assert_eq!(game.traveller().standing_cell(), game.map().tent());
}
