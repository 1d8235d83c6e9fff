//! Files that are saved while the window is open.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use emberwalk_path::grid::Size;
use emberwalk_picture::scene::Look;

use crate::Test;
use crate::picture::{Expected, map};
use crate::play::{FIRST_SIZE, Place, Play, wait};
use crate::player_input::pause_animation;
use crate::screen::Key;

pub fn tests() -> Vec<Test> {
    tests![
        a_saved_map_is_shown,
        a_saved_tile_is_shown,
        errors_are_shown_until_they_are_fixed,
        a_click_on_an_error_shows_its_cell,
        a_window_of_a_bad_map_opens_with_its_errors,
    ]
}

/// A map with this number of rows and this overlay in the first.
fn drawn(first: &str, rows: usize) -> String {
    let base = vec!["GSGDGG"; rows];
    let mut overlay = vec!["......"; rows];
    overlay[0] = first;
    format!("(name: \"Mine\", base: {base:?}, overlay: {overlay:?})")
}

fn write(path: impl AsRef<Path>, text: &str) {
    fs::write(path, text).expect("it can be written");
}

fn a_saved_map_is_shown() {
    let play = Play::with_map(&drawn("1....2", 4), &["--still", "--plain"]);
    let path = play.map_file();
    let look = |name: &str| Expected::embedded(&map(&path), Look::Plain, name);
    let mut place = Place::first(Size::new(6, 4), FIRST_SIZE);
    look("reload-first").wait_for(&play, place);

    write(&path, &drawn("1.WW.2", 4));
    look("reload-in-place").wait_for(&play, place);

    // Many editors save a file by renaming a new one.
    let new_file = format!("{path}~");
    write(&new_file, &drawn("1RRv.2", 4));
    fs::rename(&new_file, &path).expect("it can be renamed");
    look("reload-renamed").wait_for(&play, place);

    // Rows in the south leave all others where they are.
    write(&path, &drawn("1RRv.2", 5));
    place.map.height = 5;
    look("reload-larger").wait_for(&play, place);
}

fn a_saved_tile_is_shown() {
    let folder = TempDir::new().expect("there is room for a folder");
    let assets = folder.path().to_str().expect("it is text");
    let mut play = Play::with_map(&drawn("1....2", 4), &["--plain", "--assets", assets]);
    let red = |play: &Play| play.pixels().pixels().filter(|pixel| pixel.0 == [201, 3, 7]).count();
    assert_eq!(red(&play), 0);
    let grass = folder.path().join("l1_terrain001.png");
    // A file that appears whole is one change, however long writing it takes.
    let elsewhere = TempDir::new_in(folder.path().parent().expect("a folder is in another")).expect("there is room");
    let written = elsewhere.path().join("grass.png");
    image::RgbaImage::from_pixel(54, 54, image::Rgba([201, 3, 7, 255])).save(&written).expect("it can be saved");
    fs::rename(&written, &grass).expect("it is on the same disk");
    wait("red grass", || (red(&play) > 1000).then_some(()));
    fs::remove_file(&grass).expect("it can be removed");
    wait("green grass", || (red(&play) == 0).then_some(()));
    // Once at first, and once for each change.
    assert_eq!(play.program.count(" embedded: "), 3, "{}", play.program.output());
}

fn errors_are_shown_until_they_are_fixed() {
    let mut play = Play::with_map(&drawn("1....2", 4), &[]);
    let path = play.map_file();
    let good = pause_animation(&play);
    write(&path, &drawn("1..?.2", 4));
    play.program.wait_for_line("map rejected");
    let warning_pixels = |play: &Play| play.pixels().pixels().filter(|pixel| pixel.0 == [255, 155, 133]).count();
    wait("a panel with the errors", || (warning_pixels(&play) > 20).then_some(()));
    let bad = play.pixels();
    let changed = good.pixels().zip(bad.pixels()).filter(|(good, bad)| good != bad).count();
    assert!(changed * 3 < good.pixels().len(), "the map is still seen: {changed} pixels changed");
    play.key(Key::ESCAPE);
    play.control("Button", "mine.ron has 1 error");
    write(&path, &drawn("1....2", 4));
    play.program.wait_for_line("map loaded");
    wait("the map as it was", || (play.pixels() == good).then_some(()));
}

fn a_click_on_an_error_shows_its_cell() {
    /// The colour of the stripes around a marked cell.
    const STRIPE: [u8; 3] = [255, 225, 75];
    let mut play = Play::with_map(&drawn("1....2", 4), &[]);
    let path = play.map_file();
    pause_animation(&play);
    write(&path, &drawn("1....?", 4));
    play.program.wait_for_line("map rejected");
    let stripes = |play: &Play, (x, y): (i32, i32)| {
        let picture = play.pixels();
        let near = |pixel: &(u32, u32)| pixel.0.abs_diff(x as u32) < 60 && pixel.1.abs_diff(y as u32) < 40;
        let pixels = picture.enumerate_pixels().filter(|(px, py, _)| near(&(*px, *py)));
        pixels.filter(|(.., pixel)| pixel.0 == STRIPE).count()
    };
    let place = play.place(Size::new(6, 4)).pixel((5, 0).into());
    wait("a mark at the cell", || (stripes(&play, place) > 100).then_some(()));
    play.still_picture();
    // Of what the list of errors leaves free: its first line is near its upper edge.
    let list = play.control("Button", "Fold the list of errors").1 - 24;
    let middle = (56 + (1280 - 56) / 2, (48 + list) / 2);
    play.press("Button", "1:");
    wait("the cell in the middle", || {
        let (x, y) = play.place(Size::new(6, 4)).pixel((5, 0).into());
        (x.abs_diff(middle.0) < 3 && y.abs_diff(middle.1) < 8).then_some(())
    });
}

fn a_window_of_a_bad_map_opens_with_its_errors() {
    let mut play = Play::with_map(&drawn("1..?.2", 4), &[]);
    play.program.wait_until_said(&["map rejected"]);
    write(play.map_file(), &drawn("1....2", 4));
    play.program.wait_for_line("map loaded name=\"Mine\" width=6 height=4");
    play.program.wait_for_line("route found from=0,0 to=5,0 ");
    wait("its name", || (play.title() == "Emberwalk - Mine").then_some(()));
}
