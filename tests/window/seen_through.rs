//! Marks and figures shine through tall things, as the painter draws them, and landmarks are clicked on their pictures.

use emberwalk_map::Map;
use emberwalk_map::terrain::TileMetrics;
use emberwalk_path::grid::{Cell, Direction, Size};
use emberwalk_path::{Planner, RouteQuery};
use emberwalk_picture::paint::{PaintOptions, PaintedFigure, margin, paint};
use emberwalk_picture::scene::{Look, Scene, projection, terrain_at};
use emberwalk_picture::tiles::TileImages;
use image::{Rgb, RgbImage, RgbaImage};

use crate::Test;
use crate::picture::{map, map_of};
use crate::play::{Place, Play, wait};
use crate::screen::{Button, Key};

pub fn tests() -> Vec<Test> {
    tests![
        a_hidden_route_and_traveller_are_drawn_as_by_the_painter,
        a_landmark_is_clicked_on_its_picture,
        shift_points_at_the_ground,
    ]
}

/// A wall and trees, which hide the middle of the route and, at its start, the traveller.
const WOODS: &str = r#"(name: "Woods", base: ["GGGGGGG", "GGGGGGG", "GGGGGGG", "GGGGGGG", "GGGGGGG", "GGGGGGG"],
    overlay: [".......", ".......", ".......", "WWWTTMF", ".......", "......."])"#;

/// The scene of the embedded tileset.
fn scene(map: &Map, look: Look) -> Scene {
    let images = TileImages::load(map.tileset(), None).unwrap_or_else(|errors| panic!("{errors}"));
    Scene::new(map.tileset(), images, look)
}

/// Whether the window shows a picture wherever it differs from another picture.
fn shows(seen: &RgbImage, place: Place, look: Look, picture: &RgbaImage, other: &RgbaImage) -> bool {
    let margin = margin(TileMetrics::CLASSIC, look) as i32;
    picture.enumerate_pixels().filter(|(x, y, pixel)| *pixel != other.get_pixel(*x, *y)).all(|(x, y, expected)| {
        let at = |corner: i32, at: u32| (corner + (at as i32 - margin) * place.zoom as i32) as u32;
        let Rgb(is) = seen[(at(place.corner.0, x), at(place.corner.1, y))];
        (0..3).all(|k| is[k].abs_diff(expected.0[k]) <= 2)
    })
}

fn a_hidden_route_and_traveller_are_drawn_as_by_the_painter() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("woods.ron");
    std::fs::write(&path, WOODS).expect("a file can be written");
    let path = path.to_str().expect("a path of letters");
    let map = map_of(path, None);
    let query = RouteQuery::new(Cell::new(0, 2), Cell::new(6, 2));
    let mut planner = Planner::new();
    let result = planner.plan(map.costs(), &query).expect("both ends are passable");
    let route = result.route.expect("there is a route").cells.to_vec();
    for look in [Look::Full, Look::Plain] {
        let scene = scene(&map, look);
        let painted = |route, figures: &[PaintedFigure]| {
            paint(&map, &scene, &PaintOptions { route, figures, ..PaintOptions::default() })
        };
        let bare = painted(None, &[]);
        // The traveller stands in any direction, in one of two poses.
        let poses = Direction::ALL.into_iter().flat_map(|direction| ["I", "I1"].map(|pose| (direction, pose)));
        let pictures: Vec<_> = poses
            .map(|(direction, pose)| {
                let name = format!("L4_Traveller{}{pose}", direction.letters());
                let image = scene.images().find(&name).expect("the traveller has this pose");
                painted(Some(&route), &[PaintedFigure::at_feet(&map, image, (0.0, 2.0))])
            })
            .collect();
        let mut arguments = vec![path, "--from", "0,2", "--to", "6,2"];
        arguments.extend((look == Look::Plain).then_some("--plain"));
        let mut play = Play::with(&arguments);
        play.program.wait_for_line("route found");
        play.screen.point((1270, 400));
        let place = play.place(map.size());
        wait("the route and the traveller of the painter", || {
            let seen = play.pixels();
            pictures.iter().any(|picture| shows(&seen, place, look, picture, &bare)).then_some(())
        });
    }
}

/// Pixels near a landmark whose pictures and whose ground mean different cells.
fn telling_pixels(map: &Map, place: Place, count: usize) -> Vec<((i32, i32), Cell, Cell)> {
    let scene = scene(map, Look::Full);
    let mut found = Vec::new();
    for k in 0..100_000_i32 {
        let (x, y) = (300 + k * 7919 % 680, 120 + k * 104_729 % 480);
        let point = |at: i32, corner: i32| (f64::from(at - corner) + 0.5) / place.zoom;
        let point = (point(x, place.corner.0), point(y, place.corner.1));
        let picked = scene.landmark_at(map, point).or_else(|| terrain_at(map, point).map(|(cell, _)| cell));
        let ground = projection(map).cell_at(point);
        if let (Some(picked), Some(ground)) = (picked, ground)
            && picked != ground
        {
            found.push(((x, y), picked, ground));
        }
        if found.len() == count {
            break;
        }
    }
    assert_eq!(found.len(), count, "pixels of landmarks at zoom {}", place.zoom);
    found
}

fn a_landmark_is_clicked_on_its_picture() {
    let mut play = Play::with(&["figures/both", "--still"]);
    play.program.wait_for_line("route found");
    let map = map("figures/both");
    let mut place = play.place(Size::new(10, 10));
    let pointer = (640, 360);
    for zoom in [2.0, 3.0, 4.0, 3.0, 2.0, 1.0, 0.5] {
        if zoom != place.zoom {
            play.point(pointer);
            play.screen.click(if zoom > place.zoom { Button::WheelUp } else { Button::WheelDown });
            play.settle();
            place = place.zoomed(zoom, pointer);
        }
        for (pixel, picked, ground) in telling_pixels(&map, place, 4) {
            play.click(pixel);
            assert_eq!(play.next_goal(), picked.to_string(), "{pixel:?} {zoom}");
            play.screen.press_key(Key::SHIFT);
            play.click(pixel);
            play.screen.release_key(Key::SHIFT);
            assert_eq!(play.next_goal(), ground.to_string(), "{pixel:?} {zoom}");
        }
    }
}

fn shift_points_at_the_ground() {
    let play = Play::with(&["figures/both"]);
    let place = play.place(Size::new(10, 10));
    crate::player_input::pause_animation(&play);
    // Outlines of cells this far apart do not touch.
    let is_far = |picked: Cell, ground: Cell| (picked.x - ground.x).abs() + (picked.y - ground.y).abs() > 2;
    let map = map("figures/both");
    let scene = scene(&map, Look::Full);
    let images = scene.images();
    let outlines = ["L9_Cursor", "L9_CursorBlocked"].map(|name| images.find(name).expect("it is in the tileset"));
    // The left corner of an outline is this many pixels from the centre of the cell.
    let (left, scale) = (1 - 27, place.zoom as i32);
    // The outline only shines through what stands nearer.
    let is_clear = |cell: Cell| {
        let (x, y) = place.pixel(cell);
        let point = |at: i32, corner: i32| (f64::from(at - corner) + 0.5) / place.zoom;
        let corner = (point(x + left * scale, place.corner.0), point(y, place.corner.1));
        scene.landmark_at(&map, corner).is_none_or(|landmark| landmark == cell)
    };
    let pixels = telling_pixels(&map, place, 200).into_iter();
    let mut pixels =
        pixels.filter(|(_, picked, ground)| is_far(*picked, *ground) && is_clear(*picked) && is_clear(*ground));
    let (pixel, picked, ground) = pixels.next().expect("the castle is high");
    let is_outlined = |cell: Cell| {
        let (x, y) = place.pixel(cell);
        let seen = play.pixels()[((x + left * scale) as u32, y as u32)];
        outlines.iter().any(|outline| images.image(*outline)[(1, 40)].0[..3] == seen.0)
    };
    let wait_for_outline = |cell: Cell, other: Cell| {
        wait(&format!("the outline of {cell} and not of {other} at {pixel:?}"), || {
            (is_outlined(cell) && !is_outlined(other)).then_some(())
        });
    };
    play.screen.point(pixel);
    wait_for_outline(picked, ground);
    play.screen.press_key(Key::SHIFT);
    wait_for_outline(ground, picked);
    play.screen.release_key(Key::SHIFT);
    wait_for_outline(picked, ground);
}
