//! Painting in the real window, by mouse and by keyboard: saving, and what a window leaves that is killed.

use std::fs;
use std::path::PathBuf;

use image::imageops;

use emberwalk::grid::{Cell, Size};

use crate::play::{FIRST_SIZE, Place, Play, wait};
use crate::screen::{Button, Key};
use crate::{Test, test};

pub fn tests() -> Vec<Test> {
    vec![
        test("painting_and_saving_change_only_what_was_painted", painting_and_saving_change_only_what_was_painted),
        test("a_selection_is_copied_and_pasted", a_selection_is_copied_and_pasted),
        test(
            "a_palette_that_would_hide_the_tent_makes_room_and_folds",
            a_palette_that_would_hide_the_tent_makes_room_and_folds,
        ),
        test(
            "a_killed_window_loses_no_stroke_and_offers_them_once",
            a_killed_window_loses_no_stroke_and_offers_them_once,
        ),
    ]
}

const TEN: Size = Size::new(10, 10);

/// A map that was written by hand.
fn text() -> String {
    let base: String = (0..10).map(|_| "  \"GGGGGGGGGG\", // grass\r\n").collect();
    let overlay: String = (0..10).map(|y| format!("  \"..........\", /* row {y} */\r\n")).collect();
    format!("// By hand.\r\n(name: \"Mine\",\r\nbase: [\r\n{base}],\r\noverlay: [\r\n{overlay}])\r\n")
}

/// Returns the text with other rows of the overlay.
fn with_rows(rows: &[(usize, &str)]) -> String {
    rows.iter().fold(text(), |text, (y, row)| {
        text.replace(&format!("\"..........\", /* row {y} */"), &format!("\"{row}\", /* row {y} */"))
    })
}

fn pixel(x: i32, y: i32) -> (i32, i32) {
    Place::first(TEN, FIRST_SIZE).pixel(Cell::new(x, y))
}

fn with_ctrl(play: &Play, letter: char) {
    play.screen.press_key(Key::CTRL);
    play.screen.key(Key::letter(letter));
    play.screen.release_key(Key::CTRL);
}

/// Opens the map in a folder of its own, which must live as long as the window.
fn open() -> (tempfile::TempDir, PathBuf, Play) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("mine.ron");
    fs::write(&file, text()).expect("a file can be written");
    let play = Play::with(&[&file]);
    (folder, file, play)
}

/// Paints walls from 5,1 to 8,1 and then to 8,3 with the mouse.
fn paint_walls(play: &mut Play) {
    let palette = |play: &Play| imageops::crop_imm(&play.pixels(), 0, 100, 300, 500).to_image();
    let before = palette(play);
    play.screen.key(Key::letter('e'));
    wait("the palette", || (palette(play) != before).then_some(()));
    play.screen.key(Key::letter('9'));
    play.screen.point(pixel(5, 1));
    play.screen.press(Button::Left);
    play.screen.point(pixel(8, 1));
    play.screen.point(pixel(8, 3));
    play.screen.release(Button::Left);
    assert_eq!(play.program.wait_for_line("painted"), r#"painted cells=6 terrain="stone wall""#);
    // The frame of the stroke has ended.
    wait("the star", || play.title().ends_with(" *").then_some(()));
}

const WALLS: [(usize, &str); 3] = [(1, ".....WWWW."), (2, "........W."), (3, "........W.")];

fn painting_and_saving_change_only_what_was_painted() {
    let (_folder, file, mut play) = open();
    paint_walls(&mut play);
    // The tile cursor starts in the cell of the traveller.
    play.screen.key(Key::UP);
    play.screen.key(Key::RIGHT);
    play.screen.key(Key::ENTER);
    play.program.wait_for_line("painted cells=1");
    with_ctrl(&play, 'z');
    play.program.wait_for_line("undone");
    with_ctrl(&play, 's');
    play.program.wait_for_line("saved file=");
    assert_eq!(fs::read_to_string(&file).expect("it can be read"), with_rows(&WALLS));
    wait("no star", || (!play.title().ends_with('*')).then_some(()));
}

fn a_selection_is_copied_and_pasted() {
    let (_folder, file, mut play) = open();
    paint_walls(&mut play);
    // The buttons for the selection, which change with it.
    let buttons = |play: &Play| imageops::crop_imm(&play.pixels(), 300, 630, 680, 50).to_image();
    let wait_for_others = |play: &Play, before| wait("other buttons", || (buttons(play) != before).then_some(()));
    let before = buttons(&play);
    for _ in 0..3 {
        play.screen.key(Key::letter('u'));
    }
    wait_for_others(&play, before);
    let before = buttons(&play);
    play.screen.point(pixel(8, 1));
    play.screen.press(Button::Left);
    play.screen.point(pixel(8, 3));
    play.screen.release(Button::Left);
    wait_for_others(&play, before);
    let before = buttons(&play);
    with_ctrl(&play, 'c');
    with_ctrl(&play, 'v');
    wait_for_others(&play, before);
    play.click(pixel(5, 6));
    assert_eq!(play.program.wait_for_line("painted"), r#"painted cells=3 terrain="paste""#);
    with_ctrl(&play, 's');
    play.program.wait_for_line("saved file=");
    let rows = [&WALLS[..], &[(5, ".....W...."), (6, ".....W...."), (7, ".....W....")]].concat();
    assert_eq!(fs::read_to_string(&file).expect("it can be read"), with_rows(&rows));
    assert!(!play.program.output().contains("eruption"), "Ctrl+V is not V");
}

fn a_palette_that_would_hide_the_tent_makes_room_and_folds() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("mine.ron");
    fs::write(&file, with_rows(&[(0, "1.........")])).expect("a file can be written");
    let play = Play::with(&[&file]);
    // The eastern corner of the map moves to the west when the map is shown beside the palette.
    let corner = pixel(9, 9);
    let is_map = |play: &Play| play.pixels()[(corner.0 as u32, corner.1 as u32)].0.iter().max() > Some(&60);
    wait("the map", || is_map(&play).then_some(()));
    play.screen.key(Key::letter('e'));
    wait("room for the palette", || (!is_map(&play)).then_some(()));
    play.screen.key(Key::F2);
    wait("the palette to fold", || is_map(&play).then_some(()));
    play.screen.key(Key::F2);
    wait("the palette to unfold", || (!is_map(&play)).then_some(()));
    play.screen.key(Key::letter('e'));
    wait("the end of painting", || is_map(&play).then_some(()));
}

fn a_killed_window_loses_no_stroke_and_offers_them_once() {
    let (_folder, file, mut play) = open();
    paint_walls(&mut play);
    play.restart(&[&file]);
    assert_eq!(fs::read_to_string(&file).expect("it can be read"), text());
    assert!(play.program.output().contains("recovery offered"), "{}", play.program.output());
    play.screen.key(Key::ENTER);
    play.program.wait_for_line("recovered");
    with_ctrl(&play, 's');
    play.program.wait_for_line("saved file=");
    assert_eq!(fs::read_to_string(&file).expect("it can be read"), with_rows(&WALLS));
    play.restart(&[&file]);
    assert!(!play.program.output().contains("recovery offered"), "{}", play.program.output());
}
