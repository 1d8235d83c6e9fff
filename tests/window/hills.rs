//! Hills are drawn as by the painter.

use std::fmt::Write as _;
use std::fs;

use emberwalk_generate::{MapKind, MapSpec, generate};
use emberwalk_path::grid::Size;
use emberwalk_picture::scene::{Look, projection};

use crate::picture::{Expected, map};
use crate::play::{Place, Play};
use crate::screen::{Button, Key};
use crate::{Test, test};

/// A window in which the maps of the tests have zoom 1.
const WINDOW: (u32, u32) = (1101, 801);

pub fn tests() -> Vec<Test> {
    let mut tests = tests![ground_that_rises_is_drawn_again];
    for (word, look) in [("plain", Look::Plain), ("full", Look::Full)] {
        let name = format!("hills_are_drawn_as_by_the_painter::{word}");
        tests.push(test(name, move || hills_are_drawn_as_by_the_painter(look)));
        let name = format!("rugged_ground_is_drawn_as_by_the_painter::{word}");
        tests.push(test(name, move || rugged_ground_is_drawn_as_by_the_painter(look)));
    }
    tests
}

/// Opens the text of a map without animation, in [`WINDOW`].
fn open(text: &str, look: Look) -> Play {
    let plain: &[&str] = if look == Look::Plain { &["--plain"] } else { &[] };
    let mut play = Play::with_map(text, &[&["--still"], plain].concat());
    play.resize(WINDOW);
    play
}

/// Compares the window with the painter while the volcanoes are dormant and while they erupt, and at three zooms.
fn compare(text: &str, look: Look, name: &str) {
    let mut play = open(text, look);
    let mut map = map(&play.map_file());
    let first = Place::first_of(projection(&map), WINDOW);
    assert_eq!(first.zoom, 1.0);
    Expected::embedded(&map, look, &format!("{name} {look:?} dormant")).wait_for(&play, first);
    assert!(!map.erupt_all().is_empty(), "{name} has a volcano");
    play.screen.key(Key::letter('v'));
    play.program.wait_for_line("eruption on");
    let erupting = Expected::embedded(&map, look, &format!("{name} {look:?} erupting"));
    erupting.wait_for(&play, first);
    let pixel = (507, 433);
    play.screen.point(pixel);
    let mut place = first;
    for (button, zoom) in [(Button::WheelUp, 2.0), (Button::WheelDown, 1.0), (Button::WheelDown, 0.5)] {
        play.screen.click(button);
        place = place.zoomed(zoom, pixel);
        erupting.wait_for(&play, place);
    }
}

fn hills_are_drawn_as_by_the_painter(look: Look) {
    for seed in [4, 19] {
        let spec = MapSpec { kind: MapKind::Highlands, size: Size::new(20, 19), seed, hills: 7, name: None };
        let text = generate(&spec, &mut |_| {}).expect("there are such maps");
        compare(&text, look, &format!("highlands {seed}"));
    }
}

/// A map in which any terrain may be at any level.
fn rugged(levels: impl Fn(u32, u32) -> u32) -> String {
    let mix = |x: u32, y: u32, salt: u32| {
        let mixed = (x * 73 + y * 1013 + salt).wrapping_mul(0x9E37_79B9);
        (mixed ^ (mixed >> 15)).wrapping_mul(0x85EB_CA6B) >> 16
    };
    let rows = |cell: &dyn Fn(u32, u32) -> char| {
        (0..14).fold(String::new(), |mut rows, y| {
            let row: String = (0..15).map(|x| cell(x, y)).collect();
            write!(rows, "{row:?}, ").expect("a string takes any text");
            rows
        })
    };
    let pick = |letters: &str, k: u32| letters.chars().nth(k as usize % letters.len()).expect("there are letters");
    let is_end = |x: u32, y: u32| [(3, 4), (11, 9)].contains(&(x, y));
    let base = rows(&|x, y| if is_end(x, y) { 'G' } else { pick("GGGSD~", mix(x / 2, y / 2, 1)) });
    let overlay = rows(&|x, y| match (x, y) {
        (3, 4) => '1',
        (11, 9) => '2',
        (7, 6) => 'v',
        _ => pick(".......TTFMWR", mix(x, y, 2)),
    });
    let heights = rows(&|x, y| char::from_digit(levels(mix(x, y, 3), mix(x / 3, y / 3, 4)), 10).expect("a level"));
    format!(r#"(name: "Rugged", base: [{base}], overlay: [{overlay}], heights: [{heights}])"#)
}

fn rugged_ground_is_drawn_as_by_the_painter(look: Look) {
    compare(&rugged(|cell, _| cell % 10), look, "spikes");
    compare(&rugged(|cell, area| area % 6 + cell % 2), look, "terraces");
}

fn ground_that_rises_is_drawn_again() {
    let text = rugged(|cell, area| area % 5 + cell % 2);
    let play = open(&text, Look::Full);
    let path = play.map_file();
    let first = projection(&map(&path));
    let wait = |name: &str| {
        let map = map(&path);
        // The cells stay where they are, so a higher hill makes the picture larger upwards.
        let mut place = Place::first_of(first, WINDOW);
        place.corner.1 -= projection(&map).headroom() - first.headroom();
        Expected::embedded(&map, Look::Full, name).wait_for(&play, place);
    };
    wait("before it rises");
    let heights = text.find("heights").expect("it has heights");
    let row = heights + text[heights..].find("\", \"").expect("it has several rows") + 4;
    // The eighth row, of which some cells rise to the level of the highest, then above it.
    let at = row + 7 * 19;
    for (columns, levels) in [(4..7, "555"), (5..6, "0"), (9..11, "98"), (9..11, "00")] {
        let mut changed = fs::read_to_string(&path).expect("the file is there");
        changed.replace_range(at + columns.start..at + columns.end, levels);
        fs::write(&path, changed).expect("a file can be written");
        wait(&format!("with {levels}"));
    }
}
