//! Turning from map to map.

use emberwalk_map::{BundledMap, bundled_maps};

use crate::play::tiles;
use crate::prelude::*;

const NEXT: Action = Action::NextMap;
const PREVIOUS: Action = Action::PreviousMap;

/// The names of the bundled maps from their files, in the order of the pages.
fn names() -> Vec<String> {
    let name = |map: emberwalk_map::BundledMap| Map::parse(map.name, map.source, &tiles().0).unwrap().name().to_owned();
    bundled_maps().into_iter().map(name).collect()
}

#[test]
fn page_down_goes_through_every_bundled_map_and_page_up_goes_back() {
    let names = names();
    let mut game = Game::on_bundled("valley");
    assert_eq!(game.map().name(), names[0]);
    for (action, names) in
        [(NEXT, names[1..].iter().chain(&names[..1]).collect::<Vec<_>>()), (PREVIOUS, names.iter().rev().collect())]
    {
        for name in names {
            game.ask(action);
            assert_eq!(game.map().name(), name);
        }
    }
}

#[test]
fn the_users_own_map_is_between_the_last_and_the_first_bundled_map() {
    let mut names = names();
    let mut game = Game::on_grass(&["1.2"]);
    for action in [NEXT, PREVIOUS] {
        for name in &names {
            game.ask(action);
            assert_eq!(game.map().name(), name);
        }
        game.ask(action);
        assert_eq!(game.map().name(), "Test");
        names.reverse();
    }
}

#[test]
fn a_new_map_starts_a_new_journey_in_the_same_frame() {
    let mut game = Game::on_bundled("valley");
    game.ask(Action::MoveCursor(Direction::N));
    game.ask(Action::GoToCastle);
    game.advance(1.0);
    game.ask(NEXT);
    let map = game.map();
    assert_eq!(game.traveller().standing_cell(), map.tent(), "at the new map's tent");
    assert_eq!(game.route().first(), map.tent().as_ref());
    assert_eq!(game.route().last(), map.castle().as_ref());
    assert_eq!(game.reach(), Reach::Goal);
    assert_eq!(game.tile_cursor(), None);
    game.advance(1.0);
    assert_eq!(game.traveller().standing_cell(), game.map().tent(), "where it waits");
}

#[test]
fn a_map_that_is_opened_again_has_its_initial_terrain() {
    let mut game = Game::on_bundled("figures/snow");
    game.ask(Action::Erupt);
    game.ask(NEXT);
    game.ask(PREVIOUS);
    assert!(game.map().any_dormant());
}

#[test]
fn the_start_and_goal_of_the_command_line_apply_only_to_the_first_map() {
    let road = BundledMap::find("figures/road").unwrap();
    let endpoints = RequestedEndpoints { start: Some(at(0, 0)), goal: Some(at(2, 0)) };
    let mut game = Game::following(MapRequest { endpoints, ..MapRequest::of_text("the road", road.source) });
    assert_eq!(game.route().first(), Some(&at(0, 0)));
    assert_eq!(game.route().last(), Some(&at(2, 0)));
    game.ask(NEXT);
    assert_eq!(game.route().last().copied(), game.map().castle());
}
