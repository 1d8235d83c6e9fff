//! Texts about the journey.

use crate::prelude::*;

#[test]
fn tent_and_castle_are_named_and_other_cells_are_numbered() {
    let mut game = Game::on_grass(&["1....2"]);
    let state = |game: &mut Game| game.description()[0].clone();
    assert_eq!(state(&mut game), "At the tent; press Go (Space) to walk to the castle");
    game.ask_and_show(Action::TogglePainting);
    assert_eq!(state(&mut game), "At the tent; the route leads to the castle", "Space does not send it");
    game.ask_and_show(Action::TogglePainting);
    for (order, goal) in
        [(Action::GoToCastle, "the castle"), (Action::Go(at(3, 0)), "3,0"), (Action::Go(at(0, 0)), "the tent")]
    {
        game.ask(order);
        assert_eq!(state(&mut game), format!("Walking to {goal}"));
        game.arrive();
        assert_eq!(state(&mut game), format!("Arrived at {goal}"));
    }
    game.set_overlay('W', at(4, 0));
    game.ask(Action::GoToCastle);
    assert_eq!(state(&mut game), "The castle is unreachable: walking to 3,0, the nearest reachable cell");
    game.arrive();
    assert_eq!(state(&mut game), "The castle is unreachable: waiting at 3,0, the nearest reachable cell");
    let mut game = Game::on_grass(&["1."]);
    assert_eq!(state(&mut game), "At the tent; click a cell to go there");
}

#[test]
fn volcanoes_and_tombstones_are_named_with_their_cells() {
    let mut game = Game::on_grass(&["1.t..V.W"]);
    game.ask(Action::Go(at(2, 0)));
    assert_eq!(game.description()[0], "Walking to the tombstone at 2,0");
    game.ask(Action::Go(at(5, 0)));
    let unreachable = "The volcano at 5,0 is unreachable: walking to 4,0, the nearest reachable cell";
    assert_eq!(game.description()[0], unreachable);
    game.ask(Action::Go(at(7, 0)));
    let unreachable = "7,0 is unreachable: walking to 4,0, the nearest reachable cell";
    assert_eq!(game.description()[0], unreachable);
}

#[test]
fn the_route_is_described_with_its_present_cost_and_no_old_one() {
    let mut game = Game::on_bundled("figures/snow");
    assert_eq!(game.figures(), "cost 21.00, 21.00 to go, 7.0 s");
    game.walk(Action::GoToCastle);
    assert_eq!(game.figures(), "cost 21.00, arrived");
    game.ask(Action::Erupt);
    assert_eq!(game.figures(), format!("cost {:.2}, arrived", game.cost()));
}

#[test]
fn a_route_that_ends_before_an_unreachable_goal_is_not_called_the_route_there() {
    let mut game = Game::on_grass(&["1...W2"]);
    assert_eq!(game.figures(), "cost 3.00, 3.00 to go, 1.0 s");
    assert!(game.description()[0].starts_with("The castle is unreachable"));
}

#[test]
fn a_traveller_that_waits_while_a_search_is_watched_will_walk_if_it_was_sent() {
    let mut game = Game::on_grass(&["1....2"]);
    game.ask_and_show(Action::ToggleSearchView);
    game.ask(Action::Go(at(3, 0)));
    assert_eq!(game.traveller().standing_cell(), Some(at(0, 0)));
    game.ask_and_show(Action::ToggleSearchView);
    assert_eq!(game.description()[0], "Walking to 3,0");
}

/// Checks the description of the algorithm, given a game that starts with the route to the castle.
fn check_algorithm(game: &mut Game, options: Options, expected: &str) {
    game.plan_with(options);
    assert_eq!(game.description()[1], expected);
}

#[test]
fn another_algorithm_is_named_with_how_far_its_route_is_from_the_cheapest() {
    // Greedy search walks straight through the snow.
    let mut game = Game::on(&["GGGGG", "GSSSG", "GGGGG"], &[".....", "1...2", "....."]);
    let lowest = game.cost();
    let with = |algorithm| Options::default().with_algorithm(algorithm);
    check_algorithm(&mut game, Options::default(), "");
    check_algorithm(&mut game, with(Algorithm::AStar), "A*: always finds a cheapest route");
    check_algorithm(&mut game, with(Algorithm::Dijkstra), "Dijkstra: always finds a cheapest route");
    assert_eq!(game.cost(), lowest);
    check_algorithm(&mut game, with(Algorithm::Greedy), "Greedy best-first: 107.1 % above the lowest cost 4.83");
    assert_eq!(game.cost(), 10.0);
    let same = "this route is a cheapest one, but that is not guaranteed";
    check_algorithm(&mut game, with(Algorithm::BreadthFirst), &format!("Breadth-first: {same}"));
    let weighted = format!("Weighted A* (at most 1.5 times the lowest cost): {same}");
    check_algorithm(&mut game, with(Algorithm::Weighted { weight: 1.5 }), &weighted);
    check_algorithm(&mut game, with(Algorithm::Weighted { weight: 1.0 }), "Weighted A*: always finds a cheapest route");
}

#[test]
fn options_that_lose_the_guarantee_are_named() {
    let mut game = Game::on_grass(&["1...2"]);
    let same = "this route is a cheapest one, but that is not guaranteed";
    let manhattan = Options::default().with_heuristic(Some(Heuristic::Manhattan));
    check_algorithm(&mut game, manhattan, &format!("A*, Manhattan heuristic: {same}"));
    check_algorithm(&mut game, manhattan.with_moves(Moves::Four), "");
    let classic = Options::default().with_scale(HeuristicScale::Classic);
    check_algorithm(&mut game, classic, &format!("A*, classic scale: {same}"));
    let weighted = manhattan.with_algorithm(Algorithm::Weighted { weight: 2.0 });
    check_algorithm(&mut game, weighted, &format!("Weighted A*, Manhattan heuristic: {same}"));
    game.set_overlay('W', at(1, 0));
    let without_route = "Weighted A*, Manhattan heuristic: does not always find a cheapest route";
    check_algorithm(&mut game, weighted, without_route);
}
