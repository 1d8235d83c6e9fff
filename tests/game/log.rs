//! The lines that the window logs, which people and scripts read.

use crate::prelude::*;

/// The lines logged since the last call, with a dash for the numbers that differ from run to run.
fn log_lines(game: &mut Game) -> Vec<String> {
    let dashed = |line: &String| {
        let words = line.split(' ').map(|word| match word.split_once('=') {
            Some((key @ ("expanded" | "micros"), number)) if number.parse::<u64>().is_ok() => format!("{key}=-"),
            _ => word.to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    };
    game.log_lines().iter().map(dashed).collect()
}

#[test]
fn goals_routes_arrivals_and_eruptions_are_logged() {
    let mut game = Game::on_bundled("figures/snow");
    assert_eq!(
        log_lines(&mut game),
        [
            r#"map loaded name="Snow" width=10 height=10"#,
            "goal set cell=8,5",
            "route found from=1,5 to=8,5 cost=21.000 cells=8 expanded=- micros=-",
        ]
    );
    game.ask(Action::Go(at(2, 4)));
    assert_eq!(
        log_lines(&mut game),
        ["goal set cell=2,4", "route found from=1,5 to=2,4 cost=4.242 cells=2 expanded=- micros=-"]
    );
    game.arrive();
    assert_eq!(log_lines(&mut game), ["arrived cell=2,4"]);
    game.ask(Action::Go(at(2, 4)));
    assert_eq!(log_lines(&mut game), ["already there cell=2,4"]);
    game.ask(Action::Erupt);
    let lines = log_lines(&mut game);
    assert_eq!((lines.len(), lines[2].as_str()), (3, "route unchanged"), "{lines:?}");
    assert_eq!(lines[0], "eruption on");
    assert!(lines[1].starts_with("route found from=1,5 to=2,4 "), "the route that was walked: {}", lines[1]);
    game.ask(Action::Erupt);
    assert_eq!(log_lines(&mut game)[0], "eruption off");
    game.ask(Action::GoToCastle);
    assert_eq!(log_lines(&mut game)[0], "goal set cell=8,5");
}

#[test]
fn an_unreachable_goal_is_logged_with_the_nearest_cell_and_the_arrival_there() {
    let mut game = Game::on_grass(&["1...W2"]);
    assert_eq!(log_lines(&mut game)[1..], ["goal set cell=5,0", "no route from=0,0 to=5,0 nearest=3,0"]);
    game.walk(Action::GoToCastle);
    let lines = log_lines(&mut game);
    assert_eq!(lines, ["goal set cell=5,0", "no route from=0,0 to=5,0 nearest=3,0", "arrived cell=3,0"]);
    game.set_overlay('.', at(4, 0));
    game.arrive();
    let lines = log_lines(&mut game);
    assert_eq!(lines[0], "route found from=3,0 to=5,0 cost=2.000 cells=3 expanded=- micros=-");
    assert_eq!(lines[1..], ["route changed before=none after=2.000", "arrived cell=5,0"]);
}

#[test]
fn moving_the_view_and_the_tile_cursor_logs_nothing() {
    let mut game = Game::on_bundled("valley");
    game.log_lines();
    let zoom = Action::Zoom { zoom: Zoom::In, towards: None };
    for action in [Action::MoveCursor(Direction::E), zoom, Action::Fit, Action::Pan(Direction::N), Action::Help] {
        game.ask(action);
    }
    game.advance(1.0);
    assert_eq!(game.log_lines(), [""; 0]);
}
