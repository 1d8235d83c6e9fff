//! The part of the map that the window shows, and the cell under a pixel.

use bevy::math::{IVec2, Rect, UVec2, Vec2};
use bevy::prelude::{DetectChanges, Last, Res, ResMut, Resource};

use emberwalk::game::drawing::camera::settle;
use emberwalk::game::viewport::layout::{Insets, Uncovered};
use emberwalk::game::viewport::{Viewport, ZOOMS};
use emberwalk::game::world::map_images::MapImages;
use emberwalk_map::terrain::TileMetrics;
use emberwalk_picture::iso::Projection;

use crate::prelude::*;

/// A game with a window of this size, on grass with the tent in the north-western corner.
fn window(map: Size, window: (u32, u32)) -> Game {
    let mut rows = vec![".".repeat(map.width as usize); map.height as usize];
    rows[0].replace_range(..1, "1");
    let mut game = Game::on_grass(&rows);
    game.resize(window.0, window.1);
    game
}

/// The width and height of a map's picture by the formula.
fn picture(Size { width, height }: Size) -> UVec2 {
    let steps = width + height - 2;
    UVec2::new(26 * steps + 54, 13 * steps + 54)
}

/// The window pixel at the corner of the map's picture.
fn corner(view: &Viewport) -> IVec2 {
    let corner = view.window_point(Vec2::ZERO);
    assert_eq!(corner, corner.round(), "the camera is on whole pixels");
    corner.as_ivec2()
}

const TEN: Size = Size::new(10, 10);

/// The largest zoom below 1 at which a picture fits, or a little less.
fn fits_exactly(picture: UVec2, window: UVec2, zoom: f32) -> bool {
    let exact = (window.as_dvec2() / picture.as_dvec2()).min_element();
    let ratio = f64::from(zoom) / exact;
    exact < 1.0 && ratio <= 1.0 && ratio > 1.0 - 1e-6
}

/// The free pixels to the left and right of a picture, or above and below it: equal, except for an odd pixel at the
/// end.
fn is_centred(view: &Viewport, picture: UVec2, window: UVec2) -> bool {
    let free = window.as_dvec2() - picture.as_dvec2() * f64::from(view.zoom());
    corner(view) == (free / 2.0).floor().as_ivec2() && free.min_element() >= 0.0
}

/// The rail and the bar of a window of 1280 x 720.
const PANELS: Insets = Insets { left: 56, top: 48, right: 0, bottom: 0, between: 0 };

/// Lets panels cover the sides of the window.
fn cover(game: &mut Game, insets: Insets) {
    game.app().insert_resource(Uncovered { insets, margin: 16, ..Uncovered::default() });
    game.frame();
}

/// The window points around what is seen of the map.
fn seen(game: &Game) -> Rect {
    let (columns, rows) = game.get::<MapImages>().scene().seen_pixels(game.map().layers());
    let point = |x: i32, y: i32| game.view().window_point(IVec2::new(x, y).as_vec2());
    Rect::from_corners(point(columns.start, rows.start), point(columns.end, rows.end))
}

#[test]
fn the_first_view_of_the_valley_beside_the_panels_has_zoom_1() {
    let mut game = Game::on_bundled("valley");
    game.resize(1280, 720);
    cover(&mut game, PANELS);
    assert_eq!(game.view().zoom(), 1.0);
    let free = Rect::new(56.0, 48.0, 1280.0, 720.0).inflate(-16.0);
    assert!(free.contains(seen(&game).min) && free.contains(seen(&game).max), "{:?}", seen(&game));
    let off = seen(&game).center() - free.center();
    assert!(off.abs().max_element() <= 1.0, "{off} from the centre");
}

#[test]
fn a_dock_lets_a_view_fit_again_unless_the_player_has_moved_it() {
    let mut game = Game::on_bundled("valley");
    game.resize(1280, 720);
    cover(&mut game, PANELS);
    let dock = Insets { right: 296, ..PANELS };
    for is_fitted in [false, true] {
        if is_fitted {
            game.ask(Action::Fit);
        }
        let whole = game.view();
        cover(&mut game, dock);
        let (seen, free) = (seen(&game), Rect::new(56.0, 48.0, 984.0, 720.0).inflate(-16.0));
        assert!(free.inflate(1.0).contains(seen.min) && free.inflate(1.0).contains(seen.max), "{seen:?}");
        assert!((seen.width() - free.width()).abs() < 2.0, "{seen:?}");
        cover(&mut game, PANELS);
        assert_eq!(game.view(), whole);
    }
    game.ask(Action::Pan(emberwalk_path::grid::Direction::E));
    let point = game.view().map_point(Vec2::new(668.0, 384.0));
    cover(&mut game, dock);
    assert_eq!((game.view().map_point(Vec2::new(520.0, 384.0)), game.view().zoom()), (point, 1.0));
}

#[test]
fn the_view_fits_what_is_seen_of_a_map_that_has_changed_but_does_not_move_before() {
    let mut game = Game::on_grass(&["1....", ".....", ".....", "....."]);
    game.resize(1280, 720);
    cover(&mut game, PANELS);
    let (before, seen_before) = (game.view(), seen(&game));
    game.edit_overlay('M', at(4, 0));
    game.frame();
    let now = seen(&game);
    assert!(now.min.y < seen_before.min.y && now.max == seen_before.max, "{now:?} {seen_before:?}");
    assert_eq!(game.view().window_point(Vec2::ZERO), before.window_point(Vec2::ZERO));
    game.ask(Action::Fit);
    let off = seen(&game).center() - Vec2::new(668.0, 384.0);
    assert!(off.abs().max_element() <= 2.0, "{off} from the centre");
}

#[test]
fn a_view_that_nothing_moves_does_not_count_as_changed() {
    let mut game = Game::on_bundled("valley");
    game.resize(1280, 720);
    cover(&mut game, PANELS);
    game.app().insert_resource(Changes(0)).add_systems(Last, |view: Res<Viewport>, mut changes: ResMut<Changes>| {
        changes.0 += usize::from(view.is_changed());
    });
    game.frame();
    game.get_mut::<Changes>().0 = 0;
    cover(&mut game, PANELS);
    game.edit_overlay('F', at(9, 9));
    game.frame();
    assert_eq!(game.get::<Changes>().0, 0);
}

/// In how many frames the view has changed.
#[derive(Resource)]
struct Changes(usize);

#[test]
fn the_first_view_has_the_largest_whole_zoom_or_half_step_at_which_the_map_fits() {
    let picture = picture(TEN);
    let windows = [
        ((1280, 720), 2.0),
        ((1305, 719), 2.0),
        ((1305, 720), 2.5),
        ((1044, 576), 2.0),
        ((1043, 576), 1.5),
        ((1044, 575), 1.5),
        ((783, 432), 1.5),
        ((782, 432), 1.0),
        ((522, 288), 1.0),
        ((1566, 864), 3.0),
        ((2087, 3000), 3.0),
        ((2088, 1152), 4.0),
        ((9999, 9999), 4.0),
        ((1281, 721), 2.0),
    ];
    for (size, zoom) in windows {
        let view = window(TEN, size).view();
        assert_eq!(view.zoom(), zoom, "{size:?}");
        // Rounded down: the odd pixel is left over on the right and below.
        let room = UVec2::from(size).as_vec2() - picture.as_vec2() * zoom;
        assert_eq!(corner(&view), (room / 2.0).floor().as_ivec2(), "{size:?}");
    }
}

#[test]
fn a_map_that_does_not_fit_at_zoom_1_is_fitted_exactly_down_to_zoom_half() {
    let valley = Size::new(24, 20);
    for (map, width, height) in [
        (TEN, 521, 900),
        (TEN, 522, 287),
        (TEN, 400, 300),
        (TEN, 261, 900),
        (TEN, 521, 144),
        (TEN, 377, 203),
        (valley, 800, 600),
    ] {
        let (picture, window_size) = (picture(map), UVec2::new(width, height));
        let view = window(map, (width, height)).view();
        assert!(fits_exactly(picture, window_size, view.zoom()), "{} in {window_size}", view.zoom());
        assert!(view.zoom() >= 0.5 && is_centred(&view, picture, window_size), "{window_size}");
    }
}

#[test]
fn a_map_that_does_not_fit_at_zoom_half_is_shown_around_the_traveller_at_zoom_1() {
    for (map, size) in [(Size::new(40, 30), (800, 600)), (TEN, (260, 900)), (TEN, (900, 143))] {
        let game = window(map, size);
        assert_eq!(game.view().zoom(), 1.0);
        assert!(has_room_around(&game, at(0, 0), size), "{map} in {size:?}");
    }
}

/// Whether a cell is not close to the edges of the window.
fn has_room_around(game: &Game, cell: Cell, (width, height): (u32, u32)) -> bool {
    let window = Rect::new(0.0, 0.0, width as f32, height as f32);
    let inner = Rect::from_center_size(window.center(), window.size() * 0.8).inflate(1.0);
    inner.contains(game.window_point(cell))
}

#[test]
fn the_first_view_of_a_large_map_shows_as_little_as_possible_beside_it() {
    let size = (1280, 720);
    let shown = |start: Cell| {
        let mut rows = vec![".".repeat(90); 90];
        rows[start.y as usize].replace_range(start.x as usize..=start.x as usize, "1");
        let mut game = Game::on_grass(&rows);
        game.resize(size.0, size.1);
        assert!(has_room_around(&game, start, size), "{start}");
        let points = (0..32).flat_map(|x| (0..18).map(move |y| Vec2::new(x as f32, y as f32) * 40.0 + 20.5));
        let map = game.map().projection();
        let is_map =
            |point: &Vec2| game.view().unbounded_cell_at(*point, map).is_some_and(|cell| map.size().contains(cell));
        points.filter(is_map).count()
    };
    // In the middle, and at each side all pixels show the map; in a corner most do.
    for start in [at(45, 45), at(20, 45), at(45, 70)] {
        assert_eq!(shown(start), 32 * 18, "{start}");
    }
    for start in [at(0, 45), at(45, 0), at(89, 45), at(45, 89)] {
        assert!(shown(start) > 32 * 18 * 8 / 10, "{start}: {}", shown(start));
    }
    for start in [at(0, 0), at(89, 0), at(0, 89), at(89, 89)] {
        assert!(shown(start) > 32 * 18 / 2, "{start}: {}", shown(start));
    }
}

#[test]
fn the_first_view_of_the_next_map_is_around_its_own_traveller() {
    let mut game = window(TEN, (250, 140));
    for _ in 0..3 {
        game.ask(Action::NextMap);
        assert!(has_room_around(&game, game.map().tent().unwrap(), (250, 140)));
    }
}

#[test]
fn fit_uses_the_largest_zoom_at_which_the_map_fits() {
    let cases = [
        (TEN, (1280, 720), Some(2.0)),
        (TEN, (4000, 4000), Some(4.0)),
        (TEN, (522, 288), Some(1.0)),
        (TEN, (1043, 576), Some(1.5)),
        (TEN, (1400, 800), Some(2.5)),
        (TEN, (300, 300), None),
        (Size::new(60, 40), (700, 700), None),
        (Size::new(300, 500), (320, 240), None),
    ];
    for (map, size, zoom) in cases {
        let mut game = window(map, size);
        game.view_mut().zoom_towards(Zoom::In, Some(Vec2::new(3.0, 5.0)));
        game.view_mut().fit(Projection::new(map, TileMetrics::CLASSIC));
        let (view, size, picture) = (game.view(), UVec2::from(size), picture(map));
        // Zoomed out, there is room for the dots of the traveller and the goal.
        let free = if map.area() > 100_000 { size - 20 } else { size };
        let fits = zoom.map_or_else(|| fits_exactly(picture, free, view.zoom()), |zoom| view.zoom() == zoom);
        assert!(fits && is_centred(&view, picture, size), "{map} in {size}: {}", view.zoom());
    }
}

#[test]
fn the_wheel_goes_through_the_zooms_and_from_any_other_zoom_to_the_next_one() {
    let steps: Vec<f32> = (1..=8).rev().map(|k| 0.5_f32.powi(k)).chain([1.0, 2.0, 3.0, 4.0]).collect();
    let mut game = window(TEN, (1280, 720));
    let mut zooms = |zoom: Zoom| {
        let step = |game: &mut Game| {
            game.view_mut().zoom_towards(zoom, None);
            game.view().zoom()
        };
        (0..14).map(|_| step(&mut game)).collect::<Vec<_>>()
    };
    zooms(Zoom::In);
    assert_eq!(zooms(Zoom::Out)[..11], steps.iter().rev().skip(1).copied().collect::<Vec<_>>());
    let zoomed_in = zooms(Zoom::In);
    assert_eq!((&zoomed_in[..11], zoomed_in[13]), (&steps[1..], 4.0));

    for (width, below, above) in [(400, 0.5, 1.0), (261, 0.25, 1.0), (200, 0.25, 0.5), (3, 1.0 / 256.0, 1.0 / 128.0)] {
        let fit = Projection::new(TEN, TileMetrics::CLASSIC);
        for (zoom, expected) in [(Zoom::Out, below), (Zoom::In, above)] {
            let mut game = window(TEN, (width, 900));
            game.view_mut().fit(fit);
            game.view_mut().zoom_towards(zoom, None);
            assert_eq!(game.view().zoom(), expected, "{zoom:?} from the fit in {width} pixels");
        }
    }
}

#[test]
fn zooming_out_ends_where_the_whole_map_is_shown_with_a_margin() {
    for (size, window_size, smallest) in [
        (TEN, (1280, 720), 0.25),
        (TEN, (100, 75), 0.125),
        (Size::new(128, 128), (1280, 720), 0.125),
        (Size::new(1000, 900), (1280, 720), 1.0 / 64.0),
        (Size::new(4096, 1), (300, 200), ZOOMS[0]),
    ] {
        let mut game = window(size, window_size);
        let zoom = |game: &mut Game, zoom| {
            for _ in 0..ZOOMS.len() {
                game.ask(Action::Zoom { zoom, towards: None });
            }
            game.view().zoom()
        };
        assert_eq!(zoom(&mut game, Zoom::Out), smallest, "{size} in {window_size:?}");
        assert_eq!((zoom(&mut game, Zoom::In), zoom(&mut game, Zoom::Out)), (4.0, smallest));
    }
}

#[test]
fn zooming_keeps_the_point_under_the_pointer_or_the_middle() {
    use Zoom::{In, Out};
    let middle = Vec2::new(640.5, 359.5);
    for pointer in [Some(Vec2::new(300.5, 200.5)), None] {
        let mut game = window(TEN, (1281, 719));
        let point = pointer.unwrap_or(middle);
        for zoom in [In, In, Out, Out, Out, Out, Out, In, In, In, In, In] {
            let before = game.view().map_point(point);
            game.view_mut().zoom_towards(zoom, pointer);
            let view = game.view();
            let off = (view.map_point(point) - before).abs().max_element() * view.zoom();
            assert!(off <= 0.5, "{off} pixels at zoom {}", view.zoom());
        }
    }
}

/// Whether a cell's half-open diamond contains the centre of a window pixel, in integers, so that nothing is rounded.
fn contains_pixel(map: Projection, cell: Cell, pixel: IVec2, corner: IVec2, zoom: f32) -> bool {
    // In units of half a window pixel divided by this, the zoom is a whole number.
    const UNITS: i128 = 1 << 40;
    let zoom_units = (f64::from(zoom) * UNITS as f64) as i128;
    assert_eq!(zoom_units as f64 / UNITS as f64, f64::from(zoom));
    let (x, y) = map.centre(cell);
    let away = |pixel: i32, corner: i32, centre: i32| {
        i128::from(2 * (pixel - corner) + 1) * UNITS - 2 * i128::from(centre) * zoom_units
    };
    let (dx, dy) = (away(pixel.x, corner.x, x), away(pixel.y, corner.y, y));
    let half = 2 * i128::from(map.tile().half_step().0) * zoom_units;
    let half = -half..half;
    half.contains(&(dx + 2 * dy)) && half.contains(&(dx - 2 * dy))
}

/// Checks the cell at every pixel of a view, and returns how many pixels pick a cell.
fn check_picking(view: &Viewport, window: UVec2, map: Projection) -> usize {
    let corner = corner(view);
    let pixels = (0..window.y as i32).flat_map(|y| (0..window.x as i32).map(move |x| IVec2::new(x, y)));
    let picks = pixels.filter(|pixel| {
        let cell = map.cell_at_zoom(view.scaled_map_point(pixel.as_vec2() + 0.5).into(), view.zoom());
        let contains = |cell: &Cell| contains_pixel(map, *cell, *pixel, corner, view.zoom());
        let expected = map.size().cells().find(contains);
        assert_eq!(cell, expected, "{pixel} at zoom {}, the map at {corner}, {:?}", view.zoom(), map.tile());
        cell.is_some()
    });
    picks.count()
}

#[test]
fn at_every_step_of_the_wheel_a_pixel_picks_the_cell_whose_ground_is_there() {
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
        let picked = check_picking(&game.view(), UVec2::new(401, 301), map);
        assert!(picked > 200 || zoom < 0.2, "{picked} at zoom {zoom}");
    }
}

#[test]
fn at_the_zoom_of_any_fit_a_pixel_picks_the_cell_whose_ground_is_there() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    // At zoom 3/4, centres of pixels are on edges of diamonds, and quotients are rounded.
    let known = [
        (Size::new(6, 5), UVec2::new(216, 200), Some(0.75)),
        (Size::new(1, 2), UVec2::new(60, 90), Some(0.75)),
        (Size::new(6, 4), UVec2::new(401, 301), Some(1.5)),
        (Size::new(6, 4), UVec2::new(661, 403), Some(2.5)),
    ];
    let random = std::iter::repeat_with(|| {
        let size = Size::new(random.u32(1..9), random.u32(1..9));
        (size, UVec2::new(random.u32(1..300), random.u32(1..200)), None)
    });
    for (size, window_size, zoom) in known.into_iter().chain(random.take(60)) {
        let map = Projection::new(size, TileMetrics::CLASSIC);
        let mut game = window(size, window_size.into());
        game.view_mut().fit(map);
        assert!(zoom.is_none_or(|zoom| game.view().zoom() == zoom), "{size} in {window_size}");
        for shift in [IVec2::ZERO, IVec2::new(13, -7)] {
            game.view_mut().pan(shift, map);
            let picked = check_picking(&game.view(), window_size, map);
            assert!(picked > 200 || zoom.is_none(), "{picked} in {window_size}");
        }
    }
}

#[test]
fn a_view_that_was_not_moved_shows_the_map_as_at_first_when_the_window_changes() {
    let mut game = window(TEN, (1280, 720));
    game.resize(1601, 901);
    assert_eq!((game.view().zoom(), corner(&game.view())), (3.0, IVec2::new(17, 18)));
    game.resize(600, 400);
    assert_eq!((game.view().zoom(), corner(&game.view())), (1.0, IVec2::new(39, 56)));
    game.resize(480, 800);
    let view = game.view();
    assert!(fits_exactly(picture(TEN), UVec2::new(480, 800), view.zoom()), "{}", view.zoom());
    assert!(is_centred(&view, picture(TEN), UVec2::new(480, 800)));
    game.resize(200, 800);
    assert_eq!(game.view().zoom(), 1.0);
    assert!(has_room_around(&game, at(0, 0), (200, 800)));
}

#[test]
fn a_view_that_fits_the_map_still_fits_when_the_window_changes() {
    let mut game = window(TEN, (1280, 720));
    game.ask(Action::Fit);
    game.view_mut().fit(Projection::new(TEN, TileMetrics::CLASSIC));
    for (width, height) in [(300, 200), (200, 300), (77, 33)] {
        game.resize(width, height);
        let view = game.view();
        assert!(fits_exactly(picture(TEN), UVec2::new(width, height), view.zoom()), "{}", view.zoom());
        assert!(is_centred(&view, picture(TEN), UVec2::new(width, height)));
    }
    game.resize(1280, 720);
    assert_eq!(game.view().zoom(), 2.0);
}

#[test]
fn a_view_that_the_player_moved_keeps_its_middle_when_the_window_changes() {
    let map = Projection::new(TEN, TileMetrics::CLASSIC);
    let zoomed: fn(&mut Viewport, Projection) = |view, _| view.zoom_towards(Zoom::In, Some(Vec2::new(100.5, 100.5)));
    let panned: fn(&mut Viewport, Projection) = |view, map| view.pan(IVec2::new(-60, 40), map);
    let fitted_and_panned: fn(&mut Viewport, Projection) = |view, map| {
        view.fit(map);
        view.pan(IVec2::new(30, -20), map);
    };
    for (change, first) in [(zoomed, (1280, 720)), (panned, (1280, 720)), (fitted_and_panned, (500, 300))] {
        let mut game = window(TEN, first);
        change(&mut game.view_mut(), map);
        let middle = |game: &Game, size: (u32, u32)| game.view().map_point(UVec2::from(size).as_vec2() / 2.0);
        let (before, zoom) = (middle(&game, first), game.view().zoom());
        let dragged = (0..60).map(|k| (1280 - k, 720 + k));
        for size in [(1281, 721), (900, 600), (500, 400), (901, 777), (1280, 720)].into_iter().chain(dragged) {
            game.resize(size.0, size.1);
            let now = middle(&game, size);
            assert!((now - before).abs().max_element() * zoom <= 1.0, "{now} instead of {before}");
            assert_eq!(game.view().zoom(), zoom);
        }
    }
}

#[test]
fn panning_stops_where_the_map_ends() {
    let map = Projection::new(TEN, TileMetrics::CLASSIC);
    for zoom in [Zoom::Out, Zoom::In] {
        let mut game = window(TEN, (640, 480));
        game.view_mut().zoom_towards(zoom, None);
        for far in [(100_000, 0), (-100_000, 50_000), (0, -100_000), (-3, 100_000)].map(IVec2::from) {
            game.view_mut().pan(far, map);
            let centre = game.view().map_point(Vec2::new(320.0, 240.0));
            let (x, y) = map.position_at(centre.as_dvec2().into());
            // A cell ends half a step from its centre; the rest is rounding to whole pixels.
            let on_map = -0.6..9.6;
            assert!(on_map.contains(&x) && on_map.contains(&y), "{x}, {y} in the centre after {far}");
            let (before, nudge) = (game.view(), far.signum() * 5);
            game.view_mut().pan(nudge, map);
            assert!(before.window_point(centre).distance(game.view().window_point(centre)) < 6.0);
        }
    }
}

#[test]
fn a_view_that_fits_again_glides_there_and_a_view_that_the_player_moves_does_not() {
    let mut game = window(TEN, (1280, 720));
    game.app().add_plugins(settle::plugin);
    game.frame();
    let mut fitted = game.view();
    fitted.fit(game.map().projection());
    game.ask(Action::Zoom { zoom: Zoom::In, towards: None });
    let zoomed = game.view();
    assert_eq!(zoomed.zoom(), 3.0, "it is not delayed");
    game.ask(Action::Fit);
    let mut zooms = vec![zoomed.zoom()];
    while game.view().visible_rect() != fitted.visible_rect() && zooms.len() < 100 {
        zooms.push(game.view().zoom());
        game.frame();
    }
    assert!(zooms.is_sorted_by(|one, next| one >= next) && zooms.len() > 10, "{zooms:?}");
    game.ask(Action::Zoom { zoom: Zoom::In, towards: None });
    game.ask(Action::Fit);
    game.ask(Action::Zoom { zoom: Zoom::In, towards: None });
    let moved = game.view();
    game.frame();
    assert_eq!(game.view(), moved, "the player has taken over");
}

#[test]
fn the_player_switches_between_the_full_and_the_classic_look() {
    let mut game = Game::on_bundled("valley");
    let look = |game: &Game| game.get::<MapImages>().look();
    let first = look(&game);
    game.ask(Action::ToggleLook);
    assert_ne!(look(&game), first);
    game.ask(Action::ToggleLook);
    assert_eq!(look(&game), first);
}
