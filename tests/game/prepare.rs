//! Large maps are prepared in the background.

use std::thread;
use std::time::{Duration, Instant};

use crate::prelude::*;
use crate::search_view::view;

/// The number of cells that the last search expanded.
fn expanded(game: &mut Game) -> u64 {
    let said = game.log_lines();
    let line = said.iter().rev().find(|line| line.starts_with("route found")).expect("a route was found");
    let number = line.split("expanded=").nth(1).and_then(|rest| rest.split(' ').next());
    number.and_then(|number| number.parse().ok()).expect("the line has the number")
}

/// Walls with a gate at alternate ends: the route is long, and a straight line says little about its cost.
fn large_game(side: usize) -> Game {
    let row = |y: usize| match y % 8 {
        3 => format!("{}.", "W".repeat(side - 1)),
        7 => format!(".{}", "W".repeat(side - 1)),
        _ => ".".repeat(side),
    };
    let rows: Vec<String> = (0..side).map(row).collect();
    Game::on_grass(&rows)
}

/// Waits until searches expand fewer cells than without preparation, and returns how many the search to 90,94 expands
/// then.
fn check_preparation(game: &mut Game) -> u64 {
    let end = at(90, 94);
    let start = game.traveller().origin().expect("there is a traveller");
    let plain =
        Planner::new().plan(game.map().costs(), &RouteQuery::new(start, end)).expect("both are passable").expanded;
    let mut search = |to| {
        game.ask(Action::Go(to));
        game.wait_until("a route", |game| !game.is_planning());
        expanded(game)
    };
    let begun = Instant::now();
    loop {
        thread::sleep(Duration::from_millis(5));
        // Another goal first, so that the planner does not know the route yet.
        search(at(80, 92));
        let prepared = search(end);
        if prepared * 3 < plain * 2 {
            return prepared;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "no search expands fewer than two thirds of {plain} cells");
    }
}

#[test]
fn long_routes_on_a_large_map_are_found_faster_after_preparation() {
    let mut game = large_game(96);
    check_preparation(&mut game);
    let mut game = large_game(96);
    game.plan_in_background();
    check_preparation(&mut game);
}

#[test]
fn on_a_large_map_the_search_of_the_prepared_planner_is_recorded_and_then_it_plans_again() {
    let mut game = large_game(208);
    let prepared = check_preparation(&mut game);
    game.ask(Action::PlanWith(Half::Left, Options::default()));
    game.ask(Action::ToggleSearchView);
    game.wait_until("the recording", |game| view(game).search().is_some());
    let recording = &view(&game).search().expect("it was waited for").recording;
    assert_eq!((recording.query().to, recording.result().expanded), (at(90, 94), prepared));
    game.ask(Action::Go(at(80, 92)));
    game.wait_until("a route", |game| !game.is_planning() && game.route().last() == Some(&at(80, 92)));
    game.wait_until("the next recording", |game| !view(game).is_recording());
    assert_eq!(view(&game).search().expect("it was waited for").recording.query().to, at(80, 92));
}

#[test]
fn on_a_large_map_the_prepared_planner_races_against_a_planner_of_its_own() {
    let mut game = large_game(208);
    let prepared = check_preparation(&mut game);
    game.ask(Action::PlanWith(Half::Left, Options::default()));
    game.ask(Action::ToggleRace);
    game.wait_until("the recordings", |game| view(game).race().is_some());
    let [left, right] = view(&game).race().expect("it was waited for").map(|search| &search.recording);
    assert_eq!((left.result().expanded, right.query().options.algorithm), (prepared, Algorithm::Dijkstra));
    assert!(right.result().expanded > prepared);
    game.ask(Action::PlanWith(Half::Right, Options::default().with_algorithm(Algorithm::Greedy)));
    game.wait_until("the next recording", |game| {
        let race = view(game).race();
        race.is_some_and(|[_, right]| right.recording.query().options.algorithm != Algorithm::Dijkstra)
    });
    assert!(!game.is_planning(), "the planner of the game has nothing to do with it");
}
