//! Several travellers on one map, with one planner.

use bevy::prelude::*;

use bevy_emberwalk::{Goal, GridPosition, NavAgent, NavRoute, NavState, Reach};
use emberwalk::game::action::Action;
use emberwalk_path::grid::Cell;

use crate::play::{Game, at};

const ROWS: [&str; 5] = ["1......", ".......", "..WWW..", ".......", "......2"];

/// A second traveller at `from`, which is sent to `to`.
fn send_another(game: &mut Game, from: Cell, to: Cell) -> Entity {
    game.app().world_mut().spawn((NavAgent::at(from.x, from.y), Goal::Cell(to))).id()
}

#[test]
fn a_second_traveller_does_not_change_the_route_of_the_first() {
    let mut alone = Game::on_grass(&ROWS);
    let seconds = alone.walk(Action::GoToCastle);
    let route = alone.route().to_vec();

    let mut game = Game::on_grass(&ROWS);
    let other = send_another(&mut game, at(6, 0), at(0, 4));
    game.ask(Action::GoToCastle);
    let planned = game.app().world().get::<NavRoute>(other).expect("every traveller has a route");
    let ends = (planned.cells().first().copied(), planned.cells().last().copied());
    assert_eq!((planned.reach(), ends), (Reach::Goal, (Some(at(6, 0)), Some(at(0, 4)))));
    assert_eq!(game.route().len(), route.len());
    assert_eq!(seconds_until_arrival(&mut game), seconds);
    assert_eq!(game.traveller().standing_cell(), Some(at(6, 4)));
    game.advance(3.0);
    let there = game.app().world().get::<GridPosition>(other).and_then(GridPosition::standing_cell);
    assert_eq!(there, Some(at(0, 4)));
    assert_eq!(game.app().world().get::<NavState>(other), Some(&NavState::Arrived));
}

/// The seconds from the order to the arrival of the player's traveller.
fn seconds_until_arrival(game: &mut Game) -> f64 {
    crate::play::FRAME + game.arrive()
}

#[test]
fn a_new_goal_plans_only_for_its_traveller_and_a_new_wall_plans_for_both() {
    let mut game = Game::on_grass(&ROWS);
    send_another(&mut game, at(6, 0), at(0, 4));
    game.frame();
    game.log_lines();
    game.ask(Action::Go(at(0, 4)));
    let planned = |said: Vec<String>| said.iter().filter(|line| line.starts_with("route found")).count();
    assert_eq!(planned(game.log_lines()), 1);
    game.set_overlay('W', at(3, 3));
    assert_eq!(planned(game.log_lines()), 2);
}

#[test]
fn actions_of_the_player_do_not_affect_another_traveller() {
    let mut game = Game::on_grass(&ROWS);
    let other = send_another(&mut game, at(6, 0), at(0, 4));
    game.walk(Action::Go(at(1, 1)));
    game.ask(Action::Reset);
    assert_eq!(game.traveller().standing_cell(), Some(at(0, 0)));
    assert_eq!(game.app().world().get::<Goal>(other), Some(&Goal::Cell(at(0, 4))));
}
