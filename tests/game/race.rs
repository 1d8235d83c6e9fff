//! The race of two searches.

use std::iter;

use bevy::math::{UVec2, Vec2};

use emberwalk::game::search_view::detour::Detour;
use emberwalk::game::search_view::options::MarkedSearch;
use emberwalk::game::search_view::overlay_cells::{OverlayCells, Overlays};
use emberwalk::game::search_view::recorded_search::RecordedSearch;
use emberwalk::game::world::pointed_cells::PointedHalf;
use emberwalk_picture::overlay::MarkStyle;

use crate::prelude::*;
use crate::search_view::{planning, view};

fn cells(game: &Game, half: Half) -> &OverlayCells {
    &game.get::<Overlays>()[half]
}

fn both(game: &Game) -> [&RecordedSearch; 2] {
    view(game).race().expect("both searches are recorded")
}

/// A game on a bundled map that plans with plain A*.
fn game_with_astar(map: &str) -> Game {
    let mut game = Game::on_bundled(map);
    game.plan_with(Options::default().with_algorithm(Algorithm::AStar));
    game
}

/// Opens the race.
fn race(game: &mut Game) {
    game.ask(Action::ToggleRace);
}

fn count(game: &Game, half: Half, style: MarkStyle) -> usize {
    cells(game, half).cells().iter().filter(|cell| cell.mark.style == style).count()
}

#[test]
fn the_present_search_races_against_dijkstra_and_dijkstra_against_astar() {
    let mut game = game_with_astar("figures/road");
    game.log_lines();
    race(&mut game);
    let [left, right] = both(&game).map(|search| search.recording.query().options.algorithm);
    assert_eq!((left, right), (Algorithm::AStar, Algorithm::Dijkstra));
    let [left, right] = both(&game).map(|search| search.recording.result().expanded);
    assert!(left < right);
    let expected = format!(r#"race recorded left="astar octile" expanded={left} right="dijkstra" expanded={right}"#);
    assert_eq!(game.log_lines(), [expected]);
    game.ask(Action::ToggleRace);
    game.plan_with(Options::default().with_algorithm(Algorithm::Dijkstra));
    race(&mut game);
    assert_eq!(both(&game)[1].recording.query().options.algorithm, Algorithm::AStar);
}

#[test]
fn two_marked_searches_of_the_comparison_race() {
    let mut game = game_with_astar("figures/road");
    game.ask(Action::ToggleComparison);
    let options = |algorithm| Options::default().with_algorithm(algorithm);
    let marked = |game: &Game| game.get::<MarkedSearch>().0;
    let screen = |game: &Game| *game.get::<Screen>();
    game.ask(Action::MarkForRace(options(Algorithm::Greedy)));
    assert_eq!((marked(&game), screen(&game).search), (Some(options(Algorithm::Greedy)), SearchPage::Closed));
    game.ask(Action::MarkForRace(options(Algorithm::Greedy)));
    assert_eq!(marked(&game), None, "a second click takes it away");
    game.ask(Action::MarkForRace(options(Algorithm::Greedy)));
    game.ask(Action::ToggleComparison);
    assert_eq!(marked(&game), None, "it belongs to the comparison");
    game.ask(Action::ToggleComparison);
    for algorithm in [Algorithm::BreadthFirst, Algorithm::Dijkstra] {
        game.ask(Action::MarkForRace(options(algorithm)));
    }
    assert_eq!((screen(&game).search, screen(&game).compares), (SearchPage::Race, false));
    let raced = both(&game).map(|search| search.recording.query().options.algorithm);
    assert_eq!(raced, [Algorithm::BreadthFirst, Algorithm::Dijkstra]);
}

#[test]
fn both_searches_do_the_same_number_of_events_in_the_same_time() {
    let mut game = game_with_astar("figures/road");
    race(&mut game);
    let lens = both(&game).map(|search| search.recording.len());
    assert!(lens[0] < lens[1]);
    let mut seen = 0;
    while view(&game).position() < lens[1] {
        let position = view(&game).position();
        for half in Half::BOTH {
            let played = view(&game).position_on(half);
            assert_eq!(played, position.min(lens[half as usize]));
            let sizes = both(&game)[half as usize].recording.at(played).sizes();
            let marked =
                [MarkStyle::Open, MarkStyle::Closed, MarkStyle::Expanded].map(|style| count(&game, half, style));
            assert_eq!(marked.iter().sum::<usize>(), sizes.open + sizes.closed, "at {position}");
            assert_eq!(view(&game).race_route(half).is_empty(), played < lens[half as usize], "at {position}");
        }
        assert!(view(&game).hides_route(), "the routes of the race are others");
        game.ask(Action::Playback(Playback::StepOn));
        seen += 1;
    }
    assert!(seen > lens[0]);
    game.ask(Action::Playback(Playback::Start));
    game.ask(Action::Playback(Playback::Toggle));
    game.advance(7.9);
    assert!(view(&game).is_playing(), "the longer search takes eight seconds");
    game.advance(0.2);
    assert!(!view(&game).is_playing() && view(&game).is_complete());
    for half in Half::BOTH {
        assert_eq!(view(&game).race_route(half), both(&game)[half as usize].recording.result().cells());
    }
}

#[test]
fn terrain_and_goal_record_both_anew() {
    let mut game = game_with_astar("figures/snow");
    race(&mut game);
    game.ask(Action::Playback(Playback::End));
    let costs = |game: &Game| both(game).map(|search| search.recording.result().cost());
    let before = costs(&game);
    game.ask(Action::Erupt);
    assert_eq!(costs(&game)[0], costs(&game)[1]);
    assert_ne!(costs(&game), before);
    game.ask(Action::Go(at(3, 3)));
    assert_eq!(both(&game).map(|search| search.recording.query().to), [at(3, 3); 2]);
    assert!(view(&game).is_complete(), "a finished race stays finished");
    let sizes = both(&game).map(|search| search.recording.at(usize::MAX).sizes());
    for half in Half::BOTH {
        assert_eq!(count(&game, half, MarkStyle::Closed), sizes[half as usize].closed);
    }
}

#[test]
fn each_half_has_options_of_its_own() {
    let mut game = game_with_astar("figures/road");
    race(&mut game);
    let before = planning(&game);
    game.ask(Action::PlanWith(Half::Right, before.with_algorithm(Algorithm::Greedy)));
    let options = both(&game).map(|search| search.recording.query().options);
    assert_eq!((options[0], options[1].algorithm), (before, Algorithm::Greedy));
    assert_eq!(planning(&game), before, "the game plans as before");
    game.ask(Action::PlanWith(Half::Left, before.with_heuristic(Some(Heuristic::Euclidean))));
    assert_eq!(both(&game)[0].recording.query().options, planning(&game));
    assert_ne!(planning(&game), before);
    game.ask(Action::ToggleRace);
    race(&mut game);
    assert_eq!(both(&game)[1].recording.query().options.algorithm, Algorithm::Greedy, "the choice is kept");
}

#[test]
fn the_traveller_stands_during_a_race_and_walks_on_after_it() {
    let mut game = Game::on_bundled("figures/road");
    game.ask(Action::GoToCastle);
    game.advance(0.5);
    race(&mut game);
    let before = game.position();
    game.advance(1.0);
    assert_eq!(game.position(), before, "it stands");
    assert!(game.view().layout().is_split);
    game.ask_and_show(Action::Escape);
    assert!(!game.view().layout().is_split && view(&game).search().is_none() && !view(&game).hides_route());
    assert!(Half::BOTH.into_iter().all(|half| !cells(&game, half).is_shown()));
    game.advance(0.5);
    assert_ne!(game.position(), before, "it walks on");
}

#[test]
fn the_race_and_the_search_view_replace_each_other() {
    let mut game = Game::on_bundled("figures/road");
    race(&mut game);
    game.ask_and_show(Action::ToggleSearchView);
    assert!(view(&game).race().is_none() && view(&game).search().is_some());
    assert!(
        !game.view().layout().is_split && cells(&game, Half::Left).is_shown() && !cells(&game, Half::Right).is_shown()
    );
    race(&mut game);
    assert!(view(&game).race().is_some() && game.view().layout().is_split);
    assert!(Half::BOTH.into_iter().all(|half| cells(&game, half).is_shown()));
}

#[test]
fn a_blocked_goal_has_no_race() {
    let mut game = Game::on(&["GG~G"], &["1..2"]);
    race(&mut game);
    game.ask(Action::Playback(Playback::End));
    assert!(Half::BOTH.into_iter().all(|half| view(&game).race_route(half).is_empty()), "the water is in between");
    game.ask(Action::Go(at(2, 0)));
    assert!(view(&game).race().is_none());
    assert!(Half::BOTH.into_iter().all(|half| !cells(&game, half).is_shown()));
}

#[test]
fn a_race_on_a_large_map_is_recorded_in_the_background() {
    let (first, empty) = (format!("1{}2", ".".repeat(398)), ".".repeat(400));
    let rows: Vec<&str> = iter::once(&*first).chain(iter::repeat_n(&*empty, 119)).collect();
    let mut game = Game::on_grass(&rows);
    game.wait_for_no_job();
    race(&mut game);
    assert!(view(&game).is_recording() && view(&game).race().is_none());
    assert_eq!(view(&game).position(), 0);
    game.wait_until("both recordings", |game| view(game).race().is_some());
    assert_eq!(view(&game).position_on(Half::Left), view(&game).position_on(Half::Right));
    game.ask(Action::Go(at(200, 60)));
    game.wait_until("both recordings again", |game| !view(game).is_recording());
    assert_eq!(both(&game).map(|search| search.recording.query().to), [at(200, 60); 2]);
}

#[test]
fn both_halves_show_the_same_place_in_a_window_of_any_size() {
    let mut game = Game::on_bundled("valley");
    race(&mut game);
    for (width, height) in [(1280, 720), (801, 600), (320, 240), (600, 801), (3, 500), (2, 2), (1, 1)] {
        game.resize(width, height);
        let (view, map) = (game.view(), game.map().projection());
        let [left, right] = Half::BOTH.map(|half| view.layout().half_rect(half));
        assert!(left.size() == right.size() && left.size().min_element() > 0, "{left:?} in {width} x {height}");
        assert_eq!((left.min, right.max), (UVec2::ZERO, UVec2::new(width, height)));
        let are_apart = left.max.x <= right.min.x || left.max.y <= right.min.y;
        assert!(are_apart || width == 1, "the halves do not overlap");
        assert_eq!(left.max.y <= right.min.y, height > width, "they are below each other in a tall window");
        let (area, to_right) = (left.size(), (right.min - left.min).as_vec2());
        let centre = area.as_vec2() / 2.0;
        assert_eq!(view.map_point(centre), view.map_point(centre + to_right));
        for point in (0..area.x).step_by(7).map(|x| Vec2::new(x as f32 + 0.5, area.y as f32 / 2.0)) {
            let cell_at = |point| map.cell_at_zoom(view.scaled_map_point(point).into(), view.zoom());
            assert_eq!(cell_at(point), cell_at(point + to_right), "at {point}");
        }
    }
}

#[test]
fn the_view_is_as_before_after_a_race() {
    let mut game = Game::on_bundled("valley");
    game.resize(1280, 720);
    let before = game.view();
    race(&mut game);
    assert!(game.view().zoom() < before.zoom(), "the whole map fits into each half");
    game.ask_and_show(Action::ToggleRace);
    assert_eq!(game.view(), before);
}

#[test]
fn an_action_without_meaning_in_a_race_says_so_and_does_nothing_later() {
    let mut game = game_with_astar("figures/road");
    game.ask(Action::MoveCursor(Direction::S));
    game.ask(Action::ToggleWhy);
    game.ask(Action::NextOverlay);
    race(&mut game);
    let detour = |game: &Game| game.get::<Detour>().routes().is_some();
    for action in [Action::ToggleWhy, Action::NextOverlay] {
        game.ask(action);
        let told = game.told();
        assert_eq!(told.iter().filter(|notice| notice.contains("close it with Race (B)")).count(), 1, "{action:?}");
        assert!(!detour(&game) && count(&game, Half::Left, MarkStyle::Value) == 0);
    }
    race(&mut game);
    assert!(!detour(&game) && !cells(&game, Half::Left).is_shown());
}

#[test]
fn pointing_in_a_half_previews_the_route_of_the_search_there() {
    let mut game = game_with_astar("figures/road");
    let castle = game.map().castle().unwrap();
    game.inspect(castle);
    race(&mut game);
    game.ask(Action::PlanWith(Half::Right, Options::default().with_algorithm(Algorithm::BreadthFirst)));
    let previewed = Half::BOTH.map(|half| {
        game.app().insert_resource(PointedHalf(half));
        game.frame();
        assert_eq!(game.preview().cells(), both(&game)[half as usize].recording.result().cells(), "{half:?}");
        game.preview().cost()
    });
    assert!(previewed[0] < previewed[1], "{previewed:?}");
    race(&mut game);
    assert_eq!(game.preview().cost(), game.cost(), "of the traveller, after the race");
}
