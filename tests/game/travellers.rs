//! Several travellers on one map, with one planner.

use bevy::prelude::*;

use emberwalk::game::action::Action;
use emberwalk::game::journey::goal::Goal;
use emberwalk::game::journey::planned_route::{PlannedRoute, Progress};
use emberwalk::game::journey::planning::Reach;
use emberwalk::game::journey::traveller::Traveller;
use emberwalk_path::grid::Cell;

use crate::play::{Game, at};

const ROWS: [&str; 5] = ["1......", ".......", "..WWW..", ".......", "......2"];

/// A second traveller at `from`, which is sent to `to`.
fn send_another(game: &mut Game, from: Cell, to: Cell) -> Entity {
    let goal = Goal { cell: Some(to), sent: true };
    game.app().world_mut().spawn((Traveller::standing(Some(from)), goal)).id()
}

#[test]
fn a_second_traveller_does_not_change_the_route_of_the_first() {
    let mut alone = Game::on_grass(&ROWS);
    let seconds = alone.walk(Action::GoToCastle);
    let route = alone.route().to_vec();

    let mut game = Game::on_grass(&ROWS);
    let other = send_another(&mut game, at(6, 0), at(0, 4));
    game.ask(Action::GoToCastle);
    let planned = game.app().world().get::<PlannedRoute>(other).expect("every traveller has a planned route");
    let ends = (planned.cells().first().copied(), planned.cells().last().copied());
    assert_eq!((planned.reach(), ends), (Reach::Goal, (Some(at(6, 0)), Some(at(0, 4)))));
    assert_eq!(game.route().len(), route.len());
    assert_eq!(seconds_until_arrival(&mut game), seconds);
    assert_eq!(game.traveller().standing_cell(), Some(at(6, 4)));
    game.advance(3.0);
    let there = game.app().world().get::<Traveller>(other).and_then(Traveller::standing_cell);
    assert_eq!(there, Some(at(0, 4)));
    assert!(game.app().world().get::<Progress>(other).is_some_and(Progress::arrived));
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
    let goal = game.app().world().get::<Goal>(other).and_then(|goal| goal.cell);
    assert_eq!(goal, Some(at(0, 4)));
}
