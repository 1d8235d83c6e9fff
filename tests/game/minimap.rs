//! The minimap: when it is shown, where things are on it, and what a click on it does.

use bevy::math::{Rect, Vec2};
use emberwalk::game::drawing::minimap::{Minimap, MinimapScale};
use emberwalk::game::viewport::Viewport;

use crate::prelude::*;

/// A meadow of 60 x 40 cells in a window that shows a part of it, with the tent in the middle and the castle in the
/// east.
fn meadow() -> Game {
    let mut rows = vec![".".repeat(60); 40];
    rows[20].replace_range(30..31, "1");
    rows[20].replace_range(55..56, "2");
    let mut game = Game::on_grass(&rows);
    game.resize(640, 480);
    game
}

fn is_shown(game: &Game) -> bool {
    game.get::<Minimap>().is_shown(&game.view(), game.map().projection())
}

/// The scale of a minimap that shows exactly the map's picture.
fn scale(game: &Game) -> MinimapScale {
    let (width, height) = game.map().projection().picture_size();
    MinimapScale::new(Rect::new(0.0, 0.0, width as f32, height as f32))
}

fn middle_of(game: &Game, cell: Cell) -> Vec2 {
    let (x, y) = game.map().projection().centre(cell);
    Vec2::new(x as f32, y as f32)
}

/// The map point in the middle of the window.
fn centre(view: &Viewport) -> Vec2 {
    view.map_point(Vec2::new(320.0, 240.0))
}

#[test]
fn it_is_shown_while_the_window_does_not_show_the_whole_map() {
    let mut game = meadow();
    assert!(is_shown(&game));
    game.ask(Action::ToggleMinimap);
    assert!(!is_shown(&game), "the player has hidden it");
    game.ask(Action::ToggleMinimap);
    assert!(is_shown(&game));
    game.ask(Action::Fit);
    assert!(!is_shown(&game), "the window shows everything");
    // Where nothing can be seen of it, nothing changes.
    game.ask(Action::ToggleMinimap);
    game.ask(Action::Zoom { zoom: emberwalk::game::action::Zoom::In, towards: None });
    assert!(is_shown(&game));
}

#[test]
fn a_click_moves_the_view_there_and_sets_no_goal() {
    let mut game = meadow();
    game.log_lines();
    for cell in [at(5, 5), at(50, 30), at(0, 39), at(59, 0)] {
        let place = scale(&game).place_of(middle_of(&game, cell));
        game.ask(Action::LookAtPoint(scale(&game).map_point(place)));
        let off = centre(&game.view()).distance(middle_of(&game, cell));
        assert!(off <= 1.5, "{cell}: {off} pixels");
        assert!(!game.has_logged("goal set"), "{cell}");
        assert!(!game.view().follows(), "it does not go back to the traveller");
    }
}

#[test]
fn a_drag_beside_the_map_stops_at_its_edge() {
    let mut game = meadow();
    // Far above and beside the northernmost corner, which is in the east.
    for place in [Vec2::new(0.0, 0.0), Vec2::new(-3.0, 0.5), Vec2::new(1.0, 9.0), Vec2::new(0.5, -1.0)] {
        game.ask(Action::LookAtPoint(scale(&game).map_point(place)));
        let (x, y) = game.map().projection().position_at(centre(&game.view()).as_dvec2().into());
        assert!((-0.6..59.6).contains(&x) && (-0.6..39.6).contains(&y), "{place}: {x}, {y}");
    }
}

#[test]
fn the_frame_is_around_what_the_window_shows() {
    let mut game = meadow();
    for cell in [at(30, 20), at(2, 2), at(58, 39)] {
        game.ask(Action::LookAt(cell));
        let (scale, shown) = (scale(&game), game.view().visible_rect());
        let frame = scale.frame(&game.view());
        let found = Rect::from_corners(scale.map_point(frame.min), scale.map_point(frame.max));
        let picture = Rect::from_corners(scale.map_point(Vec2::ZERO), scale.map_point(Vec2::ONE));
        let expected = shown.intersect(picture);
        let off = (found.min - expected.min).abs().max((found.max - expected.max).abs());
        assert!(off.max_element() < 0.1, "{cell}: {found:?} instead of {expected:?}");
    }
    game.ask(Action::Fit);
    assert_eq!(scale(&game).frame(&game.view()), Rect::new(0.0, 0.0, 1.0, 1.0));
}
