//! Where there can be no window the program says so and ends; it does not panic.

use std::fs;
use std::process::Output;

use tempfile::TempDir;

use crate::program::command;
use crate::screen::Screen;
use crate::{Test, test};

/// What can be tested on every machine.
pub fn without_a_screen() -> Vec<Test> {
    vec![
        test("without_a_display_it_says_so", without_a_display_it_says_so),
        test("with_a_display_that_does_not_answer_it_says_so", with_a_display_that_does_not_answer_it_says_so),
        test("a_bad_map_is_told_before_a_missing_display", a_bad_map_is_told_before_a_missing_display),
    ]
}

/// What needs a screen.
pub fn with_a_screen() -> Vec<Test> {
    vec![
        test("without_a_graphics_adapter_it_says_so", without_a_graphics_adapter_it_says_so),
        test("the_still_picture_has_no_place_for_faults", the_still_picture_has_no_place_for_faults),
    ]
}

/// Checks that the program has refused with these words.
fn check(output: &Output, words: &[&str]) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    for words in words {
        assert!(said.contains(words), "`{words}` is missing:\n{said}");
    }
    assert!(!said.contains("panicked") && !said.contains("RUST_BACKTRACE"), "{said}");
    assert!(output.stdout.is_empty());
}

fn without_a_display_it_says_so() {
    let folder = TempDir::new().expect("there is room for a folder");
    let output = command(None, folder.path(), &[] as &[&str]).output().expect("the program can be started");
    check(&output, &["display", "`emberwalk render`", "`emberwalk route`"]);
}

fn with_a_display_that_does_not_answer_it_says_so() {
    let folder = TempDir::new().expect("there is room for a folder");
    let output = command(Some(":4242"), folder.path(), &["valley"]).output().expect("the program can be started");
    check(&output, &["display", "`emberwalk render`"]);
}

fn without_a_graphics_adapter_it_says_so() {
    let (folder, screen) = (TempDir::new().expect("there is room for a folder"), Screen::open());
    let mut command = command(Some(screen.name()), folder.path(), &["valley"]);
    command.env("VK_DRIVER_FILES", "/nowhere.json").env("VK_ICD_FILENAMES", "/nowhere.json");
    let output = command.output().expect("the program can be started");
    check(&output, &["graphics adapter", "`emberwalk render`", "`emberwalk route`"]);
}

fn the_still_picture_has_no_place_for_faults() {
    let (folder, screen) = (TempDir::new().expect("there is room for a folder"), Screen::open());
    fs::write(folder.path().join("bad.ron"), "(name: \"Bad\", base: [\"gG\"], overlay: [\"..\"])")
        .expect("it can be written");
    let mut command = command(Some(screen.name()), folder.path(), &["bad.ron", "--still"]);
    check(&command.output().expect("the program can be started"), &["bad.ron", "unknown terrain 'g' at 0,0"]);
}

fn a_bad_map_is_told_before_a_missing_display() {
    let folder = TempDir::new().expect("there is room for a folder");
    fs::write(folder.path().join("bad.ron"), "(name: \"Bad\", base: [\"gG\"], overlay: [\"..\"])")
        .expect("it can be written");
    let output = command(None, folder.path(), &["bad.ron"]).output().expect("the program can be started");
    check(&output, &["bad.ron", "unknown terrain 'g' at 0,0"]);
}
