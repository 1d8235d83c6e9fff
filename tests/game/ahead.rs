//! Announced changes: the traveller knows of announced eruptions and of opening hours, and takes the route with the
//! earliest arrival.

use std::ops::ControlFlow;
use std::sync::mpsc::channel;

use emberwalk::game::journey::planning::SharedPlanner;
use emberwalk::game::search_view::cell_figures::CellFigures;
use emberwalk::game::search_view::overlay_cells::Overlays;
use emberwalk_picture::overlay::Label;
use emberwalk_world::{PACE, check};

use crate::prelude::*;
use crate::route_change::change;
use crate::search_view::view;

/// A game on grass with this hour at the beginning and this many seconds a day.
fn on_day(hour: f64, day: u32, overlay: &[&str]) -> Game {
    Game::on_grass_with(&format!("hour: {hour:?}, day: {day},"), overlay)
}

/// The time of the world in seconds.
fn clock(game: &Game) -> f64 {
    game.map().world().clock().seconds()
}

/// When the shown route arrives.
fn arrival(game: &Game) -> f64 {
    game.timetable().expect("something is coming").arrival().seconds()
}

/// In how many seconds it arrives, as the card says.
fn arrives_in(game: &mut Game) -> f64 {
    let figures = game.figures();
    let seconds = figures.rsplit(", ").next().and_then(|last| last.strip_suffix(" s")).map(str::parse);
    seconds.and_then(Result::ok).unwrap_or_else(|| panic!("{figures}"))
}

/// Lets the traveller arrive; returns when that was.
fn arrive(game: &mut Game, patience: f64) -> f64 {
    let end = clock(game) + patience;
    while !game.arrived() {
        assert!(clock(game) < end, "it is at {:?}", game.traveller().origin());
        game.frame();
    }
    clock(game)
}

/// Lets time pass until the announced eruption, and a frame more.
fn erupt(game: &mut Game) {
    let end = clock(game) + 20.0;
    while game.map().erupting().is_empty() {
        assert!(clock(game) < end);
        game.frame();
    }
    game.frame();
}

/// Checks that what has happened was recorded.
fn is_recorded(game: &Game) {
    assert!(check(&game.map().recording(), game.map().tileset(), |_| {}).unwrap().is_none());
}

#[test]
fn the_route_bends_before_the_announced_eruption_and_arrives_as_planned() {
    let mut game = Game::on_bundled("valley");
    let plain = game.route();
    game.ask(Action::Announce(1));
    assert!(game.route() != plain, "already before it is sent");
    game.ask(Action::GoToCastle);
    let planned = arrival(&game);
    assert!(game.map().erupting().is_empty());
    let unaware = game.timetable().unwrap().unaware.unwrap().seconds();
    assert!(planned + 0.3 < unaware, "{planned} and {unaware}");
    let arrived = arrive(&mut game, 20.0);
    assert!((arrived - planned).abs() < 2.0 * FRAME, "{arrived} instead of {planned}");
    assert_eq!(game.map().erupting().len(), 1);
    assert!(game.has_logged("eruption announced"));
    is_recorded(&game);
}

#[test]
fn a_foreseen_change_alters_neither_the_route_nor_its_cost() {
    let mut game = Game::on_bundled("figures/coming");
    game.ask(Action::Announce(2));
    let before = (game.figures(), arrival(&game));
    game.advance(0.9);
    assert_eq!((game.figures(), arrival(&game)), before, "it is not sent, so no time passes for it");
    game.ask(Action::GoToCastle);
    let (route, cost, planned) = (game.route(), game.cost(), arrival(&game));
    erupt(&mut game);
    assert!(!game.arrived());
    assert_eq!((game.route(), game.cost(), arrival(&game)), (route.clone(), cost, planned));
    arrive(&mut game, 20.0);
    game.advance(1.0);
    assert_eq!((game.route(), game.cost()), (route, cost), "as it was walked");
    assert_eq!(change(&game).text(), "", "it was known");
    is_recorded(&game);
}

#[test]
fn an_announcement_on_the_way_keeps_the_route_that_was_walked() {
    let mut game = Game::on_bundled("figures/coming");
    game.ask(Action::GoToCastle);
    let (route, cost) = (game.route(), game.cost());
    game.advance(2.0);
    assert!(!game.arrived());
    game.ask(Action::Announce(5));
    assert_eq!(route.last(), game.route().last());
    erupt(&mut game);
    arrive(&mut game, 20.0);
    game.advance(1.0);
    assert_eq!(game.route(), route, "it was too far to turn back");
    assert!((game.cost() - cost).abs() < 0.01, "{} and {cost}", game.cost());
    assert_eq!(change(&game).text(), "");
    assert!(game.has_logged("eruption on"));
    game.ask_and_show(Action::Erupt);
    assert!((game.cost() - cost).abs() < 0.01, "on cold snow, that is a cheapest route: {}", game.cost());
}

#[test]
fn after_an_unforeseen_change_the_route_is_planned_again() {
    let mut game = Game::on_bundled("figures/coming");
    game.ask(Action::Announce(2));
    game.ask(Action::GoToCastle);
    erupt(&mut game);
    let ahead = game.route()[game.route().len() - 3];
    game.set_overlay('W', ahead);
    game.advance(0.5);
    assert!(!game.route().contains(&ahead) && game.timetable().is_none());
}

#[test]
fn the_search_view_plays_the_search_over_cells_and_intervals() {
    // A day of 48 s: the first gate is reached in time, and the second is not.
    let mut game = on_day(21.2, 48, &["1..g.......g.2"]);
    game.ask_and_show(Action::ToggleSearchView);
    let duration = game.timetable().map(|times| times.arrival() - times.departure()).unwrap();
    let search = view(&game).search().expect("a search is recorded");
    let recording = &search.recording;
    assert_eq!(recording.result().cost(), search.lowest);
    assert!((PACE.time_of(search.lowest.unwrap()).seconds() - duration.seconds()).abs() < 0.01);
    let gate = at(3, 0);
    let end = recording.at(usize::MAX);
    let states: Vec<_> = end.states(gate).collect();
    assert_eq!(states.len(), 2, "this evening and tomorrow: {states:?}");
    game.ask(Action::Playback(Playback::End));
    game.inspect(gate);
    game.frame();
    assert_eq!(game.get::<CellFigures>().intervals.len(), 2);
    let label = game.get::<Overlays>()[Half::Left].get(gate).unwrap().label.clone();
    assert!(matches!(label, Some(Label::Intervals { g: [first, last], .. }) if first < last), "{label:?}");
    // Scrubbing back shows only the older one.
    let (game, since) = (&mut game, states[0].since);
    let position = |game: &Game| view(game).position();
    while position(game) > since.max(states[1].since) {
        game.ask(Action::Playback(Playback::StepBack));
    }
    game.frame();
    assert_eq!(game.get::<CellFigures>().intervals.len(), 1);
}

#[test]
fn an_eruption_that_is_called_off_does_not_happen_and_changes_no_route() {
    let mut game = Game::on_bundled("figures/snow");
    let plain = game.route();
    game.ask(Action::ToggleAnnounced);
    assert!((game.map().world().announced().unwrap().seconds() - 10.0).abs() < 2.0 * FRAME);
    game.ask(Action::Announce(2));
    assert!(game.map().world().announced().unwrap().seconds() <= 2.0, "a later one replaces it");
    game.ask(Action::ToggleAnnounced);
    assert_eq!(game.map().world().announced(), None);
    assert_eq!((game.route(), game.timetable()), (plain, None));
    game.advance(3.0);
    assert!(game.map().erupting().is_empty());
    is_recorded(&game);
}

#[test]
fn an_eruption_that_happens_already_is_not_announced() {
    let mut game = Game::on_bundled("figures/snow");
    game.ask(Action::Announce(20));
    game.ask(Action::Erupt);
    assert_eq!(game.map().world().announced(), None, "it erupts immediately");
    game.ask(Action::ToggleAnnounced);
    assert_eq!(game.map().world().announced(), None);
    let mut flat = Game::on_grass(&["1...2"]);
    flat.ask(Action::ToggleAnnounced);
    assert_eq!(flat.map().world().announced(), None, "there is no volcano");
}

#[test]
fn a_traveller_who_is_not_sent_yet_knows_how_late_it_is() {
    let mut game = Game::on_bundled("figures/snow");
    game.ask(Action::Announce(10));
    let first = arrival(&game);
    let straight = game.route();
    game.advance(8.0);
    assert!(arrival(&game) > first + 5.0);
    assert!(game.route() != straight, "the eruption is near by now");
    game.advance(3.0);
    assert_eq!(game.map().erupting().len(), 1);
    assert_eq!(game.timetable(), None, "nothing is coming any more");
}

#[test]
fn however_long_planning_takes_a_traveller_who_is_not_sent_yet_sees_the_time_pass() {
    // A day of 48 s: the gate opens after 15 s.
    let mut game = on_day(22.0, 48, &["1...g..2"]);
    let (planned, before) = (game.timetable(), arrives_in(&mut game));
    game.wait_for_no_job();
    let (release, blocked) = channel::<()>();
    let planner = game.get::<SharedPlanner>();
    let _busy = planner.start(0, "Taking long", move |_, _| {
        let _ = blocked.recv();
        ControlFlow::Continue(())
    });
    game.advance(5.0);
    let counted = arrives_in(&mut game);
    assert!((before - counted - 5.0).abs() < 0.11, "{before} s, and 5 s later {counted} s");
    assert_eq!(
        (game.timetable(), game.is_planning()),
        (planned.clone(), false),
        "the known route is as good meanwhile"
    );
    drop(release);
    let departure = |game: &Game| game.timetable().map(|times| times.departure());
    game.wait_until("another plan", |game| departure(game) > planned.as_ref().map(|planned| planned.departure()));
    assert!((arrives_in(&mut game) - counted).abs() < 0.11, "as it was counted");
    game.advance(14.0);
    assert!((arrives_in(&mut game) - 7.0 / 3.0).abs() < 0.11, "the gate is open, so waiting pays no more");
}

#[test]
fn a_traveller_who_would_be_late_at_the_gate_takes_the_other_route() {
    // A day of 240 s: the gate shuts after 5 s at 21:30, and after 0.5 s at 21:57.
    let overlay = ["1.....g....2", "W.WWWWWWWWW.", "W...........", "WWWWWWWWWWWW"];
    let by_gate = |hour| {
        let mut game = on_day(hour, 240, &overlay);
        game.ask(Action::GoToCastle);
        let by_gate = game.route().contains(&at(6, 0));
        let planned = arrival(&game);
        let arrived = arrive(&mut game, 20.0);
        assert!((arrived - planned).abs() < 2.0 * FRAME, "{arrived} instead of {planned}");
        is_recorded(&game);
        by_gate
    };
    assert!(by_gate(21.5) && !by_gate(21.95));
}

#[test]
fn a_late_traveller_waits_in_front_of_the_gate_and_walks_on_when_it_opens() {
    // A day of 48 s: from 22:00 to 5:30 is 15 s.
    let mut game = on_day(22.0, 48, &["1...g..2"]);
    assert_eq!(game.map().cost(at(4, 0)), None);
    game.ask(Action::GoToCastle);
    let planned = arrival(&game);
    let waits: Vec<_> = game.timetable().unwrap().waits_from(0).map(|(at, _)| at).collect();
    assert_eq!(waits, [3]);
    game.advance(10.0);
    assert_eq!(game.traveller().standing_cell(), Some(at(3, 0)));
    assert!(!game.arrived(), "it is on the way");
    let arrived = arrive(&mut game, 20.0);
    assert!((arrived - planned).abs() < 2.0 * FRAME, "{arrived} instead of {planned}");
    assert!(game.map().cost(at(4, 0)).is_some(), "the map has followed");
    is_recorded(&game);
}

#[test]
fn a_search_that_promises_nothing_does_not_look_ahead() {
    let mut game = Game::on_bundled("figures/snow");
    let greedy = emberwalk_path::Options::default().with_algorithm(emberwalk_path::Algorithm::Greedy);
    game.plan_with(greedy);
    let before = game.route();
    game.ask(Action::Announce(2));
    assert_eq!((game.route(), game.timetable()), (before, None));
}

/// In the town the gates are at 18,20 and 28,31, and the castle is within the walls.
#[test]
fn the_town_leads_the_traveller_to_the_gate_where_it_waits() {
    let mut game = Game::on_evening_market();
    game.ask(Action::GoToCastle);
    let gates = [at(18, 20), at(28, 31)];
    assert!(game.route().iter().any(|cell| gates.contains(cell)));
    assert!(game.timetable().unwrap().waits_from(0).count() > 0, "it comes too late");
    game.advance(15.0);
    let near = |cell: Cell| gates.iter().any(|gate| gate.distance_squared(cell) <= 9);
    let here = game.traveller().origin().unwrap();
    assert!(near(here) && !game.arrived(), "it is at {here}");
    arrive(&mut game, 60.0);
    assert_eq!(game.traveller().origin(), Some(at(34, 13)));
    is_recorded(&game);
}
