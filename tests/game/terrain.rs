//! Terrain that changes while the traveller walks: its route is planned again in the same frame.

use crate::prelude::*;

/// The lowest cost, in tiles, from where the traveller plans to the end of its route.
fn lowest_cost(game: &Game) -> f64 {
    let (from, to) = (game.traveller().origin().unwrap(), *game.route().last().unwrap());
    let mut planner = Planner::new();
    let result = planner.plan(game.map().costs(), &RouteQuery::new(from, to)).unwrap();
    result.cost().unwrap().tiles()
}

#[test]
fn an_eruption_changes_the_route_in_the_same_frame() {
    let mut game = Game::on_bundled("figures/snow");
    game.ask(Action::GoToCastle);
    game.advance(2.5);
    assert!(game.route().iter().all(|cell| cell.y == 5), "over uniform snow the route is straight");
    let entering = game.traveller().origin();

    game.ask(Action::Erupt);
    assert_eq!(game.route().first().copied(), entering);
    assert!(game.route().iter().any(|cell| cell.y < 5), "towards the warmth: {:?}", game.route());
    let warm = lowest_cost(&game);
    assert!((game.cost() - warm).abs() < 1e-9);

    game.ask(Action::Erupt);
    assert!(game.route().iter().all(|cell| cell.y == 5), "calm again: {:?}", game.route());
    assert!(game.cost() > warm);
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), game.map().castle());
}

#[test]
fn v_makes_all_volcanoes_erupt_if_any_is_dormant_and_otherwise_ends_all_eruptions() {
    let mut game = Game::on_grass(&["v.V", "...", "..v"]);
    let erupting = |game: &Game| game.map().erupting().to_vec();
    game.ask(Action::Erupt);
    assert_eq!(erupting(&game), [at(0, 0), at(2, 0), at(2, 2)]);
    game.ask(Action::Erupt);
    assert_eq!(erupting(&game), []);
    game.ask(Action::Erupt);
    assert_eq!(erupting(&game).len(), 3);
}

#[test]
fn v_without_a_volcano_does_nothing() {
    let mut game = Game::on_grass(&["1.2"]);
    game.log_lines();
    game.ask(Action::Erupt);
    assert_eq!(game.log_lines(), [""; 0]);
}

#[test]
fn a_traveller_that_is_entering_a_cell_that_becomes_blocked_goes_back() {
    let mut game = Game::on_grass(&[".....", "1...2", "....."]);
    game.ask(Action::GoToCastle);
    game.advance(0.5);
    assert_eq!(game.traveller().origin(), Some(at(2, 1)));
    game.set_overlay('W', at(2, 1));
    assert_eq!(game.traveller().origin(), Some(at(1, 1)));
    assert_eq!(game.route().first(), Some(&at(1, 1)));
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), Some(at(4, 1)), "and goes on by another route");
}

#[test]
fn a_traveller_that_stands_where_a_wall_is_built_is_moved_next_to_it() {
    let mut game = Game::on_grass(&["W.W", ".1.", "W.W"]);
    game.set_overlay_under_feet('W', at(1, 1));
    let stands = game.traveller().standing_cell().expect("it stands somewhere");
    assert!(game.map().costs().is_passable(stands));
    assert_eq!(stands.distance_squared(at(1, 1)), 1);
}
