//! The window draws a frame only when something has changed.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use emberwalk_path::grid::{Cell, Size};

use crate::Test;
use crate::play::{Play, wait};
use crate::program::PATIENCE;
use crate::screen::{Button, Key};

pub fn tests() -> Vec<Test> {
    tests![
        a_window_in_which_nothing_moves_draws_nothing,
        water_is_drawn_at_its_own_beat,
        a_click_is_shown_in_the_next_frame,
        a_changed_file_wakes_the_window,
        a_window_that_cannot_be_seen_draws_nothing,
        a_held_key_pans_until_it_is_released,
        motion_during_a_frame_wakes_the_window,
    ]
}

const FRAME: &str = "frame drawn";

/// The time for which frames are counted.
const LONG: Duration = Duration::from_secs(10);

/// Longer than the time between two beats on a busy machine.
const SHORT: Duration = Duration::from_secs(3);

/// Opens a window that logs its frames.
fn open(arguments: &[&str]) -> Play {
    Play::with_log(arguments, Some("emberwalk=info,emberwalk::frame=trace,emberwalk::game::ui::inventory=debug"))
}

/// The number of frames that the window draws in some time.
fn frames(play: &mut Play, time: Duration) -> usize {
    let before = play.program.count(FRAME);
    thread::sleep(time);
    play.program.count(FRAME) - before
}

/// Waits until the window draws nothing for this time. On a busy machine, what was begun before may end late.
fn wait_for_sleep(play: &mut Play, time: Duration) {
    let end = Instant::now() + PATIENCE;
    while frames(play, time) > 0 {
        assert!(Instant::now() < end, "the window does not sleep; {}", play.program.output());
    }
}

/// Stops all animation, and waits until the window sleeps.
fn still(play: &mut Play) {
    play.letter('m');
    wait_for_sleep(play, SHORT);
}

fn a_window_in_which_nothing_moves_draws_nothing() {
    let mut play = open(&["valley"]);
    play.letter('m');
    wait_for_sleep(&mut play, LONG);
    // Without figures and water nothing moves either.
    let mut play = open(&["valley", "--still"]);
    wait_for_sleep(&mut play, LONG);
}

fn water_is_drawn_at_its_own_beat() {
    let mut play = open(&["valley"]);
    // The frames of the start are over, and each beat has its own frame. A busy machine draws fewer.
    wait("the beat", || (frames(&mut play, LONG) <= 60).then_some(()));
    play.program.unread_lines();
    (0..10).for_each(|_| drop(play.program.wait_for_line(FRAME)));
}

fn a_click_is_shown_in_the_next_frame() {
    let mut play = open(&["figures/road"]);
    let place = play.place(Size::new(10, 10));
    play.point(place.pixel(Cell::new(2, 7)));
    still(&mut play);
    let before = play.pixels();
    play.screen.click(Button::Left);
    play.program.wait_for_line("goal set");
    play.program.wait_for_line("route found");
    assert!(play.program.next_line().starts_with(FRAME));
    // The traveller walks without further input.
    play.program.wait_for_line("arrived cell=2,7");
    wait("the traveller on the screen", || (play.pixels() != before).then_some(()));
    wait_for_sleep(&mut play, SHORT);
}

fn a_changed_file_wakes_the_window() {
    let folder = tempfile::TempDir::new().expect("there is room for a folder");
    let path = folder.path().join("mine.ron");
    let write = |overlay: &str| {
        let text = format!("(name: \"Mine\", base: [\"GGGGG\", \"GGGGG\"], overlay: [\"1...2\", \"{overlay}\"])");
        fs::write(&path, text).expect("it can be written");
    };
    write(".....");
    let mut play = open(&[path.to_str().expect("it is text")]);
    still(&mut play);
    let before = play.pixels();
    write("..W..");
    wait("the wall", || (play.pixels() != before).then_some(()));
    wait_for_sleep(&mut play, SHORT);
}

fn a_window_that_cannot_be_seen_draws_nothing() {
    let mut play = open(&["figures/road"]);
    let pixel = play.place(Size::new(10, 10)).pixel(Cell::new(2, 7));
    let window = play.window();
    for cover in [false, true] {
        play.click(pixel);
        play.program.wait_for_line("goal set");
        // Mostly, the traveller is still on its way.
        let covering = cover.then(|| play.screen.cover());
        if covering.is_none() {
            play.screen.unmap(window);
        }
        wait_for_sleep(&mut play, LONG);
        match covering {
            Some(covering) => play.screen.unmap(covering),
            None => play.screen.map(window),
        }
        wait("a picture", || play.shows_map().then_some(()));
        play.program.wait_for_line("arrived cell=2,7");
        play.screen.key(Key::letter('r'));
        play.program.wait_for_line("route found");
    }
}

fn a_held_key_pans_until_it_is_released() {
    let mut play = open(&["figures/road"]);
    still(&mut play);
    let before = play.pixels();
    play.screen.press_key(Key::letter('d'));
    wait("another picture", || (play.pixels() != before).then_some(()));
    play.program.unread_lines();
    (0..10).for_each(|_| drop(play.program.wait_for_line(FRAME)));
    play.screen.release_key(Key::letter('d'));
    wait_for_sleep(&mut play, SHORT);
}

/// Moves the pointer again and again while the previous move is being shown. Without a second look for events that the
/// graphics driver has read, about one move of 200 is lost until the next one.
fn motion_during_a_frame_wakes_the_window() {
    let mut play = open(&["figures/road", "--still", "--plain"]);
    play.resize((300, 200));
    wait_for_sleep(&mut play, SHORT);
    play.screen.point((150, 100));
    play.screen.press(Button::Right);
    let ends = [160, 150].map(|x| {
        play.screen.point((x, 100));
        wait_for_sleep(&mut play, SHORT);
        (x, play.pixels())
    });
    assert!(ends[0].1 != ends[1].1, "the map follows the pointer");
    for (step, (x, shown)) in ends.iter().cycle().take(200).enumerate() {
        play.screen.point((*x, 100));
        wait("the map to follow the pointer", || (play.pixels() == *shown).then_some(()));
        thread::sleep(Duration::from_millis(step as u64 * 7 % 60));
    }
}
