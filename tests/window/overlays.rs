//! Overlays: the window draws what `render --show --zoom` does, but with the numbers on the cells in its own typeface.

use std::ops::Range;

use emberwalk_map::Map;
use emberwalk_path::grid::Cell;
use emberwalk_path::trace::Recording;
use emberwalk_path::{Algorithm, Field, FieldQuery, Options, Planner, RouteQuery};
use emberwalk_picture::overlay::{
    ARROW_BELOW, CostOverlay, DistanceOverlay, FIRST_ABOVE, LevelOverlay, Overlay, PAIR_ASIDE, PAIR_BELOW,
    SearchOverlay,
};
use emberwalk_picture::paint::{PaintOptions, paint};
use emberwalk_picture::scene::{Look, Scene, raised_corner};
use emberwalk_picture::tiles::TileImages;

use crate::Test;
use crate::picture::{Expected, map};
use crate::play::{Place, Play, wait};
use crate::screen::Key;

pub fn tests() -> Vec<Test> {
    tests![
        the_search_is_drawn_as_by_the_painter,
        costs_are_drawn_as_by_the_painter,
        overlays_on_hills_are_drawn_as_by_the_painter,
        buttons_stay_where_they_are_when_lines_appear,
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

/// Opens [`MAP`].
fn play() -> Play {
    let play = Play::with(&[MAP, "--algorithm", "astar"]);
    prepare(&play);
    play
}

/// Moves the pointer beside the map, and stops all animation.
fn prepare(play: &Play) {
    play.screen.point((1275, 600));
    play.screen.key(Key::letter('m'));
}

/// Zooms to 2, where the cells have numbers, and hides the minimap that appears there.
fn zoom_to_2(play: &Play, map: &Map) {
    let zoom = || play.place(map.size()).zoom;
    wait("zoom 2", || {
        if zoom() != 2.0 {
            play.letter(if zoom() < 2.0 { '=' } else { '-' });
        }
        (zoom() == 2.0).then_some(())
    });
    play.with_ctrl('m');
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
    let centres: Vec<_> = map.costs().size().cells().map(|cell| centre_of(cell, map, place)).collect();
    let is_plain =
        |pixel: (i32, i32)| !centres.iter().any(|centre| is_written((pixel.0 - centre.0, pixel.1 - centre.1)));
    Expected::zoomed(map, picture, place.zoom as u32, Look::Full, name)
        .wait_for_part(play, place, part, is_plain, ALLOWED);
}

/// The window pixel in the middle of a cell's ground.
fn centre_of(cell: Cell, map: &Map, place: Place) -> (i32, i32) {
    let (corner, middle) = (raised_corner(map, cell), map.tileset().tile().ground_centre());
    let at = |corner: i32, middle: i32, origin: i32| origin + ((corner + middle) as f64 * place.zoom) as i32;
    (at(corner.0, middle.0, place.corner.0), at(corner.1, middle.1, place.corner.1))
}

/// Whether the window or the painter may write a number or an arrow at this distance from the middle of a cell at zoom 2.
fn is_written((x, y): (i32, i32)) -> bool {
    let near = |across: i32, down: i32, half: (i32, i32)| (x - across).abs() <= half.0 && (y - down).abs() <= half.1;
    let number = (19, 7);
    let [above, below, arrow] = [FIRST_ABOVE, PAIR_BELOW, ARROW_BELOW].map(|share| (share * 26.0).round() as i32);
    let aside = (PAIR_ASIDE * 52.0).round() as i32;
    near(0, -above, number)
        || near(-aside, below, number)
        || near(aside, below, number)
        || near(0, 0, number)
        || near(0, arrow, (9, 9))
}

/// The pixels of the part of the window that have nearly this colour.
fn count_of(play: &Play, [across, down]: [Range<u32>; 2], colour: [u8; 3]) -> usize {
    let pixels = play.pixels();
    let at = down.flat_map(|y| across.clone().map(move |x| (x, y)));
    let is_near = |pixel: &image::Rgb<u8>| pixel.0.iter().zip(colour).all(|(is, wanted)| is.abs_diff(wanted) <= 12);
    at.filter(|(x, y)| is_near(pixels.get_pixel(*x, *y))).count()
}

fn the_search_is_drawn_as_by_the_painter() {
    let map = map(MAP);
    let recording = recording(&map);
    let mut play = play();
    play.screen.key(Key::TAB);
    play.program.wait_for_line("search recorded");
    zoom_to_2(&play, &map);
    play.screen.key(Key::HOME);
    let steps = recording.len() / 2;
    (0..steps).for_each(|_| play.screen.key(Key::letter('.')));
    wait_for(&play, &map, &SearchOverlay::new(&recording, steps), &recording, false, "search-half");
    for (name, colour) in [("g", [0x8E, 0xC5, 0xFF]), ("h", [0xC9, 0xA6, 0xF5]), ("f", [0xF2, 0xC3, 0x6D])] {
        let count = count_of(&play, [60..980, 60..640], colour);
        assert!(count > 100, "{count} pixels have the colour of {name}");
    }
    // The numbers are above the marks of the route.
    play.screen.key(Key::END);
    wait_for(&play, &map, &SearchOverlay::new(&recording, recording.len()), &recording, true, "search");
}

fn costs_are_drawn_as_by_the_painter() {
    let map = map(MAP);
    let recording = recording(&map);
    let play = play();
    play.screen.key(Key::letter('o'));
    wait_for(&play, &map, &CostOverlay::new(map.costs()), &recording, true, "cost");
    play.screen.key(Key::letter('o'));
    let mut field = Field::new();
    field.compute(map.costs(), &FieldQuery::routes_to(recording.query().to)).expect("the castle is passable");
    wait_for(&play, &map, &DistanceOverlay::new(&field, map.size()), &recording, true, "distance");
}

/// Hills with cliffs and hidden valleys, of which the window shows all at zoom 2. The castle, whose flag moves,
/// is outside the part that is compared.
const HILLS: &str = r#"(
    name: "Hills",
    base: ["GGGGSSSS", "GGGGGSSS", "GGG~~GGG", "GGGG~GGG", "GGGGGGDD", "GGSGGGDD", "GGGGGGGG", "GGGGGGGG"],
    overlay: ["...F...M", "...F..W.", "2..F..W.", "..F...W.", "....F...", "T.......", "........", "......1."],
    heights: ["22345678", "12334500", "11233309", "01190232", "00112321", "30001100", "91200000", "02300120"],
)"#;

fn overlays_on_hills_are_drawn_as_by_the_painter() {
    let mut play = Play::with_map(HILLS, &["--algorithm", "astar"]);
    prepare(&play);
    let map = map(&play.map_file());
    let recording = recording(&map);
    zoom_to_2(&play, &map);
    let next = |play: &Play| play.screen.key(Key::letter('o'));
    let wait_for = |play: &Play, overlay: &dyn Overlay, name: &str| {
        wait_for_part(play, &map, overlay, &recording, true, [700..790, 250..480], name);
    };
    next(&play);
    wait_for(&play, &CostOverlay::new(map.costs()), "hills-cost");
    next(&play);
    let mut field = Field::new();
    field.compute(map.costs(), &FieldQuery::routes_to(recording.query().to)).expect("the castle is passable");
    wait_for(&play, &DistanceOverlay::new(&field, map.size()), "hills-distance");
    next(&play);
    wait_for(&play, &LevelOverlay::new(&map), "hills-levels");
    next(&play);
    play.screen.key(Key::TAB);
    play.program.wait_for_line("search recorded");
    play.screen.key(Key::END);
    wait_for(&play, &SearchOverlay::new(&recording, recording.len()), "hills-search");
}

fn buttons_stay_where_they_are_when_lines_appear() {
    let names = ["To the start", "To the end", "One step forward", "One step back"];
    for (open, recorded) in [(Key::TAB, "search recorded"), (Key::letter('b'), "race recorded")] {
        let mut play = Play::with(&["valley"]);
        play.point((1275, 600));
        play.letter('m');
        play.screen.key(open);
        play.program.wait_for_line(recorded);
        play.key(Key::HOME);
        play.still_picture();
        let buttons = |play: &Play| names.map(|name| play.control("Button", name));
        let before = buttons(&play);
        // The result and its proof, or the verdict, appear; then what the eruption has changed.
        play.key(Key::END);
        play.still_picture();
        assert_eq!(buttons(&play), before, "at the end");
        play.letter('v');
        play.program.wait_for_line("route changed");
        play.still_picture();
        assert_eq!(buttons(&play), before, "after the eruption");
    }
}
