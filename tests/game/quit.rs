//! Escape, and quitting.

use bevy::app::AppExit;
use bevy::prelude::*;

use emberwalk::game::action::Action;
use emberwalk::game::screen::mode::{IsBare, Screen, SearchPage};

use crate::play::Game;

/// Whether the player has asked the game to end.
fn has_quit(game: &mut Game) -> bool {
    !game.app().world().resource::<Messages<AppExit>>().is_empty()
}

fn game() -> Game {
    Game::on_grass(&["1..2"])
}

#[test]
fn the_second_escape_within_two_seconds_quits() {
    let mut game = game();
    game.ask(Action::Escape);
    assert!(!has_quit(&mut game), "the first one asks");
    game.advance(1.75);
    game.ask(Action::Escape);
    assert!(has_quit(&mut game));
}

#[test]
fn an_escape_after_more_than_two_seconds_asks_again() {
    let mut game = game();
    game.ask(Action::Escape);
    game.advance(2.25);
    game.ask(Action::Escape);
    game.advance(0.25);
    assert!(!has_quit(&mut game));
    game.ask(Action::Escape);
    assert!(has_quit(&mut game));
}

#[test]
fn two_escapes_in_one_frame_quit() {
    let mut game = game();
    game.ask_at_once(&[Action::Escape, Action::Escape]);
    assert!(has_quit(&mut game));
}

#[test]
fn the_escape_that_closes_the_help_page_does_not_count() {
    let mut game = game();
    game.ask(Action::Help);
    game.ask(Action::Escape);
    game.ask(Action::Escape);
    assert!(!has_quit(&mut game));
    game.ask(Action::Escape);
    assert!(has_quit(&mut game));
}

#[test]
fn the_button_quits_at_once_even_while_the_help_page_is_open() {
    let mut game = game();
    game.ask(Action::Help);
    assert!(!has_quit(&mut game));
    game.ask(Action::Quit);
    assert!(has_quit(&mut game));
}

#[test]
fn hiding_the_panels_tells_how_they_come_back_and_escape_shows_them_before_it_closes_anything() {
    let mut game = game();
    let is_bare = |game: &Game| game.app_ref().world().resource::<IsBare>().0;
    game.ask(Action::ToggleSearchView);
    game.frame();
    game.ask(Action::ToggleBare);
    assert_eq!((game.told(), is_bare(&game)), (vec!["Z shows the panels.".to_owned()], true));
    assert_eq!(game.notice().as_deref(), Some("Z shows the panels."));
    game.ask(Action::Escape);
    game.frame();
    assert_eq!(game.notice(), None, "they are shown");
    let page = |game: &Game| game.app_ref().world().resource::<Screen>().search;
    assert_eq!((is_bare(&game), page(&game)), (false, SearchPage::Open));
    game.ask(Action::Escape);
    game.frame();
    assert_eq!(page(&game), SearchPage::Closed);
    game.ask_at_once(&[Action::ToggleBare, Action::Escape, Action::Escape]);
    assert!(!is_bare(&game) && !has_quit(&mut game), "the second Escape asks");
    game.ask(Action::Escape);
    assert!(has_quit(&mut game));
    game.ask_at_once(&[Action::ToggleBare, Action::ToggleBare]);
    assert!(!is_bare(&game));
}
