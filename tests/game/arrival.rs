//! After the arrival: the route from where the traveller set out stays on show, and follows the terrain.

use crate::prelude::*;

/// The ends of the route.
fn ends(game: &Game) -> Option<(emberwalk_path::grid::Cell, emberwalk_path::grid::Cell)> {
    game.route().first().copied().zip(game.route().last().copied())
}

#[test]
fn an_eruption_after_the_arrival_bends_the_route_that_was_walked() {
    let mut game = Game::on_bundled("figures/snow");
    game.walk(Action::GoToCastle);
    game.advance(1.0);
    game.log_lines();
    let (tent, castle) = (game.map().tent().unwrap(), game.map().castle().unwrap());
    assert_eq!(ends(&game), Some((tent, castle)));
    assert!(game.route().iter().all(|cell| cell.y == 5), "over uniform snow the route is straight");
    let before = game.cost();

    game.ask(Action::Erupt);
    assert_eq!(ends(&game), Some((tent, castle)));
    assert!(game.route().iter().any(|cell| cell.y < 5), "towards the warmth: {:?}", game.route());
    assert!(game.cost() < before);
    let said = game.log_lines();
    assert_eq!(said[0], "eruption on");
    assert!(said[1].starts_with("route found from=1,5 to=8,5 "), "{said:?}");
    game.advance(1.0);
    assert!(game.arrived() && game.traveller().standing_cell() == Some(castle), "it stays");
    assert_eq!(game.log_lines(), [""; 0], "planned once, and it does not arrive again");

    game.ask(Action::Erupt);
    assert_eq!(game.cost(), before);
}

#[test]
fn a_route_that_changed_under_way_is_shown_from_the_tent_after_the_arrival() {
    let mut game = Game::on_bundled("figures/snow");
    game.ask(Action::GoToCastle);
    game.advance(1.5);
    game.ask(Action::Erupt);
    assert_eq!(game.route().first(), Some(&at(3, 5)));
    game.arrive();
    game.log_lines();
    game.advance(0.1);
    assert_eq!(game.route().first(), game.map().tent().as_ref());
    let said = game.log_lines();
    assert!(said.len() == 1 && said[0].starts_with("route found from=1,5 to=8,5 "), "{said:?}");
}

#[test]
fn after_an_arrival_clicks_space_and_reset_work_as_before() {
    let mut game = Game::on_grass(&["1....2"]);
    game.walk(Action::GoToCastle);
    game.walk(Action::Go(at(3, 0)));
    assert_eq!(ends(&game), Some((at(5, 0), at(3, 0))), "from the castle");
    game.ask(Action::GoToCastle);
    assert_eq!((ends(&game), game.arrived()), (Some((at(3, 0), at(5, 0))), false));
    game.arrive();
    game.ask(Action::Reset);
    assert_eq!((ends(&game), game.arrived()), (Some((at(0, 0), at(5, 0))), false));
    game.advance(1.0);
    assert_eq!(game.traveller().standing_cell(), Some(at(0, 0)));
}

#[test]
fn a_traveller_that_waits_near_its_goal_is_shown_the_route_that_it_has_walked() {
    let mut game = Game::on_grass(&["...WWW", "1..W2W", "...WWW"]);
    game.walk(Action::GoToCastle);
    game.frame();
    let waiting_at = game.traveller().standing_cell().unwrap();
    assert_eq!((game.reach(), ends(&game)), (Reach::Nearest, Some((at(0, 1), waiting_at))));
    game.log_lines();
    game.set_overlay('F', at(0, 0));
    game.set_overlay('W', game.route()[1]);
    assert_eq!((game.reach(), ends(&game)), (Reach::Nearest, Some((at(0, 1), waiting_at))));
    game.advance(1.0);
    assert_eq!(game.traveller().standing_cell(), Some(waiting_at));
    assert!(game.log_lines().iter().all(|line| !line.starts_with("arrived")));
    game.set_overlay('.', at(3, 1));
    assert_eq!((game.reach(), ends(&game)), (Reach::Goal, Some((waiting_at, at(4, 1)))));
    game.arrive();
    game.frame();
    assert_eq!(ends(&game), Some((at(0, 1), at(4, 1))), "from the tent");
}

#[test]
fn a_wall_that_cuts_off_the_tent_after_the_arrival_leaves_no_route_to_show() {
    let mut game = Game::on_grass(&["1....2"]);
    game.walk(Action::GoToCastle);
    game.set_overlay('W', at(2, 0));
    assert_eq!(game.route(), []);
    game.advance(1.0);
    assert_eq!(game.traveller().standing_cell(), Some(at(5, 0)));
    assert_eq!((&*game.description()[0], &*game.figures()), ("Arrived at the castle", ""));
    game.set_overlay('.', at(2, 0));
    assert_eq!(game.route().len(), 6);
}

#[test]
fn a_traveller_whose_goal_is_blocked_after_the_arrival_moves_next_to_it() {
    let mut game = Game::on_grass(&["1....."]);
    game.walk(Action::Go(at(4, 0)));
    game.set_overlay_under_feet('W', at(4, 0));
    assert_eq!(game.reach(), Reach::Nearest);
    game.advance(1.0);
    assert_eq!(game.traveller().standing_cell(), Some(at(3, 0)));
}

/// Whether the last frame has told the player that the traveller is there already.
fn is_told(game: &Game) -> bool {
    game.told().iter().any(|text| text == "You are here.")
}

#[test]
fn a_click_on_the_cell_of_a_waiting_traveller_keeps_the_route_that_is_shown() {
    let mut game = Game::on_grass(&["1....2"]);
    let (route, state) = (game.route().to_vec(), game.description());
    game.ask(Action::Go(at(0, 0)));
    assert!(is_told(&game));
    game.frame();
    assert_eq!((game.description(), game.route()), (state, route), "the castle is still the goal");
    game.walk(Action::Go(at(3, 0)));
    game.frame();
    game.inspect(at(3, 0));
    for order in [Action::Go(at(3, 0)), Action::GoToCursor { straight: false }] {
        game.ask(order);
        assert!(is_told(&game));
        game.advance(0.1);
        assert_eq!((ends(&game), game.arrived()), (Some((at(0, 0), at(3, 0))), true), "the walked route");
    }
    assert!(game.notice().is_some());
    game.walk(Action::GoToCastle);
    assert!(!is_told(&game) && game.notice().is_none(), "it is not there any more");
}

#[test]
fn a_click_on_the_cell_that_a_walking_traveller_enters_ends_the_walk_there() {
    let mut game = Game::on_grass(&["1....2"]);
    game.ask(Action::GoToCastle);
    game.advance(0.5);
    game.ask(Action::Go(at(2, 0)));
    game.arrive();
    game.frame();
    assert_eq!(game.traveller().standing_cell(), Some(at(2, 0)));
    assert_eq!((game.route(), game.reach()), (vec![at(2, 0)], Reach::Goal), "there is no route to show");
    assert_eq!((&*game.description()[0], game.is_at_goal()), ("Arrived at 2,0", true));
    game.ask(Action::Go(at(2, 0)));
    assert!(is_told(&game) && game.is_at_goal());
}

#[test]
fn a_traveller_that_waits_near_an_unreachable_goal_can_be_told_to_stay() {
    let mut game = Game::on_grass(&["1..W2"]);
    game.walk(Action::GoToCastle);
    game.frame();
    assert_eq!((game.reach(), game.traveller().standing_cell()), (Reach::Nearest, Some(at(2, 0))));
    game.ask(Action::Go(at(2, 0)));
    assert!(is_told(&game));
    game.frame();
    assert!(game.is_at_goal() && game.reach() == Reach::Goal, "nothing is unreachable any more");
}

#[test]
fn a_start_that_is_the_goal_is_no_missing_route() {
    let endpoints = RequestedEndpoints { start: Some(at(5, 5)), goal: Some(at(5, 5)) };
    let mut game = Game::following(MapRequest { endpoints, ..MapRequest::of_path("valley") });
    game.ask(Action::GoToCastle);
    assert!(is_told(&game) && game.is_at_goal());
    game.advance(0.1);
    assert_eq!(&*game.description()[0], "Arrived at 5,5");
}
