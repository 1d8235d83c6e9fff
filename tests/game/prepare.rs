//! Large maps are prepared in the background.

use std::thread;
use std::time::{Duration, Instant};

use emberwalk::game::input::action::Action;

use crate::play::{Game, at};

/// Returns how many cells the last search expanded.
fn expanded(game: &mut Game) -> u64 {
    let said = game.log_lines();
    let line = said.iter().rev().find(|line| line.starts_with("route found")).expect("a route was found");
    let number = line.split("expanded=").nth(1).and_then(|rest| rest.split(' ').next());
    number.and_then(|number| number.parse().ok()).expect("the line has the number")
}

/// Walls with a gate at alternate ends: the route is long, and a straight line says little about its cost.
fn large_game() -> Game {
    const SIDE: usize = 96;
    let row = |y: usize| match y % 8 {
        3 => format!("{}.", "W".repeat(SIDE - 1)),
        7 => format!(".{}", "W".repeat(SIDE - 1)),
        _ => ".".repeat(SIDE),
    };
    let rows: Vec<String> = (0..SIDE).map(row).collect();
    Game::on_grass(&rows.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Checks that searches expand fewer cells after a while.
fn check_preparation(mut game: Game) {
    let mut search = |to| {
        game.ask(Action::Go(to));
        game.wait_until("a route", |game| !game.is_planning());
        expanded(&mut game)
    };
    let end = at(90, 94);
    let plain = search(end);
    let begun = Instant::now();
    loop {
        thread::sleep(Duration::from_millis(5));
        // Another goal first, so that the planner does not know the route yet.
        search(at(80, 92));
        if search(end) * 3 < plain * 2 {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "no search expands fewer than two thirds of {plain} cells");
    }
}

#[test]
fn long_routes_on_a_large_map_are_found_faster_after_preparation() {
    check_preparation(large_game());
}

#[test]
fn searches_beside_the_frames_use_the_prepared_planner() {
    let mut game = large_game();
    game.plan_beside_frames();
    check_preparation(game);
}
