//! Messages to the player when terrain changes the route.

use emberwalk::game::journey::route_change::RouteChange;

use crate::prelude::*;

pub fn change(game: &Game) -> &RouteChange {
    game.get()
}

#[test]
fn a_wall_on_the_route_is_named_with_both_costs() {
    let mut game = Game::on_grass(&["......", "1....2", "......"]);
    game.log_lines();
    game.set_overlay('W', at(3, 1));
    let after = game.cost();
    let expected = format!("route changed: 5.00 to {after:.2} ({:+.2}): stone wall at 3,1", after - 5.0);
    assert_eq!(change(&game).text(), expected);
    assert_eq!(change(&game).causes(), [at(3, 1)]);
    assert_eq!(change(&game).old_route().len(), 6);
    let lines = game.log_lines();
    assert!(lines.iter().any(|line| line.starts_with("route changed before=5.000 after=")), "{lines:?}");
    game.ask(Action::GoToCastle);
    assert_eq!((change(&game).text(), change(&game).old_route().len()), ("", 0), "until the next order");
}

#[test]
fn a_change_elsewhere_leaves_the_route_unchanged() {
    let mut game = Game::on_grass(&["......", "1....2", "......"]);
    game.set_overlay('W', at(3, 2));
    assert_eq!(change(&game).text(), "route unchanged");
    assert!(game.has_logged("route unchanged"));
    assert!(change(&game).causes().is_empty() && change(&game).old_route().is_empty());
    game.set_overlay('t', at(3, 1));
    let text = change(&game).text();
    assert!(text.ends_with(": tombstone at 3,1"), "an influence, and not the cells in its reach: {text}");
}

#[test]
fn a_stroke_elsewhere_over_the_arrival_leaves_the_route_unchanged() {
    let mut game = Game::on_grass(&["......", "1....2", "......"]);
    game.ask(Action::GoToCastle);
    game.advance(0.5);
    game.ask(Action::TogglePainting);
    game.ask(Action::Brush(BrushChange::Take(8)));
    game.log_lines();
    game.ask(Action::Stroke(Stroke::Begin { cell: at(0, 0), straight: false }));
    game.arrive();
    game.ask(Action::Stroke(Stroke::End));
    assert_eq!(change(&game).text(), "route unchanged");
}

#[test]
fn an_eruption_is_one_cause() {
    let mut game = Game::on_bundled("figures/snow");
    game.ask(Action::Erupt);
    assert!(change(&game).text().ends_with(": the eruption"), "{}", change(&game).text());
    assert_eq!(change(&game).causes().len(), 1);
    game.ask(Action::Erupt);
    assert!(change(&game).text().ends_with(": the end of the eruption"), "{}", change(&game).text());
}

#[test]
fn only_the_rest_of_the_route_counts() {
    let mut game = Game::on_grass(&["1.......2", "........."]);
    game.ask(Action::GoToCastle);
    game.advance(1.0);
    let rest = game.map().size().width as i32 - 1 - game.traveller().origin().unwrap().x;
    assert!(rest < 8);
    game.set_overlay('W', at(7, 0));
    assert!(change(&game).text().starts_with(&format!("route changed: {rest}.00 to ")), "{}", change(&game).text());
}

#[test]
fn routes_that_end_or_begin_to_exist_are_told() {
    let maps = [
        (
            "GGGG",
            "1..2",
            [('W', "route lost: 3.00 to none: stone wall at 2,0"), ('.', "route found: none to 3.00: grass at 2,0")],
        ),
        (
            "GG~GG",
            "1.B.2",
            [('.', "route lost: 3.50 to none: water at 2,0"), ('B', "route found: none to 3.50: bridge at 2,0")],
        ),
    ];
    for (base, overlay, changes) in maps {
        let mut game = Game::on(&[base], &[overlay]);
        for (char, text) in changes {
            game.set_overlay(char, at(2, 0));
            assert_eq!(change(&game).text(), text);
        }
    }
    let mut game = Game::on_grass(&["1..."]);
    game.ask(Action::Go(at(3, 0)));
    game.set_overlay('W', at(3, 0));
    assert_eq!(change(&game).text(), "route lost: 2.00 to none: stone wall at 3,0", "what is left");
}

#[test]
fn another_algorithm_takes_another_route_so_the_change_is_forgotten() {
    let mut game = Game::on_bundled("figures/snow");
    game.ask(Action::Erupt);
    assert!(!change(&game).text().is_empty());
    game.plan_with(Options::default().with_algorithm(Algorithm::Greedy));
    assert_eq!(change(&game).text(), "");
}

#[test]
fn the_difference_is_that_of_the_costs_as_they_are_written() {
    let mut game = Game::on_bundled("figures/snow");
    for _ in 0..2 {
        game.ask(Action::Erupt);
        let text = change(&game).text();
        let plain = |word: &str| word.trim_matches(['(', ')', ':']).replace('.', "").replace('−', "-");
        let hundredths = |word: &str| plain(word).parse::<i64>().unwrap();
        let words: Vec<_> = text.split(' ').collect();
        assert_eq!(hundredths(words[4]) - hundredths(words[2]), hundredths(words[5]), "{text}");
    }
}

/// Walks along the valley while its volcano erupts, and returns the game two cells before the castle.
fn almost_through_the_erupting_valley() -> Game {
    let mut game = Game::on_bundled("valley");
    game.ask(Action::Erupt);
    game.ask(Action::GoToCastle);
    let castle = game.map().castle().unwrap();
    while game.traveller().origin() != game.route().iter().rev().nth(1).copied() {
        assert_ne!(game.traveller().origin(), Some(castle));
        game.frame();
    }
    game
}

#[test]
fn an_eruption_that_ends_just_before_the_arrival_has_changed_the_route_that_is_shown_after_it() {
    let mut game = almost_through_the_erupting_valley();
    let (walked, cost) = (game.route().to_vec(), game.cost());
    game.log_lines();
    game.ask(Action::Erupt);
    assert_eq!(change(&game).text(), "route unchanged", "what is left of it is the same");
    game.arrive();
    game.frame();
    assert_ne!(game.route(), walked);
    let (after, by) = (game.cost(), game.cost() - cost);
    assert!(by > 0.0);
    assert_eq!(
        change(&game).text(),
        format!("route changed: {cost:.2} to {after:.2} (+{by:.2}): the end of the eruption")
    );
    assert_eq!(change(&game).old_route(), walked, "the whole of it");
    let said = game.log_lines();
    assert_eq!(said.iter().filter(|line| line.starts_with("route unchanged")).count(), 1, "{said:?}");
    assert!(said.iter().all(|line| !line.starts_with("route changed")), "one line a change: {said:?}");
}

#[test]
fn two_changes_under_way_are_compared_with_the_route_that_was_walked() {
    let mut game = Game::on_grass(&["1.......2", "........."]);
    game.ask(Action::GoToCastle);
    game.advance(0.8);
    game.set_overlay('W', at(5, 0));
    game.advance(1.2);
    let begun_anew = game.route()[0];
    assert_ne!(begun_anew, at(0, 0));
    game.set_overlay('.', at(5, 0));
    game.arrive();
    game.frame();
    assert_eq!(game.route().len(), 9, "straight again, from the tent");
    let text = change(&game).text();
    assert!(text.starts_with("route changed: 8.83 to 8.00 (−0.83)"), "{text}");
    assert_eq!(change(&game).old_route().first(), Some(&at(0, 0)));
}

#[test]
fn a_change_elsewhere_under_way_leaves_the_route_unchanged_after_the_arrival() {
    let mut game = Game::on_grass(&["1.......2", "........."]);
    game.ask(Action::GoToCastle);
    game.advance(0.8);
    game.set_overlay('W', at(5, 1));
    game.arrive();
    game.frame();
    assert_eq!(change(&game).text(), "route unchanged");
}

#[test]
fn a_wall_behind_the_traveller_that_cuts_off_the_tent_is_named_after_the_arrival() {
    let mut game = Game::on_bundled("valley");
    let (cost, route) = (game.cost(), game.route().to_vec());
    game.ask(Action::GoToCastle);
    while game.traveller().origin() != Some(route[5]) {
        game.frame();
    }
    let written = format!("{cost:.2}");
    assert_eq!(written, "9.83");
    // All cells around the tent are walled up, one after the other, and then one in a corner of the map.
    let tent = game.map().tent().unwrap();
    let beside: Vec<_> = emberwalk_path::grid::Direction::ALL.map(|direction| tent + direction).into();
    let beside: Vec<_> = beside.into_iter().filter(|cell| game.map().costs().is_passable(*cell)).collect();
    for cell in &beside {
        game.set_overlay('W', *cell);
        assert_eq!(change(&game).text(), "route unchanged", "what is left of it");
    }
    game.set_overlay('W', at(0, 0));
    game.arrive();
    game.frame();
    assert_eq!(game.route(), []);
    let text = format!("route lost: 9.83 to none: stone wall at {}", route[1]);
    assert_eq!((change(&game).text(), change(&game).old_route()), (&*text, &route[..]));
    game.set_overlay('.', route[1]);
    let text = change(&game).text();
    assert!(text.starts_with("route found: none to "), "{text}");
    assert_eq!(change(&game).causes(), [route[1]]);
}

#[test]
fn the_cost_that_was_paid_counts_whatever_became_of_the_cells_behind() {
    for skips in [false, true] {
        let mut game = Game::on_grass(&["1.......2", "........."]);
        game.ask(Action::GoToCastle);
        game.advance(1.2);
        game.set_overlay('W', at(1, 0));
        game.advance(0.4);
        game.set_overlay('W', at(7, 0));
        assert!(change(&game).text().ends_with(": stone wall at 7,0"), "{}", change(&game).text());
        if skips {
            game.ask_for(Action::SkipWalk);
        }
        game.arrive();
        game.frame();
        let after = game.cost();
        let text = format!("route changed: 8.00 to {after:.2} (+{:.2}): stone wall at 7,0", after - 8.0);
        assert_eq!(change(&game).text(), text, "skips: {skips}");
    }
}

#[test]
fn a_change_after_a_leap_over_several_cells_is_compared_with_all_of_the_walk() {
    let mut game = Game::on_grass(&["1.......2", "........."]);
    game.ask(Action::GoToCastle);
    game.long_frame(1.2);
    game.long_frame(0.6);
    game.set_overlay('W', at(7, 0));
    game.arrive();
    game.frame();
    let after = game.cost();
    let text = format!("route changed: 8.00 to {after:.2} (+{:.2}): stone wall at 7,0", after - 8.0);
    assert_eq!((change(&game).text(), change(&game).old_route().len()), (&*text, 9));
}

#[test]
fn an_eruption_does_not_block_what_a_wall_blocks() {
    let mut game = Game::on_bundled("valley");
    game.ask(Action::GoToCastle);
    game.advance(0.3);
    let goal = game.map().castle().unwrap();
    let edits: Vec<_> = emberwalk_path::grid::Direction::ALL.map(|direction| goal + direction).into();
    let edits: Vec<_> = edits.into_iter().filter(|cell| game.map().costs().is_passable(*cell)).collect();
    let last = game.route()[game.route().len() - 2];
    assert!(edits.contains(&last));
    for cell in edits {
        game.edit_overlay('W', cell);
    }
    game.ask(Action::Erupt);
    let text = change(&game).text();
    assert!(text.starts_with("route lost: ") && text.ends_with(&format!(": stone wall at {last}")), "{text}");
}

#[test]
fn an_eruption_in_the_frame_of_a_new_order_explains_nothing() {
    let orders: [&[Action]; 4] = [
        &[Action::Erupt, Action::Reset],
        &[Action::Reset, Action::Erupt],
        &[Action::Go(at(4, 8)), Action::Erupt],
        &[Action::Erupt, Action::Go(at(4, 8))],
    ];
    for actions in orders {
        let mut game = Game::on_bundled("figures/snow");
        game.ask(Action::GoToCastle);
        game.advance(1.5);
        game.app().world_mut().write_message_batch(actions.iter().copied());
        game.app().update();
        assert_eq!((change(&game).text(), game.map().erupting().is_empty()), ("", false), "{actions:?}");
        game.ask_for(Action::Erupt);
        assert!(!change(&game).text().is_empty(), "{actions:?}: the next one is compared again");
    }
}

#[test]
fn an_eruption_while_the_route_to_a_new_goal_is_planned_explains_nothing() {
    let mut game = Game::on_bundled("figures/snow");
    game.ask(Action::GoToCastle);
    game.advance(1.5);
    game.plan_in_background();
    game.ask(Action::Go(at(4, 8)));
    game.ask(Action::Erupt);
    game.wait_until("the route", |game| !game.is_planning());
    assert_eq!((change(&game).text(), game.route().last()), ("", Some(&at(4, 8))));
}

#[test]
fn a_stroke_and_an_eruption_in_one_frame_are_both_named() {
    let mut game = Game::on_bundled("valley");
    let cell = game.route()[1];
    game.edit_overlay('W', cell);
    game.ask(Action::Erupt);
    let text = change(&game).text();
    assert!(text.ends_with(&format!(": stone wall at {cell} and the eruption")), "{text}");
}
