//! Overlays: the window draws what `render --show --zoom` does, with the numbers on the cells.

use std::ops::Range;
use std::thread;
use std::time::Duration;

use emberwalk_map::Map;
use emberwalk_path::trace::Recording;
use emberwalk_path::{Algorithm, Field, FieldQuery, Options, Planner, RouteQuery};
use emberwalk_picture::overlay::{CostOverlay, DistanceOverlay, LevelOverlay, Overlay, SearchOverlay};
use emberwalk_picture::paint::{PaintOptions, paint};
use emberwalk_picture::scene::{Look, Scene};
use emberwalk_picture::tiles::TileImages;

use crate::picture::{Expected, map};
use crate::play::Play;
use crate::screen::Key;
use crate::{Test, test};

pub fn tests() -> Vec<Test> {
    vec![
        test("the_search_is_drawn_as_by_the_painter", the_search_is_drawn_as_by_the_painter),
        test("costs_are_drawn_as_by_the_painter", costs_are_drawn_as_by_the_painter),
        test("overlays_on_hills_are_drawn_as_by_the_painter", overlays_on_hills_are_drawn_as_by_the_painter),
        test("buttons_stay_where_they_are_when_lines_appear", buttons_stay_where_they_are_when_lines_appear),
    ]
}

/// A map of 10 x 10 cells with things that stand on it. The first window shows it at zoom 2.
const MAP: &str = "figures/road";

/// A part of the window with neither panels nor the traveller, which the painter does not draw.
const FREE: [Range<u32>; 2] = [620..980, 240..560];

/// How many of the pixels may differ: on edges, the graphics card may round a position to the other side.
const ALLOWED: f64 = 1.0 / 500.0;

fn recording(map: &Map) -> Recording {
    let query = RouteQuery::new(map.start().expect("a tent"), map.castle().expect("a castle"));
    let query = query.with_options(Options::default().with_algorithm(Algorithm::AStar));
    Recording::new(&mut Planner::new(), map.costs(), &query).expect("both ends are passable")
}

/// Opens the map, with the pointer beside it.
fn play(map: &str) -> Play {
    let play = Play::with(&[map, "--algorithm", "astar"]);
    play.screen.point((1275, 600));
    play.screen.key(Key::letter('m'));
    play
}

/// Waits until the window shows the picture of the painter, at the zoom of the window.
fn wait_for(play: &Play, map: &Map, overlay: &dyn Overlay, recording: &Recording, with_route: bool, name: &str) {
    wait_for_part(play, map, overlay, recording, with_route, FREE, name);
}

/// Does the same for a part of the window.
fn wait_for_part(
    play: &Play,
    map: &Map,
    overlay: &dyn Overlay,
    recording: &Recording,
    with_route: bool,
    part: [Range<u32>; 2],
    name: &str,
) {
    let images = TileImages::load(map.tileset(), None).unwrap_or_else(|errors| panic!("{errors}"));
    let place = play.place(map.size());
    let zoom = format!("{}", place.zoom).parse().expect("a zoom of the painter");
    let route = Some(recording.result().cells()).filter(|_| with_route);
    let options = PaintOptions { overlay: Some(overlay), route, zoom, ..PaintOptions::default() };
    let picture = paint(map, &Scene::new(map.tileset(), images, Look::Full), &options);
    Expected::zoomed(picture, place.zoom as u32, Look::Full, name).wait_for_part(play, place, part, ALLOWED);
}

fn the_search_is_drawn_as_by_the_painter() {
    let map = map(MAP);
    let recording = recording(&map);
    let mut play = play(MAP);
    play.screen.key(Key(0xff09)); // Tab
    play.program.wait_for_line("search recorded");
    play.screen.key(Key(0xff50)); // Home
    let steps = recording.len() / 2;
    (0..steps).for_each(|_| play.screen.key(Key::letter('.')));
    wait_for(&play, &map, &SearchOverlay::new(&recording, steps), &recording, false, "search-half");
    // The numbers are above the marks of the route.
    play.screen.key(Key(0xff57)); // End
    wait_for(&play, &map, &SearchOverlay::new(&recording, recording.len()), &recording, true, "search");
}

fn costs_are_drawn_as_by_the_painter() {
    let map = map(MAP);
    let recording = recording(&map);
    let play = play(MAP);
    play.screen.key(Key::letter('o'));
    wait_for(&play, &map, &CostOverlay::new(map.costs()), &recording, true, "cost");
    play.screen.key(Key::letter('o'));
    let mut field = Field::new();
    field.compute(map.costs(), &FieldQuery::to_cell(recording.query().to)).expect("the castle is passable");
    wait_for(&play, &map, &DistanceOverlay::new(&field, map.size()), &recording, true, "distance");
}

/// Hills with cliffs and hidden valleys, of which the first window shows all at zoom 2. The castle, whose flag moves,
/// is outside the part that is compared.
const HILLS: &str = r#"(
    name: "Hills",
    base: ["GGGGSSSS", "GGGGGSSS", "GGG~~GGG", "GGGG~GGG", "GGGGGGDD", "GGSGGGDD", "GGGGGGGG", "GGGGGGGG"],
    overlay: ["...F...M", "...F..W.", "2..F..W.", "..F...W.", "....F...", "T.......", "........", "......1."],
    heights: ["22345678", "12334500", "11233309", "01190232", "00112321", "30001100", "91200000", "02300120"],
)"#;

fn overlays_on_hills_are_drawn_as_by_the_painter() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("hills.ron");
    std::fs::write(&path, HILLS).expect("a file can be written");
    let path = path.to_str().expect("a path of letters");
    let map = map(path);
    let recording = recording(&map);
    let mut play = play(path);
    let next = |play: &Play| play.screen.key(Key::letter('o'));
    let wait_for = |play: &Play, overlay: &dyn Overlay, name: &str| {
        wait_for_part(play, &map, overlay, &recording, true, [700..790, 250..480], name);
    };
    next(&play);
    wait_for(&play, &CostOverlay::new(map.costs()), "hills-cost");
    next(&play);
    let mut field = Field::new();
    field.compute(map.costs(), &FieldQuery::to_cell(recording.query().to)).expect("the castle is passable");
    wait_for(&play, &DistanceOverlay::new(&field, map.size()), "hills-distance");
    next(&play);
    wait_for(&play, &LevelOverlay::new(&map), "hills-levels");
    next(&play);
    play.screen.key(Key(0xff09)); // Tab
    play.program.wait_for_line("search recorded");
    play.screen.key(Key(0xff57)); // End
    wait_for(&play, &SearchOverlay::new(&recording, recording.len()), "hills-search");
}

fn buttons_stay_where_they_are_when_lines_appear() {
    let names = ["To the start", "To the end", "One step forward", "One step back"];
    for (open, recorded) in [(Key(0xff09), "search recorded"), (Key::letter('b'), "race recorded")] {
        let mut play = Play::with(&["valley"]);
        play.screen.point((1275, 600));
        play.screen.key(open);
        play.program.wait_for_line(recorded);
        play.screen.key(Key(0xff50)); // Home
        thread::sleep(Duration::from_secs(1));
        let buttons = |play: &Play| names.map(|name| play.control("Button", name));
        let before = buttons(&play);
        // The result and its proof, or the verdict, appear; then what the eruption has changed.
        play.screen.key(Key(0xff57)); // End
        thread::sleep(Duration::from_secs(1));
        assert_eq!(buttons(&play), before, "at the end");
        play.screen.key(Key::letter('v'));
        play.program.wait_for_line("route changed");
        thread::sleep(Duration::from_secs(1));
        assert_eq!(buttons(&play), before, "after the eruption");
    }
}
