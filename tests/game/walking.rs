//! Walking: each step takes as long as it costs, to where the player clicks, without a jump.

use emberwalk::game::action::WalkSpeed;

use crate::prelude::*;

/// Whether a walk took `seconds`, and ended in the first frame after that. If it ends exactly at the end of a frame,
/// the next frame counts, too, because of rounding.
fn took(walked: f64, seconds: f64) -> bool {
    (-1e-9..FRAME + 1e-9).contains(&(walked - seconds))
}

/// Checks how long the one step into `into` takes, in thirds of a second.
fn check_step(base: &[&str], overlay: &[&str], into: Cell, thirds: f64) {
    let mut game = Game::on(base, overlay);
    let walked = game.walk(Action::Go(into));
    assert_eq!(game.route().len(), 2, "{base:?} {overlay:?}");
    assert!(took(walked, thirds / 3.0), "{base:?} {overlay:?}: {walked} s");
}

#[test]
fn the_duration_of_a_step_depends_on_ground_and_overlay() {
    check_step(&["GG"], &["1."], at(1, 0), 1.0);
    check_step(&["GS"], &["1."], at(1, 0), 3.0);
    check_step(&["GD"], &["1."], at(1, 0), 1.5);
    check_step(&["GG"], &["1R"], at(1, 0), 0.5);
    check_step(&["GS"], &["1R"], at(1, 0), 1.5);
    check_step(&["GG"], &["1F"], at(1, 0), 2.0);
    check_step(&["GS"], &["1F"], at(1, 0), 6.0);
    check_step(&["G~"], &["1B"], at(1, 0), 0.5);
    check_step(&["SG"], &["1."], at(1, 0), 1.0);
}

#[test]
fn a_diagonal_step_takes_1_414_times_as_long() {
    check_step(&["GG", "GG"], &["1.", ".."], at(1, 1), 1.414);
    check_step(&["GG", "GS"], &["1.", ".R"], at(1, 1), 1.5 * 1.414);
}

#[test]
fn influences_change_the_pace() {
    check_step(&["GSG"], &["1.V"], at(1, 0), 3.0 / 8.0);
    check_step(&["GGG"], &["1t."], at(1, 0), 3.5 * 1.1);
    check_step(&["GGG", "GGG"], &["1..", "..t"], at(1, 1), 1.414 * 2.5 * 1.1);
}

#[test]
fn no_step_is_too_short_to_be_seen_or_takes_more_than_three_seconds() {
    check_step(&["GGGG"], &["1RVV"], at(1, 0), 0.15);
    check_step(&["GSG"], &["1Ft"], at(1, 0), 9.0);
}

#[test]
fn the_cheapest_route_is_the_quickest() {
    for map in ["figures/road", "figures/snow", "figures/eruption", "figures/tombstone", "figures/both"] {
        let mut game = Game::on_bundled(map);
        let thirds = game.cost();
        let walked = game.walk(Action::GoToCastle);
        assert!(took(walked, thirds / 3.0), "{map}: {walked} s for a cost of {thirds}");
    }
}

#[test]
fn terrain_that_changes_during_a_step_changes_the_pace_of_the_rest_of_it() {
    let mut game = Game::on(&["GSG"], &["1.v"]);
    game.ask(Action::Go(at(1, 0)));
    game.advance(0.5 - FRAME);
    assert!(took(game.traveller().feet().0, 0.5), "half the step: {:?}", game.traveller());
    game.ask(Action::Erupt);
    let rest = FRAME + game.arrive();
    assert!(took(rest, 0.5 / 8.0), "the rest took {rest} s");
}

#[test]
fn a_long_walk_loses_no_time_between_steps() {
    let mut game = Game::on(&["GGSSDDGGGG"], &["1..RR.FFR."]);
    let thirds = [1.0, 3.0, 1.5, 0.75, 1.5, 2.0, 2.0, 0.5, 1.0];
    let walked = game.walk(Action::Go(at(9, 0)));
    assert!(took(walked, thirds.iter().sum::<f64>() / 3.0), "{walked} s");
}

#[test]
fn space_at_the_castle_walks_there_again() {
    let mut game = Game::on_grass(&["1....", ".....", "....2"]);
    let seconds = game.walk(Action::GoToCastle);
    game.advance(1.0);
    // Like Reset, it makes the traveller jump.
    game.ask_for(Action::GoToCastle);
    assert!((game.arrive() - seconds).abs() < 0.1);
    assert_eq!((game.route().len(), game.traveller().standing_cell()), (5, Some(at(4, 2))));
}

#[test]
fn a_click_while_walking_plans_from_the_cell_that_the_traveller_is_entering() {
    let mut game = Game::on_grass(&["..........", ".1........", "..........", ".........."]);
    game.ask(Action::Go(at(9, 1)));
    game.advance(0.5);
    assert!(matches!(game.traveller().leaving(), Some((cell, _)) if cell == at(2, 1)), "{:?}", game.traveller());
    game.ask(Action::Go(at(0, 3)));
    assert_eq!(game.route().first(), Some(&at(3, 1)));
    assert_eq!(game.traveller().origin(), Some(at(3, 1)), "it completes the step");
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), Some(at(0, 3)));
}

#[test]
fn many_quick_clicks_never_make_the_traveller_jump() {
    let mut game = Game::on(
        &["GGGGSSSS", "GGDDDGSS", "GGG~~GGG", "GGGGGGGG", "SSGGGDDG"],
        &["1...F...", "..RRR...", "..W.....", "..W.tV.2", "....RRR."],
    );
    let size = game.map().size();
    for k in 0..400 {
        game.ask(Action::Go(at(k * 7 % size.width as i32, k * 11 % size.height as i32)));
        game.advance(f64::from(k % 9) * 0.07);
    }
}

#[test]
fn a_click_on_the_cell_of_the_traveller_arrives_at_once_each_time() {
    let mut game = Game::on_grass(&["1.."]);
    for _ in 0..2 {
        game.log_lines();
        game.ask(Action::Go(at(0, 0)));
        assert_eq!(game.route(), [at(0, 0)]);
        assert_eq!(game.log_lines().last().map(String::as_str), Some("arrived cell=0,0"));
    }
}

/// The lines logged on the way to the castle and after the arrival.
fn log_of_walk(speed: Option<WalkSpeed>, skips: bool) -> (f64, Vec<String>) {
    let mut game = Game::on_bundled("figures/snow");
    game.log_lines();
    speed.into_iter().for_each(|speed| game.ask_for(Action::SetWalkSpeed(speed)));
    game.ask_for(Action::GoToCastle);
    game.advance_fast(0.25);
    if skips {
        game.ask_for(Action::SkipWalk);
    }
    let mut seconds = 0.25;
    while !game.arrived() {
        game.advance_fast(FRAME);
        seconds += FRAME;
    }
    game.advance_fast(0.25);
    let lines = game.log_lines();
    let without_time = |line: &String| line.split(" expanded=").next().unwrap_or_default().to_owned();
    (seconds, lines.iter().map(without_time).collect())
}

#[test]
fn a_walk_can_be_faster_or_skipped_and_is_otherwise_the_same() {
    let (normal, expected) = log_of_walk(None, false);
    assert!(expected.iter().any(|line| line.starts_with("arrived")));
    for speed in WalkSpeed::ALL {
        let (seconds, lines) = log_of_walk(Some(speed), false);
        assert!((seconds * f64::from(speed.factor()) - normal).abs() < 8.0 * FRAME, "{speed:?}: {seconds} s");
        assert_eq!(lines, expected, "{speed:?}");
    }
    let (seconds, lines) = log_of_walk(None, true);
    assert!(seconds < 0.25 + 2.0 * FRAME, "{seconds} s");
    assert_eq!(lines, expected, "skipped");
}

#[test]
fn the_speed_is_kept_for_the_next_walk_and_a_skip_is_not() {
    let mut game = Game::on_grass(&["1......2"]);
    game.ask_for(Action::SkipWalk);
    game.ask_for(Action::SetWalkSpeed(WalkSpeed::Quadruple));
    game.ask_for(Action::GoToCastle);
    game.advance_fast(0.25);
    assert!(!game.arrived(), "nothing was walked when it was skipped");
    game.advance_fast(0.5);
    assert!(game.arrived());
    game.ask_for(Action::NextMap);
    game.wait_until("the next map", |game| game.map().size().height > 1);
    assert_eq!(*game.get::<WalkSpeed>(), WalkSpeed::Quadruple);
}

#[test]
fn a_walk_to_an_unreachable_goal_is_skipped_to_the_nearest_cell() {
    let mut game = Game::on_grass(&["1....W2"]);
    game.ask_for(Action::GoToCastle);
    game.ask_for(Action::SkipWalk);
    assert_eq!((game.reach(), game.traveller().standing_cell()), (Reach::Nearest, Some(at(4, 0))));
}
