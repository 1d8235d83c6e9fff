//! What the player does with mouse and keyboard, and what comes of it.

use std::fs;
use std::thread;
use std::time::Duration;

use image::RgbImage;

use emberwalk::grid::{Cell, Size};

use crate::play::{FIRST_SIZE, Place, Play, wait};
use crate::screen::{Button, Key};
use crate::{Test, test};

pub fn tests() -> Vec<Test> {
    vec![
        test("it_opens_with_the_valley_and_the_way_to_the_castle", it_opens_with_the_valley_and_the_way_to_the_castle),
        test("a_click_at_the_pixel_of_a_cell_sends_the_traveller_there", a_click_sends_the_traveller_there),
        test("the_first_and_last_pixels_of_a_cell_are_its_own", the_first_and_last_pixels_of_a_cell_are_its_own),
        test("a_click_is_where_it_was_made_however_fast_the_pointer_moves_on", a_click_is_where_it_was_made),
        test("v_plans_the_way_again", v_plans_the_way_again),
        test("space_walks_to_the_castle_and_r_goes_back", space_walks_to_the_castle_and_r_goes_back),
        test("arrows_and_enter_do_without_a_mouse", arrows_and_enter_do_without_a_mouse),
        test("after_zooming_a_click_meets_the_cell_that_is_seen", after_zooming_a_click_meets_the_cell_that_is_seen),
        test("hovering_shows_the_cell_and_says_nothing", hovering_shows_the_cell_and_says_nothing),
        test("page_down_and_up_turn_the_maps_and_name_the_window", page_down_and_up_turn_the_maps),
        test("buttons_do_what_keys_do", buttons_do_what_keys_do),
        test("escape_closes_the_help_then_quits", escape_closes_the_help_then_quits),
        test("a_map_of_the_users_is_opened_by_its_path", a_map_of_the_users_is_opened_by_its_path),
    ]
}

const TEN: Size = Size::new(10, 10);

/// Stills all that moves by itself, so that what changes from now on is the player's doing; returns what is seen then.
pub fn stilled(play: &Play) -> RgbImage {
    play.screen.key(Key::letter('m'));
    wait("everything to stand still", || {
        let before = play.pixels();
        thread::sleep(Duration::from_millis(600));
        (play.pixels() == before).then_some(before)
    })
}

/// A figure in the first window.
fn figure() -> Place {
    Place::first(TEN, FIRST_SIZE)
}

fn it_opens_with_the_valley_and_the_way_to_the_castle() {
    let mut play = Play::with(&[] as &[&str]);
    assert_eq!(play.title(), "Emberwalk - The valley");
    play.program.says("goal set cell=19,10");
    let route = play.program.says("route found");
    assert!(route.starts_with("route found from=2,10 to=19,10 cost="), "{route}");
    let all = play.program.all();
    assert!(all.contains(" INFO ") && all.contains("map loaded name=\"The valley\" width=24 height=20"), "{all}");
    assert!(!all.contains('\u{1b}'), "no colour codes off a terminal: {all}");
    assert!(!all.contains("WARN emberwalk") && !all.contains("ERROR emberwalk"), "{all}");
}

fn a_click_sends_the_traveller_there() {
    let mut play = Play::with(&["figures/road"]);
    play.click(figure().pixel(Cell::new(2, 7)));
    play.program.says("goal set cell=2,7");
    let route = play.program.says("route found");
    assert!(route.starts_with("route found from=1,5 to=2,7 cost=2.414 cells=3 "), "{route}");
    play.program.says("arrived cell=2,7");
}

fn the_first_and_last_pixels_of_a_cell_are_its_own() {
    let mut play = Play::with(&["figures/road", "--still"]);
    play.program.says("route found");
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
        let said = play.program.says("goal set");
        assert_eq!(said, format!("goal set cell={cell}"), "{dx},{dy} from the centre of 4,3");
    }
}

fn a_click_is_where_it_was_made() {
    let mut play = Play::with(&["figures/road"]);
    play.program.says("route found");
    let place = figure();
    for cells in [[(2, 7), (5, 1)], [(3, 8), (8, 8)], [(0, 0), (4, 9)]] {
        let cells = cells.map(Cell::from);
        play.screen.point((640, 100));
        for cell in cells {
            play.click(place.pixel(cell));
        }
        play.screen.point((100, 100));
        for cell in cells {
            assert_eq!(play.program.says("goal set"), format!("goal set cell={cell}"));
        }
    }
}

fn v_plans_the_way_again() {
    let mut play = Play::with(&["figures/snow"]);
    let before = play.program.says("route found");
    play.screen.key(Key::letter('v'));
    play.program.says("eruption on");
    let after = play.program.says("route found");
    let cost = |line: &str| line.split("cost=").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<f64>().ok());
    assert!(cost(&after) < cost(&before), "{before}; {after}");
    play.screen.key(Key::letter('v'));
    play.program.says("eruption off");
    assert_eq!(cost(&play.program.says("route found")), cost(&before));
}

fn space_walks_to_the_castle_and_r_goes_back() {
    let mut play = Play::with(&["figures/road"]);
    play.program.says("route found");
    play.screen.key(Key::SPACE);
    play.program.says("goal set cell=8,5");
    play.program.says("arrived cell=8,5");
    play.screen.key(Key::letter('r'));
    let route = play.program.says("route found");
    assert!(route.starts_with("route found from=1,5 to=8,5 "), "{route}");
}

fn arrows_and_enter_do_without_a_mouse() {
    let mut play = Play::with(&["figures/road"]);
    // The first shows the cursor at the traveller's feet, in 1,5.
    for key in [Key::UP, Key::UP, Key::RIGHT] {
        play.screen.key(key);
    }
    play.program.says("route found");
    play.screen.key(Key::ENTER);
    play.program.says("goal set cell=2,4");
    play.program.says("arrived cell=2,4");
}

fn after_zooming_a_click_meets_the_cell_that_is_seen() {
    let mut play = Play::with(&["figures/road", "--still"]);
    play.program.says("route found");
    let mut place = figure();
    let cells = [Cell::new(4, 6), Cell::new(5, 6), Cell::new(4, 5), Cell::new(5, 5)];
    let pointer = place.pixel(cells[0]);
    play.screen.point(pointer);
    for (button, zoom) in [
        (Button::WheelUp, 3),
        (Button::WheelUp, 4),
        (Button::WheelDown, 3),
        (Button::WheelDown, 2),
        (Button::WheelDown, 1),
    ] {
        let before = play.pixels();
        play.screen.point(pointer);
        play.screen.click(button);
        wait("another zoom", || (play.pixels() != before).then_some(()));
        place = place.zoomed(zoom, pointer);
        for cell in cells {
            play.click(place.pixel(cell));
            let said = play.program.says("goal set");
            assert_eq!(said, format!("goal set cell={cell}"), "at zoom {zoom}");
        }
    }
}

fn hovering_shows_the_cell_and_says_nothing() {
    let mut play = Play::with(&["figures/road"]);
    play.program.says("route found");
    let (x, y) = figure().pixel(Cell::new(6, 7));
    let still = stilled(&play);
    play.screen.point((x, y));
    let differs = |from: (u32, u32), to: (u32, u32)| {
        let now = play.pixels();
        (from.1..to.1).any(|y| (from.0..to.0).any(|x| now[(x, y)] != still[(x, y)]))
    };
    let (x, y) = (x as u32, y as u32);
    wait("the outline of the cell", || differs((x - 52, y - 26), (x + 52, y + 26)).then_some(()));
    wait("the panel that explains the cell", || differs((1000, 10), (1270, 100)).then_some(()));
    assert_eq!(play.program.unheard(), [""; 0]);
}

fn page_down_and_up_turn_the_maps() {
    let mut play = Play::with(&["valley"]);
    let names = ["The road", "The longer wall", "Snow"];
    for name in names {
        play.screen.key(Key::PAGE_DOWN);
        play.program.says(&format!("map loaded name={name:?} width=10 height=10"));
        play.program.says("goal set cell=8,5");
        play.program.says("route found from=1,5 to=8,5");
        wait("the title", || (play.title() == format!("Emberwalk - {name}")).then_some(()));
    }
    play.screen.key(Key::PAGE_UP);
    play.program.says("map loaded name=\"The longer wall\"");
    // What is under a pixel is what the new map has there.
    play.click(figure().pixel(Cell::new(3, 8)));
    play.program.says("goal set cell=3,8");
}

fn buttons_do_what_keys_do() {
    let mut play = Play::with(&["figures/snow"]);
    play.program.says("route found");
    // The line of buttons begins somewhere left of the middle: first to go, then to erupt.
    let bottom = FIRST_SIZE.1 as i32 - 20;
    let mut said = Vec::new();
    for x in (20..640).step_by(14) {
        play.click((x, bottom));
        thread::sleep(Duration::from_millis(60));
        said.extend(play.program.unheard());
        if said.iter().any(|line| line.contains("eruption on")) {
            break;
        }
    }
    let goals: Vec<_> = said.iter().filter(|line| line.contains("goal set")).collect();
    assert!(!goals.is_empty() && goals.iter().all(|line| line.contains("goal set cell=8,5")), "{said:?}");
    assert!(said.iter().any(|line| line.contains("eruption on")), "{said:?}");
}

fn escape_closes_the_help_then_quits() {
    let mut play = Play::with(&["figures/road"]);
    let closed = stilled(&play);
    play.screen.key(Key::letter('h'));
    wait("the help", || (play.pixels() != closed).then_some(()));
    play.screen.key(Key::ESCAPE);
    wait("the map without the help", || (play.pixels() == closed).then_some(()));
    assert!(play.program.runs());
    play.screen.key(Key::ESCAPE);
    assert_eq!(play.program.ends().code(), Some(0));
}

fn a_map_of_the_users_is_opened_by_its_path() {
    let folder = tempfile::TempDir::new().expect("there is room for a folder");
    let path = folder.path().join("mine.ron");
    let map = r#"(name: "My own", base: ["GGGGG", "GSSSG", "GGGGG"], overlay: ["1....", "..W..", "....2"])"#;
    fs::write(&path, map).expect("it can be written");
    let mut play = Play::with(&[path.as_os_str()]);
    assert_eq!(play.title(), "Emberwalk - My own");
    play.program.says("route found from=0,0 to=4,2 ");
    play.click(Place::first(Size::new(5, 3), FIRST_SIZE).pixel(Cell::new(2, 0)));
    play.program.says("goal set cell=2,0");
}
