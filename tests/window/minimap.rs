//! The minimap of a real window.

use image::{Rgb, RgbImage};

use crate::Test;
use crate::play::{Play, wait};
use crate::player_input::pause_animation;
use crate::screen::Button;

pub fn tests() -> Vec<Test> {
    tests![a_click_or_a_drag_on_the_minimap_moves_the_view_and_nothing_else]
}

/// The number of columns and rows of the map. Its western half is snow, its eastern half grass.
const SIDE: usize = 200;

/// Waits until the picture has changed and is still, and returns the corners of the box around what is different.
fn changed_box(play: &Play, before: &RgbImage) -> [(i32, i32); 2] {
    wait("another picture", || {
        let now = play.still_picture();
        let changed = || now.enumerate_pixels().filter(|(x, y, pixel)| before[(*x, *y)] != **pixel);
        let (left, right) = (changed().map(|(x, ..)| x).min()?, changed().map(|(x, ..)| x).max()?);
        let (top, bottom) = (changed().map(|(_, y, _)| y).min()?, changed().map(|(_, y, _)| y).max()?);
        Some([(left as i32, top as i32), (right as i32, bottom as i32)])
    })
}

/// Waits until the middle of the window shows ground of this colour.
fn wait_for_ground(play: &Play, what: &str, is_it: fn(Rgb<u8>) -> bool) {
    wait(what, || {
        let picture = play.pixels();
        let near = (-30..30).map(|k| picture[((640 + k) as u32, 330)]);
        (near.filter(|pixel| is_it(*pixel)).count() > 50).then_some(())
    });
}

fn is_snow(Rgb([red, green, _]): Rgb<u8>) -> bool {
    red > 180 && green > 180
}

fn is_grass(Rgb([red, green, blue]): Rgb<u8>) -> bool {
    green > red && green > blue.saturating_add(20)
}

fn a_click_or_a_drag_on_the_minimap_moves_the_view_and_nothing_else() {
    let (base, overlay) = ("S".repeat(SIDE / 2) + &"G".repeat(SIDE / 2), ".".repeat(SIDE));
    let (base, overlay) = (vec![base; SIDE], vec![overlay; SIDE]);
    let mut play = Play::with_map(&format!("(name: \"Two\", base: {base:?}, overlay: {overlay:?})"), &[]);
    play.point((500, 300));
    let before = pause_animation(&play);
    play.with_ctrl('m');
    let [first, last] = changed_box(&play, &before);
    let (width, height) = (last.0 - first.0, last.1 - first.1);
    assert!((150..400).contains(&width) && (80..220).contains(&height), "{first:?} to {last:?}");
    assert!(first.0 > 900 && first.1 > 400, "it is in the lower right corner: {first:?}");
    play.with_ctrl('m');
    wait("the minimap", || (play.pixels() == before).then_some(()));

    play.program.unread_lines();
    let at = |share: i32| (first.0 + width * share / 100, first.1 + height / 2);
    play.click(at(25));
    wait_for_ground(&play, "snow in the west", is_snow);
    play.click(at(75));
    wait_for_ground(&play, "grass in the east", is_grass);
    play.screen.press(Button::Left);
    play.screen.point(at(25));
    wait_for_ground(&play, "snow, by a drag", is_snow);
    play.screen.point(at(75));
    wait_for_ground(&play, "grass, by a drag", is_grass);
    // The southernmost corner of the map is nearest to this place.
    play.screen.point((at(25).0, 715));
    wait_for_ground(&play, "snow, by a drag that leaves the minimap", is_snow);
    play.screen.release(Button::Left);
    let lines = play.program.unread_lines();
    assert!(!lines.iter().any(|line| line.contains("goal set")), "{lines:?}");
}
