//! Turning from map to map.

use emberwalk::game::input::action::Action;
use emberwalk::game::journey::planning::Reach;
use emberwalk::grid::Direction;
use emberwalk::map::{Map, bundled_maps};

use crate::play::{Game, at, tiles};

const NEXT: Action = Action::Turn { forward: true };
const PREVIOUS: Action = Action::Turn { forward: false };

/// The names of the bundled maps as their files give them, in the order of turning.
fn names() -> Vec<String> {
    let name =
        |map: emberwalk::map::BundledMap| Map::parse(map.name, map.source, &tiles().0).unwrap().name().to_owned();
    bundled_maps().into_iter().map(name).collect()
}

#[test]
fn page_down_goes_through_every_bundled_map_and_page_up_goes_back() {
    let names = names();
    let mut game = Game::on_bundled("valley");
    let mut seen = vec![game.land().map().name().to_owned()];
    for _ in 1..names.len() {
        game.ask(NEXT);
        seen.push(game.land().map().name().to_owned());
    }
    assert_eq!(seen, names);
    game.ask(NEXT);
    assert_eq!(game.land().map().name(), names[0], "after the last comes the first");
    for name in names.iter().rev() {
        game.ask(PREVIOUS);
        assert_eq!(game.land().map().name(), name);
    }
}

#[test]
fn from_a_map_of_the_users_one_comes_to_the_first_or_to_the_last() {
    let names = names();
    for (way, name) in [(NEXT, names.first()), (PREVIOUS, names.last())] {
        let mut game = Game::on_grass(&["1.2"]);
        game.ask(way);
        assert_eq!(Some(game.land().map().name()), name.map(String::as_str));
    }
}

#[test]
fn turning_on_comes_back_to_the_users_own_map() {
    let mut game = Game::on_grass(&["1.2"]);
    for _ in 0..=bundled_maps().len() {
        game.ask(NEXT);
    }
    assert_eq!(game.land().map().name(), "Test");
}

#[test]
fn a_new_map_begins_anew_in_the_same_frame() {
    let mut game = Game::on_bundled("valley");
    game.ask(Action::MoveCursor(Direction::N));
    game.ask(Action::GoToCastle);
    game.pass(1.0);
    game.ask(NEXT);
    let land = game.land();
    assert_eq!(game.traveller().stands(), land.map().tent(), "at the new map's tent");
    assert_eq!(game.route().first(), land.map().tent().as_ref());
    assert_eq!(game.route().last(), land.map().castle().as_ref());
    assert_eq!(game.reach(), Reach::Goal);
    assert_eq!(game.tile_cursor(), None);
    game.pass(1.0);
    assert_eq!(game.traveller().stands(), game.land().map().tent(), "where it waits");
}

#[test]
fn a_map_that_is_turned_back_to_is_as_it_was_at_first() {
    let mut game = Game::on_bundled("figures/snow");
    game.ask(Action::Erupt);
    game.ask(NEXT);
    game.ask(PREVIOUS);
    assert!(game.land().map().any_dormant());
}

#[test]
fn the_start_and_goal_of_the_command_line_are_those_of_the_first_map_only() {
    let map = Map::open("figures/road".as_ref(), &tiles().0).unwrap();
    let land = emberwalk::game::world::open_map::Land::new(map, tiles().1.clone(), emberwalk::scene::Look::Full);
    let mut game = Game::open(land.with_ends(Some(at(0, 0)), Some(at(2, 0))));
    assert_eq!(game.route().first(), Some(&at(0, 0)));
    assert_eq!(game.route().last(), Some(&at(2, 0)));
    game.ask(NEXT);
    assert_eq!(game.route().last().copied(), game.land().map().castle());
}
