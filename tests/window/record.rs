//! Records the animation of the README from the real window.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use image::buffer::ConvertBuffer;
use image::imageops::{FilterType, resize};
use image::{RgbImage, RgbaImage};
use libtest_mimic::Trial;

use emberwalk_picture::animation::{FrameTimes, encode_gif};

use crate::play::Play;
use crate::requirements;
use crate::screen::Key;

/// The window, and the width of the animation.
const SIZE: (u32, u32) = (1120, 630);
const WIDTH: u32 = 840;

/// With the last frame, which is shown for a second, the animation takes eight seconds.
const SECONDS: usize = 7;
const FRAMES_PER_SECOND: usize = 10;

/// The file, in the repository.
const FILE: &str = "docs/src/pictures/play.gif";

/// The recording as a test that only runs when it is asked for:
/// `cargo test --release --test window -- --ignored record`.
pub fn trial() -> Trial {
    crate::trial(crate::test("record", record), requirements::missing()).with_ignored_flag(true)
}

fn record() {
    let mut play = Play::with(&["valley"]);
    play.resize(SIZE);
    play.press("Button", "Close");
    let map = crate::picture::map("valley");
    let goal = play.place(map.size()).pixel(map.castle().expect("a castle"));
    let letter = |letter| play.screen.key(Key::letter(letter));
    let begun = Instant::now();
    let mut frames = Vec::new();
    for frame in 0..SECONDS * FRAMES_PER_SECOND {
        match frame {
            2 => play.screen.point(goal),
            5 => play.click(goal),
            9 => letter('v'),
            40 => play.screen.key(Key::TAB),
            42 | 44 => letter(']'),
            _ => {}
        }
        let due = Duration::from_millis((1000 * frame / FRAMES_PER_SECOND) as u64);
        thread::sleep(due.saturating_sub(begun.elapsed()));
        frames.push(play.pixels());
    }
    let took = begun.elapsed();
    let height = WIDTH * SIZE.1 / SIZE.0;
    let reduced = |frame: &RgbImage| resize(frame, WIDTH, height, FilterType::CatmullRom).convert();
    let frames: Vec<RgbaImage> = frames.iter().map(reduced).collect();
    let times = FrameTimes {
        count: frames.len(),
        per_second: FRAMES_PER_SECOND as u16,
        last_frame_length: FRAMES_PER_SECOND as u16,
    };
    let gif = encode_gif(times, &mut |frame| frames[frame].clone()).expect("it is small");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    println!("{} bytes after {:?}", gif.len(), took);
    std::fs::write(&file, gif).expect("the folder is there");
}
