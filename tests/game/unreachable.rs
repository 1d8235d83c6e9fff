//! Unreachable goals: the traveller waits as near as it can get, and goes on when there is a route.

use emberwalk::game::input::action::Action;
use emberwalk::game::journey::shared_planner::Reach;

use crate::play::{Game, at};

#[test]
fn a_goal_that_is_walled_in_while_walking_is_waited_for_and_reached_when_it_is_freed() {
    let mut game = Game::on_grass(&["......", "1...W.", "...W2W", "....W."]);
    game.ask(Action::Go(at(5, 0)));
    game.arrive();
    game.ask(Action::GoToCastle);
    assert_eq!(game.reach(), Reach::Nearest, "corners are not cut");
    game.put('.', at(4, 1));
    game.pass(0.2);
    game.put('W', at(4, 1));
    assert_eq!(game.reach(), Reach::Nearest);
    game.arrive();
    let waits = game.traveller().standing_cell().expect("it stands");
    assert_eq!(game.route().last(), Some(&waits));
    game.pass(1.0);
    assert_eq!(game.traveller().standing_cell(), Some(waits));

    game.put('.', at(4, 1));
    assert_eq!(game.reach(), Reach::Goal);
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), Some(at(4, 2)));
}

#[test]
fn a_click_on_a_blocked_cell_goes_to_the_nearest_reachable_one() {
    let mut game = Game::on_grass(&["1....", "..MM.", "..MM.", "....."]);
    game.ask(Action::Go(at(3, 1)));
    assert_eq!(game.reach(), Reach::Nearest);
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), Some(at(3, 0)), "as near as 4,1, and cheaper to reach");
}

#[test]
fn of_cells_as_near_and_as_cheap_to_reach_the_northernmost_then_the_westernmost_is_taken() {
    let mut game = Game::on_grass(&["1...", "....", "..MM", "..M."]);
    game.ask(Action::Go(at(2, 2)));
    assert_eq!(game.route().last(), Some(&at(2, 1)), "not 1,2");

    let mut game = Game::on_grass(&["..1..", "..M..", ".MMM.", ".MMM."]);
    game.ask(Action::Go(at(2, 3)));
    assert_eq!(game.route().last(), Some(&at(0, 3)), "not 4,3");
}

#[test]
fn a_traveller_that_is_walled_in_goes_as_near_to_the_goal_as_it_can() {
    let mut game = Game::on_grass(&["...W...", ".1.W..2", "...W..."]);
    game.walk(Action::GoToCastle);
    assert_eq!((game.reach(), game.traveller().standing_cell()), (Reach::Nearest, Some(at(2, 1))));
}
