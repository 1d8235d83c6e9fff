//! Escape, and quitting.

use bevy::app::AppExit;
use bevy::prelude::*;

use emberwalk::game::screen::mode::IsBare;

use crate::prelude::*;

/// Whether the player has asked the game to end.
fn has_quit(game: &mut Game) -> bool {
    !game.get::<Messages<AppExit>>().is_empty()
}

fn game() -> Game {
    Game::on_grass(&["1..2"])
}

#[test]
fn the_second_escape_within_two_seconds_quits_and_an_escape_that_closes_the_help_does_not_count() {
    let (escape, help) = (Action::Escape, Action::Help);
    // An action, whether the game has quit then, and the seconds until the next action.
    let cases: [&[(Action, bool, f64)]; 4] = [
        &[(escape, false, 1.75), (escape, true, 0.0)],
        &[(escape, false, 2.25), (escape, false, 0.25), (escape, true, 0.0)],
        &[(help, false, 0.0), (escape, false, 0.0), (escape, false, 0.0), (escape, true, 0.0)],
        &[(help, false, 0.0), (Action::Quit, true, 0.0)],
    ];
    for steps in cases {
        let mut game = game();
        for (action, quits, seconds) in steps {
            game.ask(*action);
            assert_eq!(has_quit(&mut game), *quits, "{action:?} in {steps:?}");
            game.advance(*seconds);
        }
    }
    let mut game = game();
    game.ask_at_once(&[escape, escape]);
    assert!(has_quit(&mut game), "in one frame");
}

#[test]
fn hiding_the_panels_tells_how_they_come_back_and_escape_shows_them_before_it_closes_anything() {
    let mut game = game();
    let is_bare = |game: &Game| game.get::<IsBare>().0;
    game.ask_and_show(Action::ToggleSearchView);
    game.ask(Action::ToggleBare);
    assert_eq!((game.told(), is_bare(&game)), (vec!["Z shows the panels.".to_owned()], true));
    assert_eq!(game.notice().as_deref(), Some("Z shows the panels."));
    game.ask_and_show(Action::Escape);
    assert_eq!(game.notice(), None, "they are shown");
    let page = |game: &Game| game.get::<Screen>().search;
    assert_eq!((is_bare(&game), page(&game)), (false, SearchPage::Open));
    game.ask_and_show(Action::Escape);
    assert_eq!(page(&game), SearchPage::Closed);
    game.ask_at_once(&[Action::ToggleBare, Action::Escape, Action::Escape]);
    assert!(!is_bare(&game) && !has_quit(&mut game), "the second Escape asks");
    game.ask(Action::Escape);
    assert!(has_quit(&mut game));
    game.ask_at_once(&[Action::ToggleBare, Action::ToggleBare]);
    assert!(!is_bare(&game));
}
