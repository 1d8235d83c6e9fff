//! Each mode looks as it did when somebody last looked at it and accepted it.
//!
//! The accepted pictures are in `tests/window/accepted`, at a quarter of their size. After a change that is meant, run
//! these tests with `EMBERWALK_ACCEPT=1`, look at the new pictures, and commit them.

use std::path::Path;
use std::time::Instant;

use image::imageops::{FilterType, resize};
use image::{RgbImage, open};

use crate::play::Play;
use crate::program::PATIENCE;
use crate::screen::Key;
use crate::{Test, test};

/// The sizes of the window: a window with room for everything, and a window with icons alone.
const SIZES: [(u32, u32); 2] = [(1280, 720), (800, 600)];

/// The accepted pictures are smaller by this factor.
const REDUCED: u32 = 4;

/// How much a channel of a reduced pixel may differ, and how many pixels may differ more: drivers round differently.
const TOLERANCE: u8 = 24;
const ALLOWED: f64 = 1.0 / 200.0;

pub fn tests() -> Vec<Test> {
    let modes = ["walk", "search", "race", "paint", "lesson", "help", "maps"];
    let tests = modes.into_iter().flat_map(|mode| SIZES.map(|size| (mode, size)));
    let tests = tests.map(|(mode, (width, height))| {
        let name = format!("{mode}-{width}x{height}");
        test(format!("it_looks_as_accepted::{name}"), move || it_looks_as_accepted(mode, (width, height), &name))
    });
    tests.collect()
}

fn it_looks_as_accepted(mode: &str, size: (u32, u32), name: &str) {
    let mut play = Play::with(&["valley"]);
    play.resize(size);
    play.letter('m');
    // Beside the map, so that no cell is described, not even behind a dialog.
    let beside = (size.0 as i32 / 2, size.1 as i32 - 2);
    play.point(beside);
    enter(&mut play, mode);
    let accepted = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/window/accepted").join(format!("{name}.png"));
    if std::env::var_os("EMBERWALK_ACCEPT").is_some() {
        reduced(&play.still_picture()).save(&accepted).expect("the picture can be saved");
        return;
    }
    let expected = open(&accepted).expect("there is an accepted picture").into_rgb8();
    assert_eq!((expected.width(), expected.height()), (size.0 / REDUCED, size.1 / REDUCED));
    let allowed = (f64::from(expected.width() * expected.height()) * ALLOWED) as usize;
    let end = Instant::now() + PATIENCE;
    // A picture that is still may wait for what a job prepares.
    loop {
        let seen = play.still_picture();
        let wrong = wrong_pixels(&reduced(&seen), &expected);
        if wrong <= allowed {
            return;
        }
        if Instant::now() >= end {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
            let file = folder.join(format!("{name}.png"));
            std::fs::create_dir_all(folder).expect("the folder for temporary files can be made");
            seen.save(&file).expect("a picture can be saved");
            panic!("{wrong} pixels differ from {}, {allowed} may; look at {}", accepted.display(), file.display());
        }
    }
}

/// A picture of the window in the size of the accepted ones.
fn reduced(seen: &RgbImage) -> RgbImage {
    resize(seen, seen.width() / REDUCED, seen.height() / REDUCED, FilterType::Triangle)
}

/// The number of pixels that differ too much.
fn wrong_pixels(seen: &RgbImage, expected: &RgbImage) -> usize {
    let differs = |(is, expected): (&image::Rgb<u8>, &image::Rgb<u8>)| {
        is.0.iter().zip(expected.0).any(|(is, expected)| is.abs_diff(expected) > TOLERANCE)
    };
    seen.pixels().zip(expected.pixels()).filter(|pair| differs(*pair)).count()
}

/// Opens a mode. Searches are shown some steps after their start, where the panels name no measured time.
fn enter(play: &mut Play, mode: &str) {
    match mode {
        "search" => play.key(Key::TAB),
        "race" => play.letter('b'),
        "paint" => play.letter('e'),
        "lesson" => play.key(Key::F8),
        "help" => play.letter('h'),
        "maps" => play.with_ctrl('o'),
        _ => {}
    }
    if ["search", "race"].contains(&mode) {
        play.program.wait_for_line(&format!("{mode} recorded"));
        play.key(Key::HOME);
        play.control("Button", "Play");
        for _ in 0..20 {
            play.letter('.');
        }
    }
}
