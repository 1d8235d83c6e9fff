//! Maps with hills: the part that the window shows, the cell under a pixel, and raising and lowering cells.

use std::fmt::Debug;

use bevy::math::{IVec2, UVec2, Vec2};

use emberwalk::game::painting::brush::HeldBrush;
use emberwalk::game::painting::ghost::Ghost;
use emberwalk::game::painting::recovery::RecoveryFolder;
use emberwalk::game::painting::selection::Selection;
use emberwalk::game::search_view::overlay_cells::Overlays;
use emberwalk::game::search_view::shown_overlays::OverlayScale;
use emberwalk::game::viewport::{Viewport, ZOOMS};
use emberwalk::game::world::open_map::MapOpened;
use emberwalk_map::editing::Area;
use emberwalk_picture::scene::{raised_corner, terrain_at_zoom};

use crate::painting::drag;
use crate::prelude::*;

/// A game on grass with these levels, and the tent in the north-western corner.
fn hills(levels: &[impl AsRef<str> + Debug]) -> Game {
    let mut overlay = vec![".".repeat(levels[0].as_ref().len()); levels.len()];
    overlay[0].replace_range(..1, "1");
    Game::on_hills(&overlay, levels)
}

fn levels(game: &Game) -> Vec<String> {
    let size = game.map().size();
    let digit = |cell| char::from(b'0' + game.map().level(cell));
    (0..size.height as i32).map(|y| (0..size.width as i32).map(|x| digit(Cell::new(x, y))).collect()).collect()
}

/// The map point in the middle of the ground of a cell.
fn middle(map: &Map, cell: Cell) -> Vec2 {
    (IVec2::from(raised_corner(map, cell)) + IVec2::new(27, 40)).as_vec2()
}

/// Hills with cliffs, valleys behind them, and cells of level 0 at each edge.
const CLIFFS: [&str; 6] = ["0123450", "9081726", "3300099", "3305094", "0210360", "6007080"];

/// The cell whose ground or face is at a window pixel, of documented shapes, in integers, so that nothing is
/// rounded.
fn seen_at(map: &Map, nearest_first: &[Cell], pixel: IVec2, corner: IVec2, zoom: f32) -> Option<Cell> {
    // In units of half a window pixel divided by this, the zoom is a whole number.
    const UNITS: i128 = 1 << 40;
    let zoom_units = (f64::from(zoom) * UNITS as f64) as i128;
    assert_eq!(zoom_units as f64 / UNITS as f64, f64::from(zoom));
    let scaled = |pixels: i32| 2 * i128::from(pixels) * zoom_units;
    let away = |pixel: i32, corner: i32, centre: i32| i128::from(2 * (pixel - corner) + 1) * UNITS - scaled(centre);
    let is_seen = |cell: &&Cell| {
        let (x, y) = {
            let (x, y) = raised_corner(map, **cell);
            (x + 27, y + 40)
        };
        let (dx, dy) = (away(pixel.x, corner.x, x), away(pixel.y, corner.y, y));
        let half = scaled(26);
        if (-half..half).contains(&(dx + 2 * dy)) && (-half..half).contains(&(dx - 2 * dy)) {
            return true;
        }
        let side = if dx < 0 { Direction::W } else { Direction::S };
        let height = scaled(12 * (i32::from(map.level(**cell)) - i32::from(map.level(**cell + side))));
        (-half..half).contains(&dx) && (0..2 * height).contains(&(dx.abs() + 2 * dy - half))
    };
    nearest_first.iter().find(is_seen).copied()
}

/// Checks the cell at every pixel of a view, and returns how many pixels pick a cell.
fn check_picking(view: &Viewport, window: UVec2, map: &Map) -> usize {
    let mut nearest_first: Vec<Cell> = map.size().cells().collect();
    nearest_first.sort_by_key(|cell| (cell.x - cell.y, -cell.x));
    let corner = view.window_point(Vec2::ZERO).as_ivec2();
    let pixels = (0..window.y as i32).flat_map(|y| (0..window.x as i32).map(move |x| IVec2::new(x, y)));
    let picks = pixels.filter(|pixel| {
        let point = view.scaled_map_point(pixel.as_vec2() + 0.5);
        let cell = terrain_at_zoom(map, point.into(), view.zoom()).map(|(cell, _)| cell);
        let expected = seen_at(map, &nearest_first, *pixel, corner, view.zoom());
        assert_eq!(cell, expected, "{pixel} at zoom {}, the map at {corner}", view.zoom());
        cell.is_some()
    });
    picks.count()
}

#[test]
fn at_every_zoom_a_pixel_picks_the_cell_whose_ground_or_face_is_seen_there() {
    let mut game = hills(&CLIFFS);
    game.resize(401, 301);
    let map = game.map().map().clone();
    // Any zoom below 1, where the middle of a pixel may be on an edge, and the half steps above it.
    let mut zooms = Vec::new();
    let fits = [(397, 305), (211, 97), (270, 276), (620, 620), (880, 880)];
    for (width, height) in fits {
        game.resize(width, height);
        game.ask(Action::Fit);
        check_picking(&game.view(), UVec2::new(width, height), &map);
        zooms.push(game.view().zoom());
    }
    assert!(zooms.contains(&1.5) && zooms.contains(&2.5), "{zooms:?}");
    game.resize(401, 301);
    for zoom in ZOOMS {
        // Steps back from far out would not lead to the map.
        game.ask(Action::Fit);
        while game.view().zoom() != zoom {
            let direction = if game.view().zoom() < zoom { Zoom::In } else { Zoom::Out };
            game.view_mut().zoom_towards(direction, Some(Vec2::new(200.5, 130.5)));
        }
        let picked = check_picking(&game.view(), UVec2::new(401, 301), &map);
        assert!(picked > 200 || zoom < 0.2, "{picked} at zoom {zoom}");
    }
}

#[test]
fn the_first_view_and_a_fit_have_room_for_the_hills() {
    // The picture of the plain is 522 x 288, and the picture of the hills is 108 pixels higher.
    let mut rows = ["0000000000"; 10];
    for (top, zoom, corner) in [("0000000000", 2.0, IVec2::new(0, 36)), ("9000000000", 1.5, IVec2::new(130, 27))] {
        rows[0] = top;
        let mut game = hills(&rows);
        game.resize(1044, 648);
        for _ in 0..2 {
            assert_eq!((game.view().zoom(), game.view().window_point(Vec2::ZERO).as_ivec2()), (zoom, corner), "{top}");
            game.ask(Action::Fit);
        }
    }
}

#[test]
fn a_raised_cell_at_the_far_edge_can_be_brought_to_the_centre() {
    let mut rows = vec!["0".repeat(30); 30];
    for (cell, is_raised) in [(at(15, 0), true), (at(29, 15), true), (at(15, 0), false)] {
        rows[cell.y as usize] = "0".repeat(30);
        if is_raised {
            rows[cell.y as usize].replace_range(cell.x as usize..=cell.x as usize, "9");
        }
        let mut game = hills(&rows);
        rows[cell.y as usize] = "0".repeat(30);
        game.resize(640, 480);
        game.ask(Action::LookAt(cell));
        let place = |game: &Game| game.view().window_point(middle(game.map(), cell));
        assert!(place(&game).distance(Vec2::new(320.0, 240.0)) <= 1.0, "{cell}: {}", place(&game));
        // As far up as it goes.
        let map = game.map().projection();
        game.view_mut().pan(IVec2::new(0, 10_000), map);
        let centre = game.view().map_point(Vec2::new(320.0, 240.0));
        let (x, y) = map.position_at(centre.as_dvec2().into());
        let above = (-0.5 - y).max(x - 29.5) * 26.0;
        let expected = if is_raised { 108.0 } else { 0.0 };
        assert!((above - expected).abs() < 3.0, "{cell}: {above} pixels above the ground");
    }
}

#[test]
fn the_view_follows_the_tile_cursor_over_hills() {
    let rows = (0..40).map(|y| if y % 7 < 3 { "9".repeat(40) } else { "0".repeat(40) }).collect::<Vec<_>>();
    let mut game = hills(&rows);
    game.resize(640, 480);
    for direction in [Direction::S; 30].into_iter().chain([Direction::E; 30]) {
        game.ask(Action::MoveCursor(direction));
        let cell = game.tile_cursor().expect("it was moved");
        let point = game.view().window_point(middle(game.map(), cell));
        assert!((70.0..570.0).contains(&point.x) && (70.0..410.0).contains(&point.y), "{cell} is at {point}");
    }
}

/// A game in which the player paints with this.
fn holding(mut game: Game, brush: Brush, tool: Tool) -> Game {
    game.ask_and_show(Action::TogglePainting);
    game.ask(Action::Brush(BrushChange::Hold(brush)));
    if tool != Tool::Pencil {
        game.ask(Action::Brush(BrushChange::Tool(tool)));
    }
    game.log_lines();
    game
}

#[test]
fn a_stroke_of_the_pencil_raises_each_cell_once() {
    let mut game = holding(hills(&["0000", "0000", "0900"]), Brush::Raise, Tool::Pencil);
    drag(&mut game, &[(0, 0), (3, 0), (0, 0), (0, 2), (1, 2)]);
    assert_eq!(levels(&game), ["1111", "1000", "1900"], "the tent is raised too, and nothing is higher than 9");
    assert_eq!(game.log_lines()[0], "painted cells=6 terrain=\"raise\"");
    assert_eq!(game.map().tent(), Some(at(0, 0)));
    // A line from the end of the last stroke continues it.
    drag(&mut game, &[(3, 2)]);
    let line = Stroke::Begin { cell: at(3, 0), straight: true };
    game.ask_at_once(&[Action::Stroke(line), Action::Stroke(Stroke::End)]);
    assert_eq!(levels(&game), ["1112", "1001", "1901"]);
    // Another line is another stroke.
    drag(&mut game, &[(3, 2)]);
    assert_eq!(levels(&game)[2], "1902");
    game.ask(Action::Brush(BrushChange::Hold(Brush::Lower)));
    drag(&mut game, &[(3, 2), (1, 2), (3, 2), (3, 1)]);
    assert_eq!(levels(&game), ["1112", "1000", "1801"]);
    for expected in ["1902", "1901", "1901", "1900", "0900"] {
        game.ask(Action::Undo);
        assert_eq!(levels(&game)[2], expected);
    }
    assert_eq!(levels(&game), ["0000", "0000", "0900"]);
    for _ in 0..5 {
        game.ask(Action::Redo);
    }
    assert_eq!(levels(&game), ["1112", "1000", "1801"]);
}

#[test]
fn a_wide_pencil_raises_each_cell_once() {
    let mut game = holding(hills(&["00000"; 5]), Brush::Raise, Tool::Pencil);
    game.ask(Action::Brush(BrushChange::Larger));
    drag(&mut game, &[(1, 1), (2, 1), (3, 2)]);
    assert_eq!(levels(&game), ["11110", "11111", "11111", "01111", "00000"]);
    let ghost = |game: &Game| game.get::<Ghost>().painted.edits.len();
    // The ghost shows the cells that the next stroke would raise, and no longer shows the cells that it has raised.
    game.get_mut::<TileCursor>().0 = Some(at(1, 3));
    game.frame();
    assert_eq!(ghost(&game), 9);
    game.ask(Action::Stroke(Stroke::Begin { cell: at(1, 3), straight: false }));
    assert_eq!(ghost(&game), 0, "a stroke raises a cell once");
}

#[test]
fn lines_rectangles_and_fills_raise_and_lower() {
    let mut game = holding(hills(&["0000", "0110", "0000"]), Brush::Raise, Tool::Rectangle);
    drag(&mut game, &[(2, 1), (3, 2)]);
    assert_eq!(levels(&game), ["0000", "0121", "0011"]);
    game.ask(Action::Brush(BrushChange::Tool(Tool::Line)));
    drag(&mut game, &[(0, 0), (3, 0)]);
    assert_eq!(levels(&game), ["1111", "0121", "0011"]);
    game.ask(Action::Brush(BrushChange::Hold(Brush::Lower)));
    game.ask(Action::Brush(BrushChange::Tool(Tool::Fill)));
    drag(&mut game, &[(1, 1)]);
    assert_eq!(levels(&game), ["0000", "0020", "0000"], "all connected cells of this level");
    drag(&mut game, &[(0, 0)]);
    assert_eq!(levels(&game), ["0000", "0020", "0000"], "0 is the lowest level");
}

#[test]
fn raising_needs_no_mouse() {
    let mut game = holding(hills(&["000", "000"]), Brush::Eraser, Tool::Pencil);
    let held = |game: &Game| game.get::<HeldBrush>().brush;
    game.ask(Action::Brush(BrushChange::Next));
    assert_eq!(held(&game), Brush::Raise);
    for _ in 0..3 {
        game.ask(Action::MoveCursor(Direction::E));
        game.ask(Action::GoToCursor { straight: false });
    }
    assert_eq!(levels(&game)[0], "111");
    game.ask(Action::GoToCursor { straight: false });
    game.ask(Action::Brush(BrushChange::Next));
    assert_eq!(held(&game), Brush::Lower);
    game.ask(Action::MoveCursor(Direction::W));
    game.ask(Action::GoToCursor { straight: false });
    assert_eq!(levels(&game)[0], "102");
    game.ask(Action::Brush(BrushChange::Next));
    assert!(matches!(held(&game), Brush::Terrain(_)), "it goes round");
    game.ask(Action::Brush(BrushChange::Previous));
    assert_eq!(held(&game), Brush::Lower);
}

#[test]
fn the_map_stays_where_it_is_while_its_highest_level_changes() {
    for moves in [&[][..], &[Action::Fit], &[Action::Zoom { zoom: Zoom::In, towards: None }]] {
        let mut game = holding(hills(&["00000"; 5]), Brush::Raise, Tool::Pencil);
        game.resize(640, 480);
        moves.iter().for_each(|action| game.ask(*action));
        let place = |game: &Game| (game.view().zoom(), game.view().window_point(middle(game.map(), at(0, 4))));
        let before = place(&game);
        for _ in 0..3 {
            drag(&mut game, &[(3, 1)]);
            assert_eq!(place(&game), before, "{moves:?}");
        }
        assert_eq!(game.map().top(), 3);
        game.ask(Action::Undo);
        game.ask(Action::Undo);
        assert_eq!(place(&game), before, "{moves:?}");
    }
}

#[test]
fn copied_cells_keep_their_levels() {
    let mut game = holding(hills(&["0000", "0230", "0000"]), Brush::Raise, Tool::Select);
    drag(&mut game, &[(1, 1), (2, 1)]);
    game.ask(Action::Selection(SelectionChange::Copy));
    game.ask(Action::Selection(SelectionChange::Paste));
    // The tile cursor is the middle, or to its right.
    game.get_mut::<TileCursor>().0 = Some(at(2, 2));
    game.frame();
    let ghost = game.get::<Ghost>();
    assert_eq!(ghost.drawn_edits().len(), 2, "what would be raised is shown");
    game.ask(Action::GoToCursor { straight: false });
    assert_eq!(levels(&game), ["0000", "0230", "0023"]);
    assert_eq!(game.get::<Selection>().area, Some(Area::between(at(2, 2), at(3, 2))));
}

const FLAT: &str = "// by hand\n(\n    name: \"Mine\",\n    base: [\n        \"GGG\",\n        \"GGG\",\n    ],\n    overlay: [\"1..\", \"..2\"],\n)\n";

#[test]
fn a_map_without_hills_is_saved_with_the_heights_that_were_painted() {
    let files = Files::with("mine.ron", FLAT);
    let open = || {
        let mut game = Game::following(MapRequest::of_path(files.path("mine.ron")));
        game.app().insert_resource(RecoveryFolder(Some(files.path("state"))));
        game
    };
    let mut game = holding(open(), Brush::Raise, Tool::Pencil);
    drag(&mut game, &[(1, 0), (2, 0)]);
    drag(&mut game, &[(2, 0)]);
    game.frame();
    drop(game);
    // As after a crash.
    let mut game = open();
    game.app().world_mut().trigger(MapOpened);
    game.frame();
    game.ask_and_show(Action::Answer(Answer::Restore));
    assert_eq!(levels(&game), ["012", "000"], "it was recovered");
    game.ask(Action::Save);
    let saved = files.text("mine.ron");
    let rest: String =
        saved.lines().filter(|line| FLAT.contains(line.trim())).map(|line| format!("{line}\n")).collect();
    assert_eq!(rest, FLAT, "nothing else has changed");
    assert!(saved.contains(r#"heights: ["012", "000"],"#), "{saved}");
    let mut game = holding(open(), Brush::Lower, Tool::Pencil);
    assert_eq!(levels(&game), ["012", "000"]);
    drag(&mut game, &[(2, 0)]);
    game.ask(Action::Save);
    assert_eq!(files.text("mine.ron"), saved.replace("012", "011"));
}

#[test]
fn the_overlays_go_on_to_the_levels_where_there_are_hills() {
    let choice = |game: &Game| *game.get::<OverlayChoice>();
    let turn = |game: &mut Game| {
        game.ask(Action::NextOverlay);
        choice(game)
    };
    let mut game = hills(&["012", "040"]);
    let turns = [OverlayChoice::Cost, OverlayChoice::Distance, OverlayChoice::Levels, OverlayChoice::None];
    assert_eq!(turns.map(|_| turn(&mut game)), turns);
    assert_eq!([turn(&mut game), turn(&mut game), turn(&mut game)], turns[..3]);
    let colours = |game: &Game| {
        let overlay = &game.get::<Overlays>()[Half::Left];
        overlay.cells().iter().map(|cell| cell.mark.colour).collect::<Vec<_>>()
    };
    let scale = |game: &Game| game.get::<OverlayScale>().range;
    let before = colours(&game);
    assert_eq!((before[0], scale(&game)), (before[3], (0.0, 4.0)));
    // Painting changes it immediately.
    let mut game = holding(game, Brush::Lower, Tool::Pencil);
    drag(&mut game, &[(1, 1)]);
    assert_eq!((colours(&game)[0], scale(&game)), (before[0], (0.0, 3.0)));
    assert_ne!(colours(&game)[2], before[2], "the highest level has another colour");
    // A map without hills has no such overlay.
    game.ask(Action::TogglePainting);
    game.ask(Action::Undo);
    game.ask(Action::NextMap);
    assert_eq!((game.map().top(), choice(&game)), (0, OverlayChoice::None));
    let turns = [OverlayChoice::Cost, OverlayChoice::Distance, OverlayChoice::None];
    assert_eq!(turns.map(|_| turn(&mut game)), turns);
}

#[test]
fn a_stroke_that_raises_shows_the_levels_until_it_ends() {
    let mut game = holding(hills(&["000", "000"]), Brush::Raise, Tool::Pencil);
    let scale = |game: &Game| {
        let scale = game.get::<OverlayScale>();
        (scale.shown, scale.range)
    };
    let is_shown = |game: &Game| game.get::<Overlays>()[Half::Left].is_shown();
    game.ask(Action::Stroke(Stroke::Begin { cell: at(1, 1), straight: false }));
    assert_eq!((scale(&game), is_shown(&game)), ((OverlayChoice::Levels, (0.0, 1.0)), true));
    game.ask(Action::Stroke(Stroke::End));
    assert_eq!((scale(&game).0, is_shown(&game)), (OverlayChoice::None, false));
    // The chosen overlay comes back.
    game.ask(Action::ShowOverlay(OverlayChoice::Cost));
    game.ask(Action::Brush(BrushChange::Tool(Tool::Rectangle)));
    game.ask(Action::Stroke(Stroke::Begin { cell: at(0, 0), straight: false }));
    assert_eq!(scale(&game).0, OverlayChoice::Levels, "a terrace is planned among the levels");
    game.ask(Action::Stroke(Stroke::End));
    assert_eq!(scale(&game).0, OverlayChoice::Cost);
    // Terrain has no level.
    game.ask(Action::Brush(BrushChange::Take(0)));
    game.ask(Action::Stroke(Stroke::Begin { cell: at(0, 0), straight: false }));
    assert_eq!(scale(&game).0, OverlayChoice::Cost);
}
