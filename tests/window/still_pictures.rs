//! A still window shows the same picture as the painter.

use emberwalk::agent_images::AgentImages;
use emberwalk_map::{DayTime, Hour, bundled_maps};
use emberwalk_path::StepRules;
use emberwalk_path::time::CrowdTime;
use emberwalk_picture::paint::{PaintOptions, margin, paint};
use emberwalk_picture::scene::{Look, Scene, projection};
use emberwalk_picture::tiles::TileImages;
use emberwalk_world::town::{Places, Town};

use crate::picture::{Expected, map, map_of};
use crate::play::{FIRST_SIZE, Place, Play};
use crate::screen::{Button, Key};
use crate::{Test, set, test};

pub fn tests() -> Vec<Test> {
    let mut tests = tests![
        the_option_erupting_makes_volcanoes_erupt,
        magnified_pixels_are_not_filtered,
        a_drag_moves_the_picture_with_the_pointer,
        the_picture_is_centred_again_after_a_resize,
        a_screenshot_has_the_pixels_of_the_screen,
    ];
    for (word, look) in [("plain", Look::Plain), ("full", Look::Full)] {
        // Some maps are larger than the window at zoom 1. Other tests have hills.
        let whole = bundled_maps().into_iter().filter(|map| !["realm", "highlands", "market"].contains(&map.name));
        tests.extend(whole.map(|map| {
            let name = format!("a_still_window_shows_the_picture_of_the_painter::{}::{word}", map.name);
            test(name, move || a_still_window_shows_the_picture_of_the_painter(map.name, look))
        }));
        let name = format!("below_zoom_1_pixels_are_averaged::{word}");
        tests.push(test(name, move || below_zoom_1_pixels_are_averaged(look)));
        let name = format!("at_half_steps_of_the_zoom_edges_are_averaged::{word}");
        tests.push(test(name, move || at_half_steps_of_the_zoom_edges_are_averaged(look)));
    }
    for (width, height, look) in [
        (32, 32, Look::Full),
        (64, 64, Look::Plain),
        (64, 48, Look::Full),
        (96, 96, Look::Full),
        (256, 256, Look::Full),
    ] {
        let name = format!("tiles_of_other_sizes_are_drawn_as_by_the_painter::{width}x{height}::{look:?}");
        tests.push(test(name, move || tiles_of_other_sizes_are_drawn_as_by_the_painter((width, height), look)));
    }
    for (name, look, hour) in [
        ("valley", Look::Full, "12:00"),
        ("valley", Look::Full, "0:00"),
        ("valley", Look::Full, "20:10"),
        ("figures/bridge", Look::Full, "12:00"),
        ("figures/bridge", Look::Full, "5:40"),
        ("figures/bridge", Look::Plain, "12:00"),
        ("figures/bridge", Look::Plain, "0:00"),
    ] {
        let title = format!("people_are_drawn_as_by_the_painter::{name}::{look:?}::{hour}");
        tests.push(test(title, move || people_are_drawn_as_by_the_painter(name, look, hour)));
    }
    tests
}

/// The arguments for the still picture of a map.
fn still(name: &str, look: Look) -> Vec<&str> {
    let mut arguments = vec![name, "--still"];
    arguments.extend((look == Look::Plain).then_some("--plain"));
    arguments
}

/// A size of the window in which the first view of a map has zoom 1, with odd pixels where there is room for them.
fn size_for_zoom_1(name: &str, picture: (u32, u32)) -> (u32, u32) {
    let with_room = |pixels: u32| (pixels * 5 / 4) | 1;
    if name == "valley" { FIRST_SIZE } else { (with_room(picture.0), with_room(picture.1)) }
}

fn a_still_window_shows_the_picture_of_the_painter(name: &str, look: Look) {
    let mut play = Play::with(&still(name, look));
    let mut map = map(name);
    let size = size_for_zoom_1(name, projection(&map).picture_size());
    if size != play.size() {
        play.resize(size);
    }
    let place = Place::first_of(projection(&map), size);
    assert_eq!(place.zoom, 1.0);
    Expected::embedded(&map, look, &format!("{name} {look:?} 1")).wait_for(&play, place);

    // V erupts what is dormant, or calms what erupts; without a volcano nothing changes.
    let changed = if map.any_dormant() { map.erupt_all() } else { map.calm_all() };
    if !changed.is_empty() {
        play.screen.key(Key::letter('v'));
        play.program.wait_for_line("eruption o");
        Expected::embedded(&map, look, &format!("{name} {look:?} 2")).wait_for(&play, place);
    }
}

fn people_are_drawn_as_by_the_painter(name: &str, look: Look, hour: &str) {
    let mut arguments = still(name, look);
    arguments.extend(["--travellers", "24", "--seed", "5", "--at", "17.3", "--hour", hour, "--erupting"]);
    let mut play = Play::with(&arguments);
    let mut map = map(name);
    map.erupt_all();
    let hour: Hour = hour.parse().expect("it is an hour");
    let places = Places::of(&map, StepRules::default());
    let mut town = Town::new(&map, places, map.start(), 24, &[], 5, DayTime { start: hour, day: None });
    town.advance(CrowdTime::from_seconds(17.3));
    let tiles = TileImages::load(map.tileset(), None).expect("the embedded images are complete");
    let images = AgentImages::find(&tiles, map.tileset());
    let figures = images.painted_together(&map, town.figures().collect(), |_| true, 0);
    let figures: Vec<_> = figures.into_iter().map(|(_, painted)| painted).collect();
    assert_eq!(figures.len(), 24);
    let size = size_for_zoom_1(name, projection(&map).picture_size());
    if size != play.size() {
        play.resize(size);
    }
    let options = PaintOptions { figures: &figures, hour, ..PaintOptions::default() };
    let picture = paint(&map, &Scene::new(map.tileset(), tiles, look), &options);
    let place = Place::first_of(projection(&map), size);
    let expected = Expected::zoomed(&map, picture.clone(), 1, look, &format!("people of {name} {look:?} {hour}"));
    if hour == Hour::NOON || look == Look::Plain {
        return expected.wait_for(&play, place);
    }
    // The light falls on the background, too, which is not part of the picture.
    let margin = margin(map.tileset().tile(), look) as i32;
    let is_opaque = |(x, y): (i32, i32)| {
        let at = (x - place.corner.0 + margin, y - place.corner.1 + margin);
        let pixel = picture.get_pixel_checked(at.0 as u32, at.1 as u32);
        pixel.is_some_and(|pixel| pixel.0[3] == 255)
    };
    expected.wait_for_part(&play, place, [0..size.0, 0..size.1], is_opaque, 0.001);
}

/// A tileset of 64 x 48 pixels has its own scaled images; the others use the embedded images.
fn tiles_of_other_sizes_are_drawn_as_by_the_painter(size: (u32, u32), look: Look) {
    const WINDOW: (u32, u32) = (1590, 931);
    let name = if size.0 > 200 { "small.ron" } else { "figures/both" };
    let set = if size == (64, 48) { set::scaled(64, 48) } else { set::bare(size.0, size.1) };
    let folder = set.path().to_str().expect("a path of letters");
    let text = r#"(name: "Small", base: ["GSD", "G~G"], overlay: ["1V.", "2.W"])"#;
    std::fs::write(set.path().join("small.ron"), text).expect("a file can be written");
    let path = if name == "small.ron" { set.path().join(name) } else { name.into() };
    let path = path.to_str().expect("a path of letters");
    let mut arguments = still(path, look);
    arguments.extend(["--assets", folder]);
    let mut play = Play::with(&arguments);
    play.resize(WINDOW);
    let map = map_of(path, Some(set.path()));
    let place = Place::first_with_tile(map.size(), map.tileset().tile(), WINDOW);
    Expected::with(&map, Some(set.path()), look, &format!("{size:?} {look:?}")).wait_for(&play, place);
}

fn the_option_erupting_makes_volcanoes_erupt() {
    let play = Play::with(&["valley", "--still", "--plain", "--erupting"]);
    let mut map = map("valley");
    map.erupt_all();
    Expected::embedded(&map, Look::Plain, "erupting").wait_for(&play, Place::first(map.size(), FIRST_SIZE));
}

fn magnified_pixels_are_not_filtered() {
    let play = Play::with(&still("figures/eruption", Look::Plain));
    let map = map("figures/eruption");
    let picture = Expected::embedded(&map, Look::Plain, "magnified");
    let mut place = Place::first(map.size(), FIRST_SIZE);
    assert_eq!(place.zoom, 2.0);
    picture.wait_for(&play, place);
    let pixel = (607, 333);
    play.screen.point(pixel);
    for zoom in [3.0, 4.0] {
        play.screen.click(Button::WheelUp);
        place = place.zoomed(zoom, pixel);
        picture.wait_for(&play, place);
    }
    for zoom in [3.0, 2.0, 1.0] {
        play.screen.click(Button::WheelDown);
        place = place.zoomed(zoom, pixel);
        picture.wait_for(&play, place);
    }
}

/// Every window pixel is the mean of the part of the painter's picture that it covers, wherever the map has been
/// dragged.
fn below_zoom_1_pixels_are_averaged(look: Look) {
    const SMALL: (u32, u32) = (800, 600);
    let mut play = Play::with(&still("valley", look));
    play.resize(SMALL);
    let map = map("valley");
    let picture = Expected::embedded(&map, look, &format!("averaged {look:?}"));
    let first = Place::first(map.size(), SMALL);
    assert!(0.69 < first.zoom && first.zoom < 0.7);
    picture.wait_for(&play, first);
    let pixel = (307, 333);
    play.screen.point(pixel);
    play.screen.click(Button::WheelDown);
    let place = first.zoomed(0.5, pixel);
    picture.wait_for(&play, place);
    // In a smaller window, the player can zoom out farther. The centre stays where it is.
    play.resize((SMALL.0 - 400, SMALL.1 - 300));
    let mut place = Place { corner: (place.corner.0 - 200, place.corner.1 - 150), ..place };
    let inside = (pixel.0 - 200, pixel.1 - 150);
    play.screen.point(inside);
    for (button, zoom) in [(Button::WheelDown, 0.25), (Button::WheelDown, 0.25), (Button::WheelUp, 0.5)] {
        play.screen.click(button);
        place = place.zoomed(zoom, inside);
        picture.wait_for(&play, place);
    }
    play.resize(SMALL);
    play.screen.point(pixel);
    play.screen.key(Key::letter('f'));
    picture.wait_for(&play, first);
    play.screen.press(Button::Right);
    for (x, y) in [(307 + 1, 333), (307 + 38, 333 - 19)] {
        play.screen.point((x, y));
        let corner = (first.corner.0 + x - 307, first.corner.1 + y - 333);
        picture.wait_for(&play, Place { corner, ..first });
    }
    play.screen.release(Button::Right);
    // At zoom 1 nothing is averaged.
    play.screen.click(Button::WheelUp);
    let corner = (first.corner.0 + 38, first.corner.1 - 19);
    picture.wait_for(&play, Place { corner, ..first }.zoomed(1.0, (307 + 38, 333 - 19)));
}

/// At 1.5 and 2.5, every window pixel is the mean of the part that it covers, wherever the map has been dragged.
fn at_half_steps_of_the_zoom_edges_are_averaged(look: Look) {
    let mut play = Play::with(&still("figures/both", look));
    let map = map("figures/both");
    let picture = Expected::embedded(&map, look, &format!("half steps {look:?}"));
    for (size, zoom) in [((801, 500), 1.5), ((1319, 730), 2.5)] {
        play.resize(size);
        play.screen.key(Key::letter('f'));
        let first = Place::first(map.size(), size);
        assert_eq!(first.zoom, zoom);
        picture.wait_for(&play, first);
        play.screen.point((307, 333));
        play.screen.press(Button::Right);
        for by in [(1, 0), (38, -19)] {
            play.screen.point((307 + by.0, 333 + by.1));
            let corner = (first.corner.0 + by.0, first.corner.1 + by.1);
            picture.wait_for(&play, Place { corner, ..first });
        }
        play.screen.release(Button::Right);
    }
}

fn a_drag_moves_the_picture_with_the_pointer() {
    let play = Play::with(&still("figures/road", Look::Plain));
    let map = map("figures/road");
    let picture = Expected::embedded(&map, Look::Plain, "dragged");
    let mut place = Place::first(map.size(), FIRST_SIZE);
    picture.wait_for(&play, place);
    play.screen.point((300, 200));
    play.screen.press(Button::Right);
    for pixel in [(310, 190), (420, 133), (337, 279)] {
        play.screen.point(pixel);
    }
    play.screen.release(Button::Right);
    place.corner = (place.corner.0 + 37, place.corner.1 + 79);
    picture.wait_for(&play, place);
    play.screen.point((900, 600));
    play.screen.click(Button::Left);
    picture.wait_for(&play, place);
}

fn the_picture_is_centred_again_after_a_resize() {
    let mut play = Play::with(&still("figures/road", Look::Plain));
    let map = map("figures/road");
    let picture = Expected::embedded(&map, Look::Plain, "resized");
    for size in [FIRST_SIZE, (701, 403), (480, 800), (1599, 999), (367, 250), (1045, 577)] {
        play.resize(size);
        picture.wait_for(&play, Place::first(map.size(), size));
    }
}

fn a_screenshot_has_the_pixels_of_the_screen() {
    let mut play = Play::with(&still("figures/road", Look::Full));
    let map = map("figures/road");
    Expected::embedded(&map, Look::Full, "screenshot").wait_for(&play, Place::first(map.size(), FIRST_SIZE));
    let seen = play.pixels();

    let precious = play.folder().join("emberwalk-001.png");
    std::fs::write(&precious, "precious").expect("a file can be written");
    let mut names = Vec::new();
    for _ in 0..2 {
        play.screen.key(Key::F12);
        let line = play.program.wait_for_line("screenshot saved");
        let name = line.strip_prefix("screenshot saved file=\"").and_then(|rest| rest.strip_suffix('"'));
        names.push(name.unwrap_or_else(|| panic!("{line}")).to_owned());
    }
    assert_eq!(std::fs::read(&precious).expect("it is still there"), b"precious");
    assert_ne!(names[0], names[1]);
    for name in names {
        let picture = image::open(play.folder().join(name)).expect("it is a picture").to_rgb8();
        assert_eq!(picture.dimensions(), seen.dimensions());
        let differ = picture.pixels().zip(seen.pixels()).filter(|(saved, seen)| saved != seen).count();
        assert_eq!(differ, 0, "pixels of the screenshot differ from the screen");
    }
}
