//! The tile cursor, with which the game is played without a mouse.

use emberwalk_path::grid::Direction::{E, N, S, W};

use crate::prelude::*;

#[test]
fn the_arrow_keys_move_the_tile_cursor_from_the_cell_of_the_traveller() {
    let mut game = Game::on_grass(&[".....", ".....", "..1..", "....."]);
    assert_eq!(game.tile_cursor(), None);
    game.ask(Action::MoveCursor(N));
    assert_eq!(game.tile_cursor(), Some(at(2, 2)), "the first arrow key shows it");
    for (direction, cell) in [(N, at(2, 1)), (E, at(3, 1)), (S, at(3, 2)), (W, at(2, 2))] {
        game.ask(Action::MoveCursor(direction));
        assert_eq!(game.tile_cursor(), Some(cell));
    }
}

#[test]
fn the_tile_cursor_stays_on_the_map() {
    let mut game = Game::on_grass(&["1.", ".."]);
    for direction in [W, W, N, N, E, E, E, S, S, S] {
        game.ask(Action::MoveCursor(direction));
    }
    assert_eq!(game.tile_cursor(), Some(at(1, 1)));
}

#[test]
fn arrow_keys_of_the_same_frame_move_the_tile_cursor_before_enter_acts() {
    let mut game = Game::on_grass(&["1...", "...."]);
    let arrow = Action::MoveCursor;
    game.ask_at_once(&[arrow(E), arrow(E), arrow(S), Action::GoToCursor { straight: false }]);
    assert_eq!(game.route().last(), Some(&at(1, 1)));
}

#[test]
fn enter_without_a_tile_cursor_does_nothing() {
    let mut game = Game::on_grass(&["1.2"]);
    game.log_lines();
    game.ask(Action::GoToCursor { straight: false });
    assert_eq!(game.log_lines(), [""; 0]);
}

#[test]
fn the_preview_has_the_route_and_cost_to_the_tile_cursor_and_follows_the_traveller() {
    let mut game = Game::on_grass(&["1.RR."]);
    for _ in 0..5 {
        game.ask(Action::MoveCursor(E));
    }
    let shown = |game: &Game| (game.preview().reach(), game.preview().cells().len(), game.preview().cost());
    assert_eq!(shown(&game), (Reach::Goal, 5, 3.0));
    game.walk(Action::Go(at(2, 0)));
    assert_eq!(shown(&game), (Reach::Goal, 3, 1.5));
    game.set_overlay('M', at(3, 0));
    assert_eq!(shown(&game), (Reach::Nearest, 1, 0.0), "it is as near as it can be");
}
