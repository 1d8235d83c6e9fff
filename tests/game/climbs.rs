//! Climbs in the game: the time that they take, cliffs that arise, and routes that change because of them.

use emberwalk_path::{RouteCost, UNITS_PER_TILE};
use emberwalk_world::PACE;

use crate::prelude::*;
use crate::route_change::change;

/// Checks the cost of the route to a cell, and that walking it takes a third of a second for each tile of this cost.
fn check_walk(overlay: &[&str], heights: &[&str], moves: Moves, to: Cell, cost: f64) {
    let mut game = Game::on_hills(overlay, heights);
    game.plan_with(Options::default().with_moves(moves));
    let walked = game.walk(Action::Go(to));
    assert!((game.cost() - cost).abs() < 0.001 * cost, "{heights:?}: {}", game.cost());
    assert!((-1e-9..FRAME + 1e-9).contains(&(walked - game.cost() / 3.0)), "{heights:?}: {walked} s");
}

#[test]
fn a_climb_takes_as_long_as_it_costs() {
    check_walk(&["1.."], &["012"], Moves::Eight, at(2, 0), 4.0);
    check_walk(&["1.."], &["210"], Moves::Eight, at(2, 0), 2.0);
    check_walk(&["1.F"], &["112"], Moves::Eight, at(2, 0), 5.0);
    check_walk(&["1.", ".."], &["01", "11"], Moves::Eight, at(1, 1), 2.0 * 1.414);
    check_walk(&["1.", ".."], &["01", "11"], Moves::Six, at(1, 1), 2.0);
    check_walk(&[".1", ".."], &["00", "00"], Moves::Six, at(0, 1), 2.0);
}

#[test]
fn the_rest_of_a_climb_is_shown_with_its_cost() {
    let mut game = Game::on_hills(&["1...2"], &["01234"]);
    game.ask(Action::GoToCastle);
    game.advance(2.0 / 3.0);
    assert_eq!(game.traveller().origin(), Some(at(2, 0)));
    assert_eq!(game.figures(), "cost 8.00, 4.00 to go, 2.0 s");
}

/// A game in which the traveller is half way from (0, 0) to (1, 0), on level ground.
fn half_way(overlay: &[&str], heights: &[&str]) -> Game {
    let mut game = Game::on_hills(overlay, heights);
    game.ask(Action::GoToCastle);
    game.advance(0.17);
    assert_eq!(game.traveller().leaving().map(|(cell, _)| cell), Some(at(0, 0)));
    assert_eq!(game.traveller().origin(), Some(at(1, 0)));
    game
}

#[test]
fn a_cliff_that_arises_under_a_step_turns_the_traveller_back() {
    for raised in [at(1, 0), at(0, 0)] {
        let mut game = half_way(&["1.2", "...", "..."], &["111", "111", "111"]);
        let feet = game.traveller().feet();
        game.set_level(3, raised);
        assert_eq!(game.traveller().origin(), Some(at(0, 0)), "{raised}");
        assert_eq!(game.traveller().facing(), Direction::W);
        assert!(game.traveller().feet().0 <= feet.0);
        // The cliff is still there, but the traveller is already on its way back.
        game.set_level(2, at(2, 2));
        assert_eq!(game.traveller().origin(), Some(at(0, 0)), "{raised}");
        game.advance(0.3);
        assert_ne!(game.traveller().origin(), Some(at(1, 0)), "{raised}");
    }
}

#[test]
fn a_traveller_that_turned_back_from_a_cliff_goes_round_it() {
    let mut game = half_way(&["1.2", "..."], &["111", "111"]);
    game.set_level(9, at(1, 0));
    assert_eq!(game.reach(), Reach::Goal);
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), Some(at(2, 0)));
}

#[test]
fn a_slope_that_arises_under_a_step_only_changes_the_pace() {
    let mut game = half_way(&["1.2"], &["000"]);
    game.set_level(1, at(1, 0));
    assert_eq!(game.traveller().origin(), Some(at(1, 0)));
    let (before, _) = game.traveller().feet();
    game.advance(0.125);
    let (after, _) = game.traveller().feet();
    // Twice as long as on flat ground.
    let two_tiles = RouteCost::from_units(2 * u64::from(UNITS_PER_TILE));
    assert!((after - before - 0.125 / PACE.of(two_tiles).seconds()).abs() < 1e-6, "from {before} to {after}");
}

#[test]
fn no_step_is_taken_over_a_cliff_while_another_route_is_planned() {
    let mut game = half_way(&["1...2"], &["00000"]);
    game.plan_in_background();
    game.edit(&[CellEdit::level(at(2, 0), 5)]);
    game.advance(1.0);
    assert_eq!(game.traveller().standing_cell(), Some(at(1, 0)));
}

#[test]
fn a_raised_cell_on_the_route_is_named_with_its_level() {
    let mut game = Game::on_hills(&["......", "1....2", "......"], &["000000", "000000", "000001"]);
    game.set_level(4, at(3, 1));
    let after = game.cost();
    assert_eq!(
        change(&game).text(),
        format!("route changed: 5.00 to {after:.2} ({:+.2}): level 4 at 3,1", after - 5.0)
    );
    assert_eq!(change(&game).causes(), [at(3, 1)]);
    game.set_level(0, at(3, 1));
    assert_eq!(
        change(&game).text(),
        format!("route changed: {after:.2} to 5.00 (−{:.2}): level 0 at 3,1", after - 5.0)
    );
}

#[test]
fn a_raised_cell_beside_the_route_that_makes_a_corner_is_a_cause() {
    let mut game = Game::on_hills(&["1..", "..2"], &["000", "000"]);
    assert_eq!(game.route().len(), 3);
    // Wherever the diagonal step is, it passes one of these.
    game.edit(&[CellEdit::level(at(1, 0), 3), CellEdit::level(at(1, 1), 3)]);
    game.frame();
    assert_eq!(change(&game).text(), "route lost: 2.41 to none: level 3 at 1,0, level 3 at 1,1");
    let mut game = Game::on_hills(&["1.", ".2"], &["00", "00"]);
    game.edit(&[CellEdit::level(at(1, 0), 3), CellEdit::level(at(0, 0), 0)]);
    game.frame();
    assert_eq!(change(&game).text(), "route changed: 1.41 to 2.00 (+0.59): level 3 at 1,0");
    assert_eq!(change(&game).causes(), [at(1, 0)]);
}

#[test]
fn the_cost_before_is_that_with_the_climbs_of_then() {
    let mut game = Game::on_hills(&["1..2"], &["0121"]);
    assert_eq!(game.cost(), 5.0);
    game.set_level(9, at(2, 0));
    assert_eq!(change(&game).text(), "route lost: 5.00 to none: level 9 at 2,0");
    game.set_level(1, at(2, 0));
    assert_eq!(change(&game).text(), "route found: none to 4.00: level 1 at 2,0");
}
