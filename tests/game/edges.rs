//! Maps without a tent, a castle or a passable cell, and other edge cases.

use crate::prelude::*;

#[test]
fn without_a_castle_there_is_no_goal_until_the_player_sets_one() {
    let mut game = Game::on_grass(&["1..."]);
    assert_eq!((game.reach(), game.route()), (Reach::Nowhere, Vec::new()));
    game.ask(Action::GoToCastle);
    assert_eq!(game.reach(), Reach::Nowhere);
    game.walk(Action::Go(at(3, 0)));
    assert_eq!(game.traveller().standing_cell(), Some(at(3, 0)));
    game.ask(Action::Reset);
    assert_eq!((game.traveller().standing_cell(), game.reach()), (Some(at(0, 0)), Reach::Nowhere));
}

#[test]
fn without_a_tent_the_traveller_starts_in_the_passable_cell_nearest_to_the_middle() {
    let game = Game::on_grass(&["...", "...", "..2"]);
    assert_eq!(game.traveller().standing_cell(), Some(at(1, 1)));
    let game = Game::on_grass(&["....", ".WW.", ".WW.", "...."]);
    assert_eq!(
        game.traveller().standing_cell(),
        Some(at(1, 0)),
        "of several nearest cells the northernmost, then the westernmost"
    );
}

#[test]
fn without_a_passable_cell_there_is_no_traveller_and_no_action_has_an_effect() {
    let mut game = Game::on(&["~~", "~~"], &["..", ".v"]);
    let all = [
        Action::Go(at(0, 0)),
        Action::GoToCastle,
        Action::MoveCursor(Direction::S),
        Action::MoveCursor(Direction::S),
        Action::GoToCursor { straight: false },
        Action::Erupt,
        Action::Reset,
        Action::Fit,
    ];
    for action in all {
        game.ask(action);
        assert!(!game.traveller().exists() && game.reach() == Reach::Nowhere, "{action:?}");
    }
    game.set_overlay('B', at(0, 0));
    assert_eq!(game.traveller().standing_cell(), Some(at(0, 0)), "a bridge makes water passable");
}

#[test]
fn a_click_off_the_map_does_nothing() {
    let mut game = Game::on_grass(&["1.2"]);
    game.log_lines();
    for cell in [at(-1, 0), at(3, 0), at(0, 1), at(i32::MAX, i32::MIN)] {
        game.ask(Action::Go(cell));
    }
    assert_eq!(game.log_lines(), [""; 0]);
}

#[test]
fn a_map_can_have_one_cell() {
    let mut game = Game::on_grass(&["1"]);
    game.walk(Action::Go(at(0, 0)));
    assert_eq!(game.traveller().standing_cell(), Some(at(0, 0)));
}
