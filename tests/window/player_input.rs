//! Input of the player with mouse and keyboard, and its effects.

use image::RgbImage;

use emberwalk::lessons::LESSONS;
use emberwalk_path::grid::{Cell, Size};

use crate::Test;
use crate::play::{FIRST_SIZE, Place, Play, wait};
use crate::screen::{Button, Input, Key};

pub fn tests() -> Vec<Test> {
    tests![
        it_opens_the_valley_with_a_route_to_the_castle,
        a_click_sends_the_traveller_to_the_cell_at_that_pixel,
        the_outermost_pixels_of_a_cell_belong_to_it,
        a_click_counts_where_it_was_made_even_if_the_pointer_moves_on,
        after_zooming_a_click_sets_the_cell_under_the_pointer,
        hovering_shows_the_cell_and_logs_nothing,
        page_keys_open_other_maps_and_change_the_title,
        buttons_do_the_same_as_keys,
        escape_closes_the_help_page_then_quits_if_pressed_twice,
        no_control_is_outside_of_its_window,
        the_keyboard_reaches_every_region,
        a_lesson_can_be_done_at_the_keyboard,
        the_last_lesson_is_done_at_the_keyboard_and_escape_closes_it,
        letters_are_typed_after_the_layout_was_switched_by_alt_and_shift,
        on_a_cyrillic_keyboard_letters_and_shortcuts_work_by_their_places,
        the_cell_at_the_tile_cursor_is_said,
        ctrl_and_plus_enlarge_the_text_and_not_the_map,
    ]
}

const TEN: Size = Size::new(10, 10);

/// Pauses all animation, so that only the player changes the picture from now on. Returns the picture.
pub fn pause_animation(play: &Play) -> RgbImage {
    play.letter('m');
    play.still_picture()
}

/// The place of a map of 10 x 10 cells in the first window without panels.
fn figure() -> Place {
    Place::first(TEN, FIRST_SIZE)
}

fn it_opens_the_valley_with_a_route_to_the_castle() {
    let mut play = Play::with(&[] as &[&str]);
    play.program.wait_for_line("goal set cell=19,10");
    let route = play.program.wait_for_line("route found");
    assert!(route.starts_with("route found from=2,10 to=19,10 cost="), "{route}");
    wait("the title", || (play.title() == "Emberwalk - The valley").then_some(()));
    let all = play.program.output();
    assert!(all.contains(" INFO ") && all.contains("map loaded name=\"The valley\" width=24 height=20"), "{all}");
    assert!(!all.contains('\u{1b}'), "no colour codes off a terminal: {all}");
    assert!(!all.contains("WARN emberwalk") && !all.contains("ERROR emberwalk"), "{all}");
}

fn a_click_sends_the_traveller_to_the_cell_at_that_pixel() {
    let mut play = Play::with(&["figures/road"]);
    let place = play.place(TEN);
    play.click(place.pixel(Cell::new(2, 7)));
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
        assert_eq!(play.next_goal(), cell.to_string(), "{dx},{dy} from the centre of 4,3");
    }
}

fn a_click_counts_where_it_was_made_even_if_the_pointer_moves_on() {
    let mut play = Play::with(&["figures/road"]);
    play.program.wait_for_line("route found");
    let place = play.place(TEN);
    for cells in [[(2, 7), (5, 1)], [(3, 8), (8, 8)], [(0, 0), (4, 9)]] {
        let cells = cells.map(Cell::from);
        play.screen.point((640, 100));
        for cell in cells {
            play.click(place.pixel(cell));
        }
        play.screen.point((100, 100));
        for cell in cells {
            assert_eq!(play.next_goal(), cell.to_string());
        }
    }
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
        play.point(pointer);
        play.screen.click(button);
        play.settle();
        place = place.zoomed(zoom, pointer);
        for cell in cells {
            play.click(place.pixel(cell));
            assert_eq!(play.next_goal(), cell.to_string(), "at zoom {zoom}");
        }
    }
}

fn hovering_shows_the_cell_and_logs_nothing() {
    let mut play = Play::with(&["figures/road"]);
    play.program.wait_for_line("route found");
    let (x, y) = play.place(TEN).pixel(Cell::new(6, 7));
    let still = pause_animation(&play);
    play.point((x, y));
    let differs = |from: (u32, u32), to: (u32, u32)| {
        let now = play.pixels();
        (from.1..to.1).any(|y| (from.0..to.0).any(|x| now[(x, y)] != still[(x, y)]))
    };
    let (x, y) = (x as u32, y as u32);
    wait("the outline of the cell", || differs((x - 52, y - 26), (x + 52, y + 26)).then_some(()));
    wait("the panel that explains the cell", || differs((1000, 64), (1264, 160)).then_some(()));
    let mut lines = play.program.unread_lines();
    // On a busy machine, the window looks for unsaved strokes as late as that.
    lines.retain(|line| !line.contains("nothing to recover"));
    assert_eq!(lines, [""; 0]);
}

fn page_keys_open_other_maps_and_change_the_title() {
    let mut play = Play::with(&["market"]);
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
    play.click(play.place(TEN).pixel(Cell::new(3, 8)));
    play.program.wait_for_line("goal set cell=3,8");
}

fn buttons_do_the_same_as_keys() {
    let mut play = Play::with(&["figures/snow"]);
    play.program.wait_for_line("route found");
    play.press("Button", "Erupt");
    play.program.wait_for_line("eruption on");
    play.press("Button", "Calm");
    play.program.wait_for_line("eruption off");
    play.press("Button", "Go");
    play.program.wait_for_line("goal set cell=8,5");
    play.press("Button", "Back to the tent");
    play.program.wait_for_line("route found from=1,5 to=8,5");
    play.press("RadioButton", "Search");
    play.program.wait_for_line("search recorded");
    play.press("RadioButton", "Race");
    play.program.wait_for_line("race recorded");
    play.press("Button", "Map: Snow");
    play.press("MenuItem", "Next map");
    play.program.wait_for_line("map loaded name=");
}

fn escape_closes_the_help_page_then_quits_if_pressed_twice() {
    let mut play = Play::with(&["figures/road"]);
    // Before that the panels change, which a slow machine may do late.
    play.program.wait_for_line("route found");
    let closed = pause_animation(&play);
    play.letter('h');
    wait("the help", || (play.pixels() != closed).then_some(()));
    play.key(Key::ESCAPE);
    wait("the map without the help", || (play.pixels() == closed).then_some(()));
    play.key(Key::ESCAPE);
    wait("a question", || (play.pixels() != closed).then_some(()));
    assert!(play.program.is_running());
    play.screen.key(Key::ESCAPE);
    assert_eq!(play.program.wait_for_exit().code(), Some(0));
}

fn no_control_is_outside_of_its_window() {
    let name = "M".repeat(100);
    let mut play = Play::with_map(&format!("(name: {name:?}, base: [\"GG\"], overlay: [\"12\"])"), &[]);
    for size in [(480, 800), (320, 240), (800, 600), (1280, 720)] {
        play.resize(size);
        for (role, name) in [("Button", "Go"), ("RadioButton", "Walk"), ("Button", "Look"), ("RadioButton", "Help")] {
            wait("a control inside", || {
                let (x, y) = play.control(role, name);
                ((0..size.0 as i32).contains(&x) && (0..size.1 as i32).contains(&y)).then_some(())
            });
        }
    }
}

fn ctrl_and_plus_enlarge_the_text_and_not_the_map() {
    let play = Play::with_map("(name: \"MMMM\", base: [\"GG\"], overlay: [\"12\"])", &[]);
    let before = pause_animation(&play);
    let map = |picture: &RgbImage| image::imageops::crop_imm(picture, 620, 340, 60, 60).to_image();
    let go = play.control("Button", "Erupt");
    let key = |keys: &[Key]| play.screen.send(&Input::chord(keys));
    // On this keyboard, Shift and = type +.
    key(&[Key::CTRL, Key::SHIFT, Key::letter('=')]);
    wait("a button that is farther down", || (play.control("Button", "Erupt").1 > go.1).then_some(()));
    assert!(map(&play.pixels()).width() == map(&before).width());
    key(&[Key::CTRL, Key::letter('0')]);
    wait("the button where it was", || (play.control("Button", "Erupt") == go).then_some(()));
}

fn the_keyboard_reaches_every_region() {
    let mut play = Play::with(&["figures/snow"]);
    play.program.wait_for_line("route found");
    // The bar: the map's menu, then Go, then Erupt.
    play.keys(&[Key::F6, Key::RIGHT, Key::RIGHT, Key::ENTER]);
    play.program.wait_for_line("eruption on");
    // Escape goes back to the map, where the arrows move the tile cursor.
    play.keys(&[Key::ESCAPE, Key::UP, Key::UP, Key::ENTER]);
    play.program.wait_for_line("goal set cell=1,4");
    play.key(Key::SPACE);
    play.program.wait_for_line("goal set cell=8,5");
    play.letter('r');
    play.program.wait_for_line("route found from=1,5 to=8,5 ");
}

fn a_lesson_can_be_done_at_the_keyboard() {
    let mut play = Play::with(&["valley"]);
    play.key(Key::F8);
    play.program.wait_for_line("lesson opened");
    play.control("Button", "Across the meadow");
    play.wait_for_focus("Button", "Next");
    play.letter('1');
    play.program.wait_for_line("lesson answered");
    try_at_the_keyboard(&mut play, "A*");
    play.program.wait_for_line("search recorded algorithm=astar");
}

fn the_last_lesson_is_done_at_the_keyboard_and_escape_closes_it() {
    let mut play = Play::with(&["valley"]);
    play.key(Key::F8);
    play.program.wait_for_line("lesson opened");
    play.wait_for_focus("Button", "Next");
    for next in 2..=LESSONS.len() {
        play.key(Key::ENTER);
        play.program.wait_for_line(&format!("lesson opened number={next}"));
    }
    // There is no next lesson. Enter once too often does nothing, and the answers are above the buttons.
    play.keys(&[Key::ENTER, Key::UP]);
    play.wait_for_focus("Button", "Back");
    play.key(Key::UP);
    play.wait_for_focus("Button", "Wait in the tent until the snow is warm");
    play.key(Key::ENTER);
    play.program.wait_for_line("lesson answered answer=3 is_right=false");
    play.program.wait_for_line("eruption announced seconds=5");
    // The answers are disabled, and the chosen one keeps the focus.
    play.wait_for_focus("Button", "Wait in the tent until the snow is warm, your answer");
    play.keys(&[Key::ENTER, Key::UP]);
    play.wait_for_focus("Button", "Close");
    play.key(Key::ESCAPE);
    play.program.wait_for_line("map loaded name=\"The valley");
}

fn letters_are_typed_after_the_layout_was_switched_by_alt_and_shift() {
    let mut play = Play::with(&["valley"]);
    play.program.wait_for_line("route found");
    play.with_ctrl('o');
    play.screen.send(&[
        Input::PressKey(Key::ALT),
        Input::PressKey(Key::SHIFT),
        Input::ReleaseKey(Key::ALT),
        Input::ReleaseKey(Key::SHIFT),
    ]);
    play.type_text("realm");
    play.key(Key::ENTER);
    play.program.wait_for_line("map loaded name=\"The realm");
}

fn on_a_cyrillic_keyboard_letters_and_shortcuts_work_by_their_places() {
    let mut play = Play::with(&["figures/snow"]);
    play.program.wait_for_line("route found");
    play.screen.replace_letters(&[('v', 'м'), ('o', 'щ'), ('a', 'ф')]);
    let key = Key::other_letter;
    play.key(key('м'));
    play.program.wait_for_line("eruption on");
    play.screen.send(&Input::chord(&[Key::CTRL, key('щ')]));
    play.settle();
    // The field takes the letters, and selects them all.
    play.keys(&[key('ф'), key('м')]);
    play.screen.send(&Input::chord(&[Key::CTRL, key('ф')]));
    play.type_text("highl");
    play.key(Key::ENTER);
    play.program.wait_for_line("map loaded name=\"The highlands");
}

fn the_cell_at_the_tile_cursor_is_said() {
    let mut play = Play::with(&["figures/road"]);
    play.program.wait_for_line("route found");
    // The first arrow shows the cursor at the traveller.
    play.keys(&[Key::UP, Key::RIGHT]);
    play.control("Status", "2,5 road on grass, cost 0.5");
}

/// Presses a button of what to try after a lesson. It is above the button that has the focus.
fn try_at_the_keyboard(play: &mut Play, name: &str) {
    play.control("Button", name);
    let is_there = || play.program.last_of("focus ").is_some_and(|line| line.contains(&format!("name={name:?}")));
    for _ in 0..8 {
        if !is_there() {
            play.key(Key::UP);
        }
    }
    play.key(Key::ENTER);
}
