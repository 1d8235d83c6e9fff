//! Unreachable goals: the traveller waits as near as it can get, and continues when there is a route.

use crate::prelude::*;

#[test]
fn a_traveller_waits_near_a_walled_in_goal_and_goes_on_when_it_is_freed() {
    let mut game = Game::on_grass(&["......", "1...W.", "...W2W", "....W."]);
    game.ask(Action::Go(at(5, 0)));
    game.arrive();
    game.ask(Action::GoToCastle);
    assert_eq!(game.reach(), Reach::Nearest, "corners are not cut");
    game.set_overlay('.', at(4, 1));
    game.advance(0.2);
    game.set_overlay('W', at(4, 1));
    assert_eq!(game.reach(), Reach::Nearest);
    game.arrive();
    let waiting_at = game.traveller().standing_cell().expect("it stands");
    assert_eq!(game.route().last(), Some(&waiting_at));
    game.advance(1.0);
    assert_eq!(game.traveller().standing_cell(), Some(waiting_at));

    game.set_overlay('.', at(4, 1));
    assert_eq!(game.reach(), Reach::Goal);
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), Some(at(4, 2)));
}

#[test]
fn a_click_on_an_impassable_cell_sends_the_traveller_to_the_nearest_reachable_cell() {
    let mut game = Game::on_grass(&["1....", "..MM.", "..MM.", "....."]);
    game.ask(Action::Go(at(3, 1)));
    assert_eq!(game.reach(), Reach::Nearest);
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), Some(at(3, 0)), "4,1 is as near, but more expensive to reach");
}

#[test]
fn ties_between_nearest_cells_go_to_the_northernmost_then_to_the_westernmost() {
    let mut game = Game::on_grass(&["1...", "....", "..MM", "..M."]);
    game.ask(Action::Go(at(2, 2)));
    assert_eq!(game.route().last(), Some(&at(2, 1)), "not 1,2");

    let mut game = Game::on_grass(&["..1..", "..M..", ".MMM.", ".MMM."]);
    game.ask(Action::Go(at(2, 3)));
    assert_eq!(game.route().last(), Some(&at(0, 3)), "not 4,3");
}
