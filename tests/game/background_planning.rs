//! Routes that take too long for a frame: they are planned in the background.

use crate::prelude::*;

const PLANNED: &str = "the route";

/// Waits for the route, while no time passes in the game.
fn wait_for_route(game: &mut Game) {
    game.wait_until(PLANNED, |game| !game.is_planning());
}

#[test]
fn the_old_route_stays_until_the_new_one_is_planned() {
    let mut game = Game::on_grass(&[".......", "1.....2", "......."]);
    game.ask(Action::GoToCastle);
    let old = game.route().to_vec();
    game.plan_in_background();
    game.log_lines();
    game.set_overlay('W', at(4, 1));
    assert_eq!((game.route(), game.is_planning()), (old.clone(), true));
    assert_eq!(game.description()[0], "Walking to the castle; planning the route again...");
    assert_eq!(game.log_lines(), [""; 0]);
    wait_for_route(&mut game);
    assert!(!game.route().contains(&at(4, 1)));
    assert_eq!(game.description()[0], "Walking to the castle");
    let said = game.log_lines();
    assert!(said[0].starts_with("route found from=1,1 to=6,1 "), "{said:?}");
    assert_eq!(said[1..], ["route changed before=5.000 after=5.828"]);
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), Some(at(6, 1)));
}

#[test]
fn the_old_route_is_not_called_the_cheapest_while_the_new_one_is_planned() {
    for (overlay, expected) in [('F', "planning, 7.00 to go, 2.3 s"), ('W', "planning, blocked")] {
        let mut game = Game::on_grass(&[".......", "1.....2", "......."]);
        game.plan_in_background();
        game.set_overlay(overlay, at(4, 1));
        assert!(game.is_planning());
        assert_eq!(game.figures(), expected);
        wait_for_route(&mut game);
        let cost = game.cost();
        assert!(game.figures().starts_with(&format!("cost {cost:.2}, {cost:.2} to go")));
    }
}

#[test]
fn a_traveller_goes_on_along_the_old_route_but_not_into_a_wall() {
    let mut game = Game::on_grass(&[".......", "1.....2", "......."]);
    game.ask(Action::GoToCastle);
    game.plan_in_background();
    game.edit_overlay('W', at(4, 1));
    game.long_frame(10.0);
    assert!(game.is_planning());
    assert_eq!(game.traveller().standing_cell(), Some(at(3, 1)), "it waits at the wall");
    wait_for_route(&mut game);
    assert_eq!(game.route().first(), Some(&at(3, 1)), "planned again from there");
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), Some(at(6, 1)));
}

#[test]
fn a_traveller_does_not_cut_the_corner_of_a_new_wall() {
    let mut game = Game::on_grass(&["1..", "...", "..2"]);
    game.ask(Action::GoToCastle);
    game.plan_in_background();
    game.edit_overlay('W', at(2, 1));
    game.long_frame(10.0);
    assert_eq!(game.traveller().standing_cell(), Some(at(1, 1)));
    wait_for_route(&mut game);
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), Some(at(2, 2)));
}

#[test]
fn a_traveller_that_has_passed_the_start_of_its_new_route_does_not_go_back() {
    let mut game = Game::on_grass(&[".......", "1.....2", "......."]);
    game.ask(Action::GoToCastle);
    game.plan_in_background();
    game.log_lines();
    game.edit_overlay('W', at(5, 0));
    game.long_frame(0.9);
    assert!(game.is_planning());
    let feet = game.traveller().feet();
    wait_for_route(&mut game);
    assert_eq!((game.route().first(), game.traveller().feet()), (Some(&at(1, 1)), feet));
    let said = game.log_lines();
    assert_eq!(said.len(), 2, "the route leads past it, so it is planned once: {said:?}");
    assert_eq!(said[1], "route unchanged", "what is left of it");
    let seconds = game.arrive();
    assert!(seconds < 1.2, "{seconds} s for the rest of six steps");
}

#[test]
fn a_traveller_with_another_goal_waits_for_its_route() {
    let mut game = Game::on_grass(&["..........", "1........2"]);
    game.ask(Action::GoToCastle);
    game.plan_in_background();
    game.ask(Action::Go(at(0, 0)));
    game.long_frame(10.0);
    wait_for_route(&mut game);
    assert_eq!(game.route().first(), Some(&at(1, 1)), "it has completed its step");
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), Some(at(0, 0)));
}

#[test]
fn a_click_replaces_the_one_whose_route_is_being_planned() {
    let mut game = Game::on_grass(&["..........", "1........2"]);
    game.plan_in_background();
    game.log_lines();
    game.ask(Action::Go(at(5, 0)));
    assert_eq!(game.description()[0], "Planning the route to 5,0...");
    game.ask(Action::Go(at(7, 0)));
    wait_for_route(&mut game);
    assert_eq!(game.route().last(), Some(&at(7, 0)));
    let said = game.log_lines();
    assert_eq!(said[..2], ["goal set cell=5,0", "goal set cell=7,0"]);
    // On a fast machine, the first route was known just before the second click.
    let first = said.len() == 4 && said[2].starts_with("route found from=0,1 to=5,0 ");
    let last = said.last().is_some_and(|line| line.starts_with("route found from=0,1 to=7,0 "));
    assert!(last && (said.len() == 3 || first), "{said:?}");
}

#[test]
fn an_entering_traveller_turns_back_from_a_new_wall_before_its_route_is_planned() {
    let mut game = Game::on_grass(&[".....", "1...2", "....."]);
    game.ask(Action::GoToCastle);
    game.advance(0.5);
    game.plan_in_background();
    game.set_overlay('W', at(2, 1));
    assert_eq!((game.traveller().origin(), game.is_planning()), (Some(at(1, 1)), true));
    game.advance(1.0);
    wait_for_route(&mut game);
    assert_eq!(game.route().first(), Some(&at(1, 1)));
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), Some(at(4, 1)));
}

#[test]
fn the_preview_of_another_cell_is_dropped_until_its_own_is_planned() {
    let mut game = Game::on_grass(&["1....", "....."]);
    game.ask(Action::MoveCursor(Direction::E));
    game.ask(Action::MoveCursor(Direction::E));
    assert_eq!(game.preview().cells().len(), 2);
    game.plan_in_background();
    game.ask(Action::MoveCursor(Direction::E));
    assert_eq!((game.preview().reach(), game.preview().cells().len()), (Reach::Nowhere, 0));
    assert!(game.preview().is_planning());
    game.ask(Action::MoveCursor(Direction::S));
    game.wait_until(PLANNED, |game| !game.preview().is_planning());
    assert_eq!(game.preview().cells().last(), Some(&at(2, 1)));
}

#[test]
fn clicks_hover_and_changes_of_terrain_in_any_order_end_with_the_right_route() {
    let mut game = Game::on_grass(&["1.......", ".W.W.W..", "........", "..W...W2"]);
    game.plan_in_background();
    for k in 0..200 {
        let cell = at(k * 7 % 8, k * 5 % 4);
        match k % 5 {
            0 | 3 => game.ask(Action::Go(cell)),
            1 => game.set_overlay(if k % 2 == 0 { 'F' } else { '.' }, at(k * 3 % 8, 2)),
            2 => game.ask(Action::MoveCursor(Direction::ALL[k as usize % 4])),
            _ => game.advance(f64::from(k % 7) * 0.05),
        }
    }
    wait_for_route(&mut game);
    let (route, cost, reach) = (game.route().to_vec(), game.cost(), game.reach());
    let mut planner = emberwalk_path::Planner::new();
    let query = emberwalk_path::RouteQuery::new(route[0], *route.last().unwrap());
    let lowest = planner.plan(game.map().costs(), &query).unwrap().cost().unwrap().tiles();
    assert!((cost - lowest).abs() < 1e-9, "{reach:?} {route:?}");
}
