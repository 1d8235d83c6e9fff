//! The race: two halves of the window that show the same place.

use std::fs;

use emberwalk_path::grid::{Cell, Size};
use emberwalk_picture::scene::Look;

use crate::Test;
use crate::picture::{Expected, map};
use crate::play::{FIRST_SIZE, Place, Play, wait};
use crate::screen::{Button, Key};

pub fn tests() -> Vec<Test> {
    tests![
        each_half_shows_the_picture_of_the_painter,
        both_halves_show_the_same_place,
        a_click_in_either_half_sets_the_cell_seen_there,
        a_race_survives_a_window_of_a_few_pixels,
    ]
}

const TEN: Size = Size::new(10, 10);

fn each_half_shows_the_picture_of_the_painter() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    // Wide enough for all of a picture in each half; the zooms are 2, 1 and less.
    let window = (1600, 350);
    let half = ((window.0 - 2) / 2, window.1);
    for (width, height) in [(4, 3), (7, 6), (24, 20)] {
        // Without a goal there are no searches, which would fade what stands on the map.
        let base = vec!["GSD~".chars().cycle().take(width).collect::<String>(); height];
        let overlay = vec!["..WTM.F".chars().cycle().take(width).collect::<String>(); height];
        let path = folder.path().join(format!("race-{width}.ron"));
        let text = format!(r#"(name: "Stripes", base: {base:?}, overlay: {overlay:?})"#);
        fs::write(&path, text).expect("a file can be written");
        let path = path.to_str().expect("a path of letters");
        let mut play = Play::with(&[path, "--still"]);
        play.resize(window);
        play.screen.key(Key::letter('b'));
        let map = map(path);
        let expected = Expected::embedded(&map, Look::Full, &format!("race-{width}"));
        let left = Place::first(map.size(), half);
        let right = Place { corner: (left.corner.0 + (window.0 - half.0) as i32, left.corner.1), ..left };
        for place in [left, right] {
            expected.wait_for(&play, place);
        }
        play.screen.key(Key::letter('b'));
        expected.wait_for(&play, Place::first(map.size(), window));
    }
}

fn both_halves_show_the_same_place() {
    let mut play = Play::with(&["figures/snow"]);
    play.letter('m');
    play.letter('b');
    play.program.wait_for_line("race recorded");
    play.key(Key::HOME);
    let places = play.places(TEN);
    let (left, apart) = (60, (places[1].corner.0 - places[0].corner.0) as u32);
    for steps in 0..4 {
        // Pressing keys in both directions goes through the zooms 1, 2, 1 and 1/2.
        let zoom = ['=', '-', '-'];
        if steps > 0 {
            play.letter(zoom[steps - 1]);
        }
        wait("the same pixels in both halves", || {
            let seen = play.pixels();
            // The panels are above and below.
            let at = |x: u32, y: u32| (seen[(x, y)], seen[(x + apart, y)]);
            let (width, height) = (left..left + apart - 16, FIRST_SIZE.1 * 4 / 9..FIRST_SIZE.1 * 3 / 5);
            let mut pairs = height.flat_map(|y| width.clone().map(move |x| (x, y))).map(|(x, y)| at(x, y));
            let is_map = seen[(left + apart / 2, 360)] != seen[(left + 1, 600)];
            (is_map && pairs.all(|(left, right)| left == right)).then_some(())
        });
    }
}

fn a_click_in_either_half_sets_the_cell_seen_there() {
    let mut play = Play::with(&["figures/road"]);
    play.screen.key(Key::letter('b'));
    let recorded = play.program.wait_for_line("race recorded");
    assert!(recorded.starts_with(r#"race recorded left="astar octile" expanded="#), "{recorded}");
    assert!(recorded.contains(r#" right="dijkstra" expanded="#), "{recorded}");
    let places = play.places(TEN);
    for (cell, place) in [(Cell::new(3, 8), places[1]), (Cell::new(5, 1), places[0]), (Cell::new(8, 8), places[1])] {
        play.click(place.pixel(cell));
        assert_eq!(play.next_goal(), cell.to_string());
        play.program.wait_for_line("race recorded");
    }
    // The wheel zooms towards the pointer in the half where that is.
    let pointer = places[1].pixel(Cell::new(5, 5));
    play.screen.point(pointer);
    play.screen.click(Button::WheelUp);
    let zoomed = wait("the next zoom", || Some(play.places(TEN)).filter(|places| places[0].zoom == 2.0));
    let apart = places[1].corner.0 - places[0].corner.0;
    let expected = places[0].zoomed(2.0, (pointer.0 - apart, pointer.1)).corner;
    let off = (zoomed[0].corner.0 - expected.0, zoomed[0].corner.1 - expected.1);
    assert!(off.0.abs() <= 1 && off.1.abs() <= 1, "{off:?}, though half a pixel may be rounded to either side");
    for (place, cell) in zoomed.into_iter().zip([Cell::new(4, 5), Cell::new(4, 6)]) {
        play.click(place.pixel(cell));
        assert_eq!(play.next_goal(), cell.to_string());
    }
}

fn a_race_survives_a_window_of_a_few_pixels() {
    let mut play = Play::with(&["figures/road"]);
    play.screen.key(Key::letter('b'));
    play.program.wait_for_line("race recorded");
    for size in [(3, 40), (1, 1), (320, 240), FIRST_SIZE] {
        play.resize(size);
    }
    let [_, right] = play.places(TEN);
    play.click(right.pixel(Cell::new(4, 7)));
    assert_eq!(play.program.wait_for_line("goal set"), "goal set cell=4,7");
}
