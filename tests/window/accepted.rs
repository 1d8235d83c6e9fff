//! Each mode looks as it did when somebody last looked at it and accepted it.
//!
//! The accepted pictures are in `tests/window/accepted`, at a quarter of their size. After a change that is meant, run
//! these tests with `EMBERWALK_ACCEPT=1`, look at the new pictures, and commit them.

use std::path::Path;
use std::thread;
use std::time::Duration;

use image::imageops::{FilterType, resize};
use image::{RgbImage, open};

use crate::Test;
use crate::play::{Play, wait};
use crate::screen::Key;

/// The sizes of the window: one with room for everything, and one with icons alone.
const SIZES: [(u32, u32); 2] = [(1280, 720), (800, 600)];

/// The accepted pictures are smaller by this factor.
const REDUCED: u32 = 4;

/// How much a channel of a reduced pixel may differ, and how many pixels may differ more: drivers round differently.
const TOLERANCE: u8 = 24;
const ALLOWED: f64 = 1.0 / 200.0;

pub fn tests() -> Vec<Test> {
    let modes = ["walk", "search", "race", "paint", "lesson", "help", "maps"];
    let tests = modes.into_iter().flat_map(|mode| SIZES.map(|size| (mode, size)));
    let test = |(mode, (width, height)): (&'static str, (u32, u32))| -> Test {
        let name = format!("{mode}-{width}x{height}");
        (format!("it_looks_as_accepted::{name}"), Box::new(move || it_looks_as_accepted(mode, (width, height), &name)))
    };
    tests.map(test).collect()
}

fn it_looks_as_accepted(mode: &str, size: (u32, u32), name: &str) {
    let mut play = Play::with(&["valley"]);
    play.resize(size);
    play.screen.key(Key::letter('m'));
    // Beside the map, so that no cell is described, not even behind a dialog.
    let beside = (size.0 as i32 / 2, size.1 as i32 - 2);
    play.screen.point(beside);
    thread::sleep(Duration::from_millis(300));
    enter(&play, mode);
    play.screen.point(beside);
    let seen = when_still(&play);
    let reduced = resize(&seen, size.0 / REDUCED, size.1 / REDUCED, FilterType::Triangle);
    let accepted = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/window/accepted").join(format!("{name}.png"));
    if std::env::var_os("EMBERWALK_ACCEPT").is_some() {
        reduced.save(&accepted).expect("the picture can be saved");
        return;
    }
    let expected = open(&accepted).expect("there is an accepted picture").into_rgb8();
    assert_eq!(reduced.dimensions(), expected.dimensions());
    let differs = |(is, expected): (&image::Rgb<u8>, &image::Rgb<u8>)| {
        is.0.iter().zip(expected.0).any(|(is, expected)| is.abs_diff(expected) > TOLERANCE)
    };
    let wrong = reduced.pixels().zip(expected.pixels()).filter(|pair| differs(*pair)).count();
    let allowed = (f64::from(reduced.width() * reduced.height()) * ALLOWED) as usize;
    if wrong > allowed {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let file = folder.join(format!("{name}.png"));
        std::fs::create_dir_all(folder).expect("the folder for temporary files can be made");
        seen.save(&file).expect("a picture can be saved");
        panic!("{wrong} pixels differ from {}, {allowed} may; look at {}", accepted.display(), file.display());
    }
}

/// Opens a mode. Searches are shown some steps after their start, where no time that they took is named.
fn enter(play: &Play, mode: &str) {
    let letter = |letter| play.screen.key(Key::letter(letter));
    match mode {
        "search" => play.screen.key(Key::TAB),
        "race" => letter('b'),
        "paint" => letter('e'),
        "lesson" => play.screen.key(Key::F8),
        "help" => letter('h'),
        "maps" => {
            play.screen.press_key(Key::CTRL);
            letter('o');
            play.screen.release_key(Key::CTRL);
        }
        _ => {}
    }
    if ["search", "race"].contains(&mode) {
        play.control("Button", "Pause");
        play.screen.key(Key::letter('p'));
        play.control("Button", "Play");
        play.screen.key(Key::HOME);
        for _ in 0..20 {
            thread::sleep(Duration::from_millis(60));
            play.screen.key(Key::letter('.'));
        }
    }
}

/// The picture of the window once it has not changed for a second.
fn when_still(play: &Play) -> RgbImage {
    let mut before = play.pixels();
    let mut since = 0;
    wait("a still picture", || {
        thread::sleep(Duration::from_millis(200));
        let now = play.pixels();
        since = if now == before { since + 1 } else { 0 };
        before = now;
        (since >= 5).then_some(())
    });
    before
}
