//! Input of the player with mouse and keyboard, and its effects.

use std::fs;
use std::thread;
use std::time::Duration;

use image::RgbImage;

use emberwalk_path::grid::{Cell, Size};

use crate::play::{FIRST_SIZE, Place, Play, wait};
use crate::screen::{Button, Key};
use crate::{Test, test};

pub fn tests() -> Vec<Test> {
    vec![
        test("it_opens_the_valley_with_a_route_to_the_castle", it_opens_the_valley_with_a_route_to_the_castle),
        test(
            "a_click_sends_the_traveller_to_the_cell_at_that_pixel",
            a_click_sends_the_traveller_to_the_cell_at_that_pixel,
        ),
        test("the_outermost_pixels_of_a_cell_belong_to_it", the_outermost_pixels_of_a_cell_belong_to_it),
        test(
            "a_click_counts_where_it_was_made_even_if_the_pointer_moves_on",
            a_click_counts_where_it_was_made_even_if_the_pointer_moves_on,
        ),
        test("v_plans_the_route_again", v_plans_the_route_again),
        test("space_walks_to_the_castle_and_r_goes_back", space_walks_to_the_castle_and_r_goes_back),
        test("arrow_keys_and_enter_set_a_goal_without_a_mouse", arrow_keys_and_enter_set_a_goal_without_a_mouse),
        test(
            "after_zooming_a_click_sets_the_cell_under_the_pointer",
            after_zooming_a_click_sets_the_cell_under_the_pointer,
        ),
        test("hovering_shows_the_cell_and_logs_nothing", hovering_shows_the_cell_and_logs_nothing),
        test("page_keys_open_other_maps_and_change_the_title", page_keys_open_other_maps_and_change_the_title),
        test("buttons_do_the_same_as_keys", buttons_do_the_same_as_keys),
        test(
            "escape_closes_the_help_page_then_quits_if_pressed_twice",
            escape_closes_the_help_page_then_quits_if_pressed_twice,
        ),
        test("the_status_panel_grows_with_a_long_name", the_status_panel_grows_with_a_long_name),
        test("panels_have_all_their_sides_in_the_smallest_window", panels_have_all_their_sides_in_the_smallest_window),
        test("ctrl_and_plus_enlarge_the_text_and_not_the_map", ctrl_and_plus_enlarge_the_text_and_not_the_map),
        test("a_map_of_the_users_is_opened_by_its_path", a_map_of_the_users_is_opened_by_its_path),
    ]
}

const TEN: Size = Size::new(10, 10);

/// Pauses all animation, so that only the player changes the picture from now on. Returns the picture.
pub fn pause_animation(play: &Play) -> RgbImage {
    play.screen.key(Key::letter('m'));
    wait("the animation to pause", || {
        let before = play.pixels();
        thread::sleep(Duration::from_millis(600));
        (play.pixels() == before).then_some(before)
    })
}

/// Returns the place of a map of 10 x 10 cells in the first window.
fn figure() -> Place {
    Place::first(TEN, FIRST_SIZE)
}

fn it_opens_the_valley_with_a_route_to_the_castle() {
    let mut play = Play::with(&[] as &[&str]);
    assert_eq!(play.title(), "Emberwalk - The valley");
    play.program.wait_for_line("goal set cell=19,10");
    let route = play.program.wait_for_line("route found");
    assert!(route.starts_with("route found from=2,10 to=19,10 cost="), "{route}");
    let all = play.program.output();
    assert!(all.contains(" INFO ") && all.contains("map loaded name=\"The valley\" width=24 height=20"), "{all}");
    assert!(!all.contains('\u{1b}'), "no colour codes off a terminal: {all}");
    assert!(!all.contains("WARN emberwalk") && !all.contains("ERROR emberwalk"), "{all}");
}

fn a_click_sends_the_traveller_to_the_cell_at_that_pixel() {
    let mut play = Play::with(&["figures/road"]);
    play.click(figure().pixel(Cell::new(2, 7)));
    play.program.wait_for_line("goal set cell=2,7");
    let route = play.program.wait_for_line("route found");
    assert!(route.starts_with("route found from=1,5 to=2,7 cost=2.414 cells=3 "), "{route}");
    play.program.wait_for_line("arrived cell=2,7");
}

fn the_outermost_pixels_of_a_cell_belong_to_it() {
    let mut play = Play::with(&["figures/road", "--still"]);
    play.program.wait_for_line("route found");
    let place = figure();
    // At zoom 2 a diamond is 104 pixels wide and 52 high about its centre, which lies between pixels.
    let (x, y) = place.pixel(Cell::new(4, 3));
    let own = [(-51, 0), (-51, -1), (50, 0), (50, -1), (0, -26), (-1, -26), (0, 25), (-1, 25)];
    let others = [
        ((-52, -1), Cell::new(4, 2)),
        ((51, -1), Cell::new(5, 3)),
        ((51, 0), Cell::new(4, 4)),
        ((-52, 0), Cell::new(3, 3)),
        ((0, -27), Cell::new(5, 2)),
        ((0, 26), Cell::new(3, 4)),
    ];
    let own = own.map(|shift| (shift, Cell::new(4, 3)));
    for ((dx, dy), cell) in own.into_iter().chain(others) {
        play.click((x + dx, y + dy));
        let said = play.program.wait_for_line("goal set");
        assert_eq!(said, format!("goal set cell={cell}"), "{dx},{dy} from the centre of 4,3");
    }
}

fn a_click_counts_where_it_was_made_even_if_the_pointer_moves_on() {
    let mut play = Play::with(&["figures/road"]);
    play.program.wait_for_line("route found");
    let place = figure();
    for cells in [[(2, 7), (5, 1)], [(3, 8), (8, 8)], [(0, 0), (4, 9)]] {
        let cells = cells.map(Cell::from);
        play.screen.point((640, 100));
        for cell in cells {
            play.click(place.pixel(cell));
        }
        play.screen.point((100, 100));
        for cell in cells {
            assert_eq!(play.program.wait_for_line("goal set"), format!("goal set cell={cell}"));
        }
    }
}

fn v_plans_the_route_again() {
    let mut play = Play::with(&["figures/snow"]);
    let before = play.program.wait_for_line("route found");
    play.screen.key(Key::letter('v'));
    play.program.wait_for_line("eruption on");
    let after = play.program.wait_for_line("route found");
    let cost = |line: &str| line.split("cost=").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<f64>().ok());
    assert!(cost(&after) < cost(&before), "{before}; {after}");
    play.screen.key(Key::letter('v'));
    play.program.wait_for_line("eruption off");
    assert_eq!(cost(&play.program.wait_for_line("route found")), cost(&before));
}

fn space_walks_to_the_castle_and_r_goes_back() {
    let mut play = Play::with(&["figures/road"]);
    play.program.wait_for_line("route found");
    play.screen.key(Key::SPACE);
    play.program.wait_for_line("goal set cell=8,5");
    play.program.wait_for_line("arrived cell=8,5");
    play.screen.key(Key::letter('r'));
    let route = play.program.wait_for_line("route found");
    assert!(route.starts_with("route found from=1,5 to=8,5 "), "{route}");
}

fn arrow_keys_and_enter_set_a_goal_without_a_mouse() {
    let mut play = Play::with(&["figures/road"]);
    // The first shows the cursor at the traveller's feet, in 1,5.
    for key in [Key::UP, Key::UP, Key::RIGHT] {
        play.screen.key(key);
    }
    play.program.wait_for_line("route found");
    play.screen.key(Key::ENTER);
    play.program.wait_for_line("goal set cell=2,4");
    play.program.wait_for_line("arrived cell=2,4");
}

fn after_zooming_a_click_sets_the_cell_under_the_pointer() {
    let mut play = Play::with(&["figures/road", "--still"]);
    play.program.wait_for_line("route found");
    let mut place = figure();
    let cells = [Cell::new(4, 6), Cell::new(5, 6), Cell::new(4, 5), Cell::new(5, 5)];
    let pointer = place.pixel(cells[0]);
    play.screen.point(pointer);
    for (button, zoom) in [
        (Button::WheelUp, 3.0),
        (Button::WheelUp, 4.0),
        (Button::WheelDown, 3.0),
        (Button::WheelDown, 2.0),
        (Button::WheelDown, 1.0),
        (Button::WheelDown, 0.5),
        (Button::WheelDown, 0.25),
    ] {
        let before = play.pixels();
        play.screen.point(pointer);
        play.screen.click(button);
        wait("another zoom", || (play.pixels() != before).then_some(()));
        place = place.zoomed(zoom, pointer);
        for cell in cells {
            play.click(place.pixel(cell));
            let said = play.program.wait_for_line("goal set");
            assert_eq!(said, format!("goal set cell={cell}"), "at zoom {zoom}");
        }
    }
}

fn hovering_shows_the_cell_and_logs_nothing() {
    let mut play = Play::with(&["figures/road"]);
    play.program.wait_for_line("route found");
    let (x, y) = figure().pixel(Cell::new(6, 7));
    let still = pause_animation(&play);
    play.screen.point((x, y));
    let differs = |from: (u32, u32), to: (u32, u32)| {
        let now = play.pixels();
        (from.1..to.1).any(|y| (from.0..to.0).any(|x| now[(x, y)] != still[(x, y)]))
    };
    let (x, y) = (x as u32, y as u32);
    wait("the outline of the cell", || differs((x - 52, y - 26), (x + 52, y + 26)).then_some(()));
    wait("the panel that explains the cell", || differs((1000, 10), (1270, 100)).then_some(()));
    assert_eq!(play.program.unread_lines(), [""; 0]);
}

fn page_keys_open_other_maps_and_change_the_title() {
    let mut play = Play::with(&["valley"]);
    let names = ["The road", "The longer wall", "Snow"];
    for name in names {
        play.screen.key(Key::PAGE_DOWN);
        play.program.wait_for_line(&format!("map loaded name={name:?} width=10 height=10"));
        play.program.wait_for_line("goal set cell=8,5");
        play.program.wait_for_line("route found from=1,5 to=8,5");
        wait("the title", || (play.title() == format!("Emberwalk - {name}")).then_some(()));
    }
    play.screen.key(Key::PAGE_UP);
    play.program.wait_for_line("map loaded name=\"The longer wall\"");
    // A click uses the new map.
    play.click(figure().pixel(Cell::new(3, 8)));
    play.program.wait_for_line("goal set cell=3,8");
}

fn buttons_do_the_same_as_keys() {
    let mut play = Play::with(&["figures/snow"]);
    play.program.wait_for_line("route found");
    // The row of buttons starts somewhere left of the middle, with Go and then Erupt.
    let bottom = FIRST_SIZE.1 as i32 - 20;
    let mut said = Vec::new();
    for x in (20..640).step_by(14) {
        play.click((x, bottom));
        thread::sleep(Duration::from_millis(60));
        said.extend(play.program.unread_lines());
        if said.iter().any(|line| line.contains("eruption on")) {
            break;
        }
    }
    let goals: Vec<_> = said.iter().filter(|line| line.contains("goal set")).collect();
    assert!(!goals.is_empty() && goals.iter().all(|line| line.contains("goal set cell=8,5")), "{said:?}");
    assert!(said.iter().any(|line| line.contains("eruption on")), "{said:?}");
}

fn escape_closes_the_help_page_then_quits_if_pressed_twice() {
    let mut play = Play::with(&["figures/road"]);
    // Before that the panels change, which a slow machine may do late.
    play.program.wait_for_line("route found");
    let closed = pause_animation(&play);
    play.screen.key(Key::letter('h'));
    wait("the help", || (play.pixels() != closed).then_some(()));
    play.screen.key(Key::ESCAPE);
    wait("the map without the help", || (play.pixels() == closed).then_some(()));
    play.screen.key(Key::ESCAPE);
    wait("a question", || (play.pixels() != closed).then_some(()));
    assert!(play.program.is_running());
    play.screen.key(Key::ESCAPE);
    play.screen.key(Key::ESCAPE);
    assert_eq!(play.program.wait_for_exit().code(), Some(0));
}

fn the_status_panel_grows_with_a_long_name() {
    let folder = tempfile::TempDir::new().expect("there is room for a folder");
    let path = folder.path().join("long.ron");
    fs::write(&path, format!("(name: \"{}\", base: [\"GG\"], overlay: [\"12\"])", "M".repeat(100)))
        .expect("it can be written");
    let mut play = Play::with(&[path.as_os_str()]);
    play.resize((480, 800));
    // Left of the text the panel is a little darker than the backdrop.
    const BACKDROP: [u8; 3] = [19, 20, 29];
    let is_text = |pixel: &image::Rgb<u8>| pixel.0.iter().max() > Some(&120);
    wait("all lines in the panel", || {
        let picture = play.pixels();
        let lines: Vec<u32> = (12..200).filter(|y| (15..230).any(|x| is_text(&picture[(x, *y)]))).collect();
        let inside = |y: &u32| picture[(12, *y)].0 != BACKDROP;
        // The name alone has four lines of ten pixels or more, with the state below it.
        (lines.len() > 50 && lines.iter().all(inside)).then_some(())
    });
}

fn panels_have_all_their_sides_in_the_smallest_window() {
    let folder = tempfile::TempDir::new().expect("there is room for a folder");
    let path = folder.path().join("small.ron");
    fs::write(&path, "(name: \"Small\", base: [\"GG\"], overlay: [\"12\"])").expect("it can be written");
    let mut play = Play::with(&[path.as_os_str()]);
    play.resize((320, 240));
    // Behind the panels are only the backdrop and the dark inside of other panels.
    let is_line = |picture: &RgbImage, at: (u32, u32)| picture[at].0[0] > picture[at].0[2].saturating_add(20);
    wait("the status panel", || {
        let picture = play.pixels();
        let (left, top) = ((6..10).any(|x| is_line(&picture, (x, 30))), (6..10).any(|y| is_line(&picture, (30, y))));
        (left && top).then_some(())
    });
    play.screen.key(Key::letter('h'));
    wait("the help page", || {
        let picture = play.pixels();
        let is_side = |columns: std::ops::Range<u32>| columns.into_iter().any(|x| is_line(&picture, (x, 120)));
        (is_side(2..7) && is_side(313..318)).then_some(())
    });
}

fn ctrl_and_plus_enlarge_the_text_and_not_the_map() {
    let folder = tempfile::TempDir::new().expect("there is room for a folder");
    let path = folder.path().join("small.ron");
    fs::write(&path, "(name: \"MMMM\", base: [\"GG\"], overlay: [\"12\"])").expect("it can be written");
    let play = Play::with(&[path.as_os_str()]);
    let before = pause_animation(&play);
    // The name of the map is the first line at the top left, where the small map leaves the window to it.
    let is_text = |picture: &RgbImage, y: u32| (15..200).any(|x| picture[(x, y)].0.iter().max() > Some(&120));
    let letters = |picture: &RgbImage| {
        (0..200).skip_while(|y| !is_text(picture, *y)).take_while(|y| is_text(picture, *y)).count()
    };
    let map = |picture: &RgbImage| image::imageops::crop_imm(picture, 560, 300, 160, 120).to_image();
    let normal = letters(&before);
    assert!(normal > 5, "{normal}");
    let key = |keys: &[Key]| {
        keys.iter().for_each(|key| play.screen.press_key(*key));
        keys.iter().rev().for_each(|key| play.screen.release_key(*key));
    };
    // On this keyboard, Shift and = type +.
    key(&[Key::CTRL, Key::SHIFT, Key::letter('=')]);
    let large = wait("larger letters", || Some(play.pixels()).filter(|picture| letters(picture) > normal));
    assert!(map(&large) == map(&before), "the map is zoomed too");
    key(&[Key::CTRL, Key::letter('0')]);
    wait("letters of the normal size", || (letters(&play.pixels()) == normal).then_some(()));
}

fn a_map_of_the_users_is_opened_by_its_path() {
    let folder = tempfile::TempDir::new().expect("there is room for a folder");
    let path = folder.path().join("mine.ron");
    let map = r#"(name: "My own", base: ["GGGGG", "GSSSG", "GGGGG"], overlay: ["1....", "..W..", "....2"])"#;
    fs::write(&path, map).expect("it can be written");
    let mut play = Play::with(&[path.as_os_str()]);
    assert_eq!(play.title(), "Emberwalk - My own");
    play.program.wait_for_line("route found from=0,0 to=4,2 ");
    play.click(Place::first(Size::new(5, 3), FIRST_SIZE).pixel(Cell::new(2, 0)));
    play.program.wait_for_line("goal set cell=2,0");
}
