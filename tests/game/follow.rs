//! The view follows the traveller until the player moves it elsewhere.

use bevy::math::{IVec2, Rect, URect, Vec2};
use emberwalk::game::drawing::camera::follow;
use emberwalk::game::viewport::layout::{ClearPart, Insets, Uncovered};
use emberwalk::game::world::pointed_cells::{InspectedCell, PointedCell};
use emberwalk_path::grid::Direction::{E, S, W};

use crate::prelude::*;
use crate::search_view::view;

const WINDOW: Vec2 = Vec2::new(640.0, 480.0);

/// A long meadow in a window that shows a small part of it.
fn meadow() -> Game {
    let row = |first, last| format!("{first}{}{last}", ".".repeat(58));
    let rows = [row('.', '.'), row('1', '2'), row('.', '.')];
    open(&rows.each_ref().map(String::as_str))
}

fn open(rows: &[&str]) -> Game {
    let mut game = Game::on_grass(rows);
    game.app().add_plugins(follow::plugin);
    game.resize(WINDOW.x as u32, WINDOW.y as u32);
    game
}

fn is_in_window(game: &Game, cell: Cell) -> bool {
    let point = game.window_point(cell);
    point.cmpge(Vec2::ZERO).all() && point.cmplt(WINDOW).all()
}

fn traveller_is_in_window(game: &Game) -> bool {
    is_in_window(game, game.traveller().origin().expect("there is a traveller"))
}

#[test]
fn the_view_follows_a_traveller_out_of_the_window_gently() {
    let mut game = meadow();
    assert!(!is_in_window(&game, at(59, 1)), "the map is larger than the window");
    game.ask(Action::GoToCastle);
    while !game.arrived() {
        let before = game.window_point(at(0, 0));
        game.frame();
        assert!(traveller_is_in_window(&game));
        let step = game.window_point(at(0, 0)).distance(before);
        assert!(step < 20.0, "the view jumped by {step} pixels");
    }
}

#[test]
fn a_view_that_the_player_has_panned_stays_until_it_is_asked_to_follow() {
    let follow_again = [Action::GoToCastle, Action::Go(at(40, 1)), Action::FindTraveller, Action::Reset];
    for action in follow_again {
        let mut game = meadow();
        game.walk(Action::Go(at(20, 1)));
        game.ask(Action::Go(at(30, 1)));
        let map = game.map().projection();
        game.view_mut().pan(IVec2::new(910, -455), map);
        let panned = game.view();
        while !game.arrived() {
            game.frame();
            assert_eq!(game.view(), panned);
        }
        assert!(!traveller_is_in_window(&game));
        game.ask(action);
        game.advance(3.0);
        assert!(traveller_is_in_window(&game), "{action:?}");
    }
}

#[test]
fn the_traveller_stays_beside_the_panels() {
    let mut game = meadow();
    let insets = Insets { left: 200, top: 48, right: 90, bottom: 150, between: 0 };
    game.app().insert_resource(Uncovered { insets, margin: 16, ..Uncovered::default() });
    game.frame();
    let free = Rect::new(200.0, 48.0, 550.0, 330.0);
    game.ask(Action::GoToCastle);
    while !game.arrived() {
        game.frame();
        assert!(free.contains(feet(&game)), "{}", feet(&game));
    }
    game.ask(Action::Pan(W));
    game.ask(Action::FindTraveller);
    let off = game.window_point(at(59, 1)) - free.center();
    assert!(off.abs().max_element() <= 1.0, "{off} pixels from the centre");
}

/// The window point at the feet of the traveller.
fn feet(game: &Game) -> Vec2 {
    let (projection, feet) = (game.map().projection(), game.traveller().feet());
    let feet = IVec2::from(projection.corner_at(feet)) + IVec2::from(projection.tile().ground_centre());
    game.view().window_point(feet.as_vec2())
}

#[test]
fn no_card_covers_the_traveller_and_the_goal_comes_into_view_before_it() {
    // The cards Route and Cell in a window of 1280 x 720.
    let clear = URect::new(0, 166, 944, 672);
    for zoom in [1.0, 3.0, 4.0] {
        for goal in [at(59, 1), at(0, 1)] {
            let mut game = meadow();
            game.resize(1224, 672);
            game.app().insert_resource(ClearPart(clear));
            let start = if goal.x == 0 { at(58, 0) } else { at(1, 2) };
            game.walk(Action::Go(start));
            while game.view().zoom() < zoom {
                game.ask(Action::Zoom { zoom: Zoom::In, towards: Some(feet(&game)) });
            }
            game.ask(Action::FindTraveller);
            game.ask(Action::Go(goal));
            let mut seen_from = None;
            while !game.arrived() {
                game.frame();
                assert!(clear.as_rect().contains(feet(&game)), "{goal} at zoom {zoom}: {}", feet(&game));
                if seen_from.is_none() && clear.as_rect().contains(game.window_point(goal)) {
                    seen_from = Some(game.traveller().feet());
                }
            }
            let (x, y) = seen_from.expect("it is clear at last");
            let distance = (f64::from(goal.x) - x).hypot(f64::from(goal.y) - y);
            // A quarter of the clear part, except for the time that the view takes.
            let quarter = f64::from(clear.width() as f32 / 4.0 / zoom / 26.0);
            assert!(distance > 0.7 * quarter, "{goal} at zoom {zoom}: {distance} cells away");
        }
    }
}

#[test]
fn t_and_the_steps_of_a_search_show_their_cell_beside_the_cards() {
    let mut game = meadow();
    let clear = URect::new(0, 100, 250, 480);
    game.app().insert_resource(ClearPart(clear));
    game.walk(Action::Go(at(30, 1)));
    game.ask(Action::Pan(W));
    game.ask(Action::FindTraveller);
    assert!(clear.as_rect().inflate(-40.0).contains(game.window_point(at(30, 1))));
    game.ask_and_show(Action::ToggleSearchView);
    for jump in [Playback::End, Playback::Start] {
        game.ask(Action::Playback(jump));
        game.advance(4.0);
        assert!(clear.as_rect().contains(game.window_point(step_cell(&game))), "{jump:?}");
    }
}

#[test]
fn zooming_in_on_another_place_does_not_lose_it() {
    let mut game = meadow();
    game.ask(Action::GoToCastle);
    let corner = Vec2::new(580.5, 110.5);
    for _ in 0..3 {
        game.ask(Action::Zoom { zoom: Zoom::In, towards: Some(corner) });
    }
    assert!(!traveller_is_in_window(&game));
    let zoomed = game.view();
    game.advance(2.0);
    assert_eq!(game.view(), zoomed);
}

#[test]
fn a_map_that_is_all_in_the_window_does_not_move() {
    let mut game = open(&["1.......", "........", ".......2"]);
    let view = game.view();
    game.walk(Action::GoToCastle);
    assert_eq!(game.view(), view);
}

#[test]
fn a_pointer_that_rests_does_not_take_the_panel_from_the_tile_cursor() {
    let mut game = meadow();
    let inspected = |game: &mut Game| game.get::<InspectedCell>().0;
    let point_at = |game: &mut Game, cell| {
        game.get_mut::<PointedCell>().0 = Some(cell);
        game.frame();
    };
    point_at(&mut game, at(5, 2));
    assert_eq!(inspected(&mut game), Some(at(5, 2)));
    game.ask(Action::MoveCursor(S));
    game.ask(Action::MoveCursor(E));
    assert_eq!(inspected(&mut game), Some(at(1, 1)));
    // The view scrolls, so another cell is under the pointer.
    point_at(&mut game, at(9, 2));
    assert_eq!(inspected(&mut game), Some(at(1, 1)));
}

/// The cell of the current step of the search.
fn step_cell(game: &Game) -> Cell {
    view(game).step_cell().expect("a search is recorded")
}

#[test]
fn the_view_follows_the_steps_of_a_search_gently() {
    let mut game = meadow();
    game.ask_and_show(Action::ToggleSearchView);
    game.ask(Action::Playback(Playback::Start));
    game.advance(2.0);
    for jump in [Playback::End, Playback::Start, Playback::Seek(0.7)] {
        game.app().world_mut().write_message(Action::Playback(jump));
        // The window has slept until now.
        game.long_frame(0.0);
        for _ in 0..400 {
            let before = game.window_point(at(0, 0));
            game.frame();
            let step = game.window_point(at(0, 0)).distance(before);
            assert!(step < 160.0, "the view jumped by {step} pixels");
        }
        assert!(is_in_window(&game, step_cell(&game)), "{jump:?}");
    }
    for _ in 0..40 {
        game.ask(Action::Playback(Playback::StepOn));
        game.advance(0.25);
        assert!(is_in_window(&game, step_cell(&game)));
    }
}

#[test]
fn the_view_follows_no_step_against_the_player_and_no_search_that_plays() {
    let mut game = meadow();
    game.ask_and_show(Action::ToggleSearchView);
    let at_start = game.view();
    game.advance(12.0);
    assert!(!is_in_window(&game, step_cell(&game)));
    assert_eq!(game.view(), at_start, "it was played");
    game.ask(Action::Playback(Playback::Start));
    game.ask_and_show(Action::Playback(Playback::End));
    assert_ne!(game.view(), at_start, "it is on its way");
    let map = game.map().projection();
    game.view_mut().pan(IVec2::new(30, 0), map);
    let panned = game.view();
    game.advance(1.0);
    assert_eq!(game.view(), panned);
}
