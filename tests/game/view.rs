//! What part of the map the window shows, and which cell is under a pixel of it.

use bevy::math::{IVec2, UVec2, Vec2};

use emberwalk::game::input::action::{Action, Zoom};
use emberwalk::game::view::camera::{View, ZOOMS};
use emberwalk::grid::{Cell, Size};
use emberwalk::iso::{Projection, TileMetrics};

use crate::play::{Game, at};

/// Returns a game with a window of this size, on grass with the tent in the north-western corner.
fn window(map: Size, window: (u32, u32)) -> Game {
    let mut rows = vec![".".repeat(map.width as usize); map.height as usize];
    rows[0].replace_range(..1, "1");
    let mut game = Game::on_grass(&rows.iter().map(String::as_str).collect::<Vec<_>>());
    game.resize(window.0, window.1);
    game
}

/// Returns the width and height of a map's picture by the formula.
fn picture(Size { width, height }: Size) -> UVec2 {
    let steps = width + height - 2;
    UVec2::new(26 * steps + 54, 13 * steps + 54)
}

/// The window pixel at the corner of the map's picture.
fn corner(view: &View) -> IVec2 {
    let corner = view.window_point(Vec2::ZERO);
    assert_eq!(corner, corner.round(), "the camera is on whole pixels");
    corner.as_ivec2()
}

/// The window point in the middle of the ground of a cell.
fn middle_of(game: &Game, cell: Cell) -> Vec2 {
    let (x, y) = game.map().projection().centre(cell);
    game.view().window_point(Vec2::new(x as f32, y as f32))
}

const TEN: Size = Size::new(10, 10);

#[test]
fn the_first_view_has_the_largest_zoom_from_1_up_at_which_the_map_fits() {
    let picture = picture(TEN);
    let windows = [
        ((1280, 720), 2),
        ((1044, 576), 2),
        ((1043, 576), 1),
        ((1044, 575), 1),
        ((522, 288), 1),
        ((1566, 864), 3),
        ((2087, 3000), 3),
        ((2088, 1152), 4),
        ((9999, 9999), 4),
        ((1281, 721), 2),
    ];
    for (size, zoom) in windows {
        let view = window(TEN, size).view();
        assert_eq!(view.zoom(), zoom as f32, "{size:?}");
        // Rounded down: the odd pixel is left over on the right and below.
        let room = UVec2::from(size) - picture * zoom;
        assert_eq!(corner(&view), (room / 2).as_ivec2(), "{size:?}");
    }
}

#[test]
fn if_the_map_does_not_fit_the_first_view_has_the_traveller_in_the_middle_at_zoom_1() {
    let game = window(Size::new(40, 30), (800, 600));
    assert_eq!(game.view().zoom(), 1.0);
    assert!((middle_of(&game, at(0, 0)) - Vec2::new(400.0, 300.0)).abs().max_element() <= 1.0);
}

#[test]
fn the_first_view_of_the_next_map_has_its_own_traveller_in_the_middle() {
    let mut game = window(TEN, (330, 250));
    for _ in 0..3 {
        game.ask(Action::NextMap);
        let tent = game.map().tent().unwrap();
        assert!((middle_of(&game, tent) - Vec2::new(165.0, 125.0)).abs().max_element() <= 1.0);
    }
}

#[test]
fn fit_uses_the_largest_zoom_at_which_the_map_fits() {
    for (map, size) in [(TEN, (1280, 720)), (TEN, (300, 300)), (Size::new(60, 40), (700, 700)), (TEN, (4000, 4000))] {
        let mut game = window(map, size);
        game.view_mut().zoom_towards(Zoom::In, Some(Vec2::new(3.0, 5.0)));
        game.view_mut().fit(Projection::new(map, TileMetrics::CLASSIC));
        let (view, size, picture) = (game.view(), UVec2::from(size).as_vec2(), picture(map).as_vec2());
        assert!((picture * view.zoom()).cmple(size).all(), "{map} at {}", view.zoom());
        let larger = ZOOMS.iter().find(|zoom| **zoom > view.zoom());
        assert!(
            larger.is_none_or(|zoom| !(picture * *zoom).cmple(size).all()),
            "{map} could be larger than {}",
            view.zoom()
        );
        assert_eq!(corner(&view), ((size - picture * view.zoom()) / 2.0).floor().as_ivec2());
    }
}

#[test]
fn zooming_keeps_the_point_under_the_pointer() {
    let pointer = Vec2::new(300.5, 200.5);
    let mut game = window(TEN, (1281, 719));
    use Zoom::{In, Out};
    for zoom in [In, In, Out, Out, Out, Out, Out, In, In, In, In, In] {
        let before = game.view().map_point(pointer);
        game.view_mut().zoom_towards(zoom, Some(pointer));
        let view = game.view();
        let off = (view.map_point(pointer) - before).abs().max_element() * view.zoom();
        assert!(off <= 0.5, "{off} pixels at zoom {}", view.zoom());
    }
}

#[test]
fn zooming_by_key_keeps_the_middle() {
    let mut game = window(TEN, (1280, 720));
    let middle = Vec2::new(640.0, 360.0);
    let before = game.view().map_point(middle);
    game.view_mut().zoom_towards(Zoom::In, None);
    assert!((game.view().map_point(middle) - before).abs().max_element() <= 0.5);
}

/// Whether a cell's half-open diamond contains the centre of a window pixel, in integers, so that nothing is rounded.
fn contains_pixel(map: Projection, cell: Cell, pixel: IVec2, corner: IVec2, zoom: f32) -> bool {
    let quarters = (zoom * 4.0) as i32;
    let (x, y) = map.centre(cell);
    // From the cell's centre, in units of half a window pixel times the zoom in quarters.
    let away = |pixel: i32, corner: i32, centre: i32| 4 * (2 * (pixel - corner) + 1) - 2 * quarters * centre;
    let (dx, dy) = (away(pixel.x, corner.x, x), away(pixel.y, corner.y, y));
    let (half, _) = map.tile().half_step();
    let half = -half * 2 * quarters..half * 2 * quarters;
    half.contains(&(dx + 2 * dy)) && half.contains(&(dx - 2 * dy))
}

#[test]
fn at_every_zoom_a_pixel_picks_the_cell_whose_ground_is_there() {
    let size = Size::new(6, 4);
    let tile = |width, height| TileMetrics::new(width, height).unwrap();
    let views = [
        (TileMetrics::CLASSIC, (0, 0)),
        (TileMetrics::CLASSIC, (-31, 17)),
        (tile(64, 64), (9, -5)),
        (tile(30, 44), (-3, 8)),
    ];
    for ((tile, shift), zoom) in views.into_iter().flat_map(|view| ZOOMS.map(|zoom| (view, zoom))) {
        let map = Projection::new(size, tile);
        let mut game = window(size, (401, 301));
        while game.view().zoom() != zoom {
            let direction = if game.view().zoom() < zoom { Zoom::In } else { Zoom::Out };
            game.view_mut().zoom_towards(direction, Some(Vec2::new(200.5, 130.5)));
        }
        game.view_mut().pan(shift.into(), map);
        let view = game.view();
        let corner = corner(&view);
        let mut picked = 0;
        for (x, y) in (0..301).flat_map(|y| (0..401).map(move |x| (x, y))) {
            let pixel = IVec2::new(x, y);
            let cell = view.cell_at(pixel.as_vec2() + 0.5, map);
            let expected = size.cells().find(|cell| contains_pixel(map, *cell, pixel, corner, zoom));
            assert_eq!(cell, expected, "{pixel} at zoom {zoom}, the map at {corner}, {tile:?}");
            picked += u32::from(cell.is_some());
        }
        assert!(picked > 200, "{picked} at zoom {zoom}");
    }
}

#[test]
fn a_view_that_was_not_moved_shows_the_map_as_at_first_when_the_window_changes() {
    let mut game = window(TEN, (1280, 720));
    game.resize(1601, 901);
    assert_eq!((game.view().zoom(), corner(&game.view())), (3.0, IVec2::new(17, 18)));
    game.resize(600, 400);
    assert_eq!((game.view().zoom(), corner(&game.view())), (1.0, IVec2::new(39, 56)));
}

#[test]
fn a_view_that_fits_the_map_still_fits_when_the_window_changes() {
    let mut game = window(TEN, (1280, 720));
    game.ask(Action::Fit);
    game.view_mut().fit(Projection::new(TEN, TileMetrics::CLASSIC));
    game.resize(300, 200);
    assert_eq!(game.view().zoom(), 0.5);
    game.resize(1280, 720);
    assert_eq!(game.view().zoom(), 2.0);
}

#[test]
fn a_view_that_the_player_moved_keeps_its_middle_when_the_window_changes() {
    let mut game = window(TEN, (1280, 720));
    game.view_mut().zoom_towards(Zoom::In, Some(Vec2::new(100.5, 100.5)));
    let middle = game.view().map_point(Vec2::new(640.0, 360.0));
    for (width, height) in [(1281, 721), (900, 600), (901, 777), (1280, 720)] {
        game.resize(width, height);
        let now = game.view().map_point(Vec2::new(width as f32, height as f32) / 2.0);
        assert!((now - middle).abs().max_element() <= 1.0, "{now} instead of {middle}");
        assert_eq!(game.view().zoom(), 3.0);
    }
}

#[test]
fn the_map_cannot_be_panned_out_of_the_window() {
    let mut game = window(TEN, (640, 480));
    for far in [IVec2::new(100_000, 0), IVec2::new(-100_000, 50_000), IVec2::new(0, -100_000)] {
        game.view_mut().pan(far, Projection::new(TEN, TileMetrics::CLASSIC));
        let shown = game.view().visible_rect();
        let whole = bevy::math::Rect::from_corners(Vec2::ZERO, picture(TEN).as_vec2());
        assert!(shown.intersect(whole).size().min_element() >= 20.0, "{shown:?} after {far}");
    }
}
