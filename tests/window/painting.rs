//! Painting in the real window, by mouse and by keyboard: saving, and the recovery after a window was killed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, SystemTime};

use emberwalk_path::grid::{Cell, Size};

use crate::Test;
use crate::play::{Play, wait};
use crate::program::{Program, WITH_INVENTORY};
use crate::screen::{Button, Input, Key};

pub fn tests() -> Vec<Test> {
    tests![
        painting_and_saving_change_only_what_was_painted,
        a_selection_is_copied_and_pasted,
        the_dock_makes_room_and_the_map_fits_again,
        a_killed_window_loses_no_stroke_and_offers_them_once,
        a_window_that_is_killed_at_any_moment_loses_at_most_the_stroke_under_the_hand,
        strokes_are_offered_though_the_killed_window_needs_a_while_to_end,
        pipes_and_huge_files_in_the_recovery_folder_hold_nothing_up,
        a_new_map_is_made_saved_and_opened_again,
        a_new_map_that_is_not_saved_is_asked_about,
        a_full_disk_is_said_and_loses_nothing,
        losing_the_keyboard_in_a_stroke_ends_it,
        a_click_right_after_e_paints,
    ]
}

const TEN: Size = Size::new(10, 10);

/// A map that was written by hand.
fn text() -> String {
    let base: String = (0..10).map(|_| "  \"GGGGGGGGGG\", // grass\r\n").collect();
    let overlay: String = (0..10).map(|y| format!("  \"..........\", /* row {y} */\r\n")).collect();
    format!("// By hand.\r\n(name: \"Mine\",\r\nbase: [\r\n{base}],\r\noverlay: [\r\n{overlay}])\r\n")
}

/// The text with other rows of the overlay.
fn with_rows(rows: &[(usize, &str)]) -> String {
    rows.iter().fold(text(), |text, (y, row)| {
        text.replace(&format!("\"..........\", /* row {y} */"), &format!("\"{row}\", /* row {y} */"))
    })
}

fn pixel(play: &Play, x: i32, y: i32) -> (i32, i32) {
    play.place(TEN).pixel(Cell::new(x, y))
}

/// Opens the map. Returns its file, too.
fn open() -> (String, Play) {
    let play = Play::with_map(&text(), &[]);
    (play.map_file(), play)
}

/// Switches to painting, and takes stone walls.
fn take_walls(play: &Play) {
    play.letter('e');
    play.press("RadioButton", "Stone wall");
}

/// Paints walls from 5,1 to 8,1 and then to 8,3 with the mouse.
fn paint_walls(play: &mut Play) {
    take_walls(play);
    let place = play.place(TEN);
    play.drag(Button::Left, &[(5, 1), (8, 1), (8, 3)].map(|cell| place.pixel(cell.into())));
    assert_eq!(play.program.wait_for_line("painted"), r#"painted cells=6 terrain="stone wall""#);
    wait("the star", || play.title().ends_with(" *").then_some(()));
}

const WALLS: [(usize, &str); 3] = [(1, ".....WWWW."), (2, "........W."), (3, "........W.")];

fn painting_and_saving_change_only_what_was_painted() {
    let (file, mut play) = open();
    paint_walls(&mut play);
    // The tile cursor starts in the cell of the traveller.
    play.keys(&[Key::UP, Key::RIGHT, Key::ENTER]);
    play.program.wait_for_line("painted cells=1");
    play.with_ctrl('z');
    play.program.wait_for_line("undone");
    play.with_ctrl('s');
    play.program.wait_for_line("saved file=");
    assert_eq!(fs::read_to_string(&file).expect("it can be read"), with_rows(&WALLS));
    wait("no star", || (!play.title().ends_with('*')).then_some(()));
}

fn a_selection_is_copied_and_pasted() {
    let (file, mut play) = open();
    paint_walls(&mut play);
    (0..4).for_each(|_| play.letter('u'));
    play.control("Button", "Copy");
    play.drag(Button::Left, &[pixel(&play, 8, 1), pixel(&play, 8, 3)]);
    play.with_ctrl('c');
    play.with_ctrl('v');
    play.control("Button", "Cancel paste");
    play.click(pixel(&play, 5, 6));
    assert_eq!(play.program.wait_for_line("painted"), r#"painted cells=3 terrain="paste""#);
    play.with_ctrl('s');
    play.program.wait_for_line("saved file=");
    let rows = [&WALLS[..], &[(5, ".....W...."), (6, ".....W...."), (7, ".....W....")]].concat();
    assert_eq!(fs::read_to_string(&file).expect("it can be read"), with_rows(&rows));
    assert!(!play.program.output().contains("eruption"), "Ctrl+V is not V");
}

fn the_dock_makes_room_and_the_map_fits_again() {
    let (_, mut play) = open();
    let walking = play.place(TEN);
    play.letter('e');
    play.control("RadioButton", "Grass");
    let painting = wait("room for the dock", || Some(play.place(TEN)).filter(|place| *place != walking));
    assert!(painting.pixel(Cell::new(9, 9)).0 < 1280 - 296, "{painting:?}");
    play.letter('e');
    wait("the map as before", || (play.place(TEN) == walking).then_some(()));
    // In a window of medium width the dock is closed at first.
    play.resize((900, 700));
    play.letter('e');
    let closed = play.place(TEN);
    play.key(Key::F2);
    wait("the open dock", || (play.place(TEN) != closed).then_some(()));
}

fn a_killed_window_loses_no_stroke_and_offers_them_once() {
    let (file, mut play) = open();
    paint_walls(&mut play);
    assert_eq!(play.restart(&[&file]), Some(1));
    assert_eq!(fs::read_to_string(&file).expect("it can be read"), text());
    play.key(Key::ENTER);
    play.program.wait_for_line("recovered");
    play.with_ctrl('s');
    play.program.wait_for_line("saved file=");
    assert_eq!(fs::read_to_string(&file).expect("it can be read"), with_rows(&WALLS));
    assert_eq!(play.restart(&[&file]), None);
}

/// The number of times that the window is killed while it paints. Each takes some seconds.
const KILLS: usize = 5;

/// Runs a hundred kills.
const ALL_KILLS: &str = "EMBERWALK_KILLS";

/// The cell that the stroke of this number paints. The panels hide none of them.
fn cell_of_stroke(number: usize) -> Cell {
    Cell::new(19 - (number % 12) as i32, (number / 12) as i32)
}

/// The text of a map of grass of 20 x 10 cells, with walls where this number of strokes has painted them. The
/// last row has the tent and the castle.
fn walled(strokes: usize) -> String {
    let walls: Vec<Cell> = (0..strokes).map(cell_of_stroke).collect();
    let char = |x: i32, y: i32| match (x, y) {
        (0, 9) => '1',
        (19, 9) => '2',
        _ if walls.contains(&Cell::new(x, y)) => 'W',
        _ => '.',
    };
    let row = |y: i32| (0..20).map(|x| char(x, y)).collect::<String>();
    let overlay: String = (0..10).map(|y| format!("  \"{}\", // row {y}\n", row(y))).collect();
    let base = format!("\"{}\", ", "G".repeat(20)).repeat(10);
    format!("(name: \"Killed\", base: [{base}], overlay: [\n{overlay}])\n")
}

/// The window is killed at random moments, again and again, while it paints one cell after the other or saves. Finished
/// strokes are always there again.
fn a_window_that_is_killed_at_any_moment_loses_at_most_the_stroke_under_the_hand() {
    let kills = std::env::var(ALL_KILLS).ok().and_then(|kills| kills.parse().ok()).unwrap_or(KILLS);
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("killed.ron");
    fs::write(&file, walled(0)).expect("a file can be written");
    let mut play = Play::with(&[&file]);
    let mut random = fastrand::Rng::with_seed(7);
    // The strokes that are finished, and the strokes that may be, because they were being painted.
    let (mut finished, mut under_hand) = (0, 0);
    let mut offered = None;
    for kill in 0..kills {
        let text = fs::read_to_string(&file).expect("it can be read");
        let saved = text.matches('W').count();
        assert_eq!(text, walled(saved), "{kill}: the file is whole");
        let there = saved + offered.unwrap_or(0);
        assert!((finished..=finished + under_hand).contains(&there), "{kill}: {there} of {finished}, {offered:?}");
        if offered.is_some() {
            play.key(Key::ENTER);
            play.program.wait_for_line("recovered");
        }
        finished = there;
        if finished > 95 {
            // It may be saved already.
            if offered.is_some() {
                play.with_ctrl('s');
                play.program.wait_for_line("saved file=");
            }
            assert_eq!(fs::read_to_string(&file).expect("it can be read"), walled(finished), "{kill}");
            (finished, under_hand) = (0, 0);
            fs::write(&file, walled(0)).expect("a file can be written");
            offered = play.restart(&[&file]);
            continue;
        }
        take_walls(&play);
        let place = play.place(Size::new(20, 10));
        for _ in 0..random.usize(1..6) {
            play.click(place.pixel(cell_of_stroke(finished)));
            play.program.wait_for_line("painted cells=1");
            // The frame of the stroke has ended.
            play.settle();
            finished += 1;
        }
        play.click(place.pixel(cell_of_stroke(finished)));
        under_hand = 1;
        if random.u32(0..3) == 0 {
            play.screen.send(&Input::chord(&[Key::CTRL, Key::letter('s')]));
        }
        // At any moment.
        thread::sleep(Duration::from_micros(random.u64(0..80_000)));
        offered = play.restart(&[&file]);
    }
}

/// The only file in the folder for recovery files.
fn recovery_file(play: &Play) -> PathBuf {
    let files = wait("a recovery file", || fs::read_dir(play.folder().join("state/emberwalk")).ok());
    let paths: Vec<_> = files.map(|file| file.expect("it can be listed").path()).collect();
    let [path] = &paths[..] else { panic!("{paths:?}") };
    path.clone()
}

/// Another path that begins and ends like the path of this recovery file.
fn other_recovery(file: &Path, number: u32) -> PathBuf {
    let name = file.file_name().and_then(|name| name.to_str()).expect("it is text");
    file.with_file_name(name.replace('-', &format!("-{number}")))
}

fn strokes_are_offered_though_the_killed_window_needs_a_while_to_end() {
    let (file, mut play) = open();
    paint_walls(&mut play);
    let recovery = recovery_file(&play);
    // An older one, with a stroke less.
    let older = other_recovery(&recovery, 1);
    fs::copy(&recovery, &older).expect("there is room");
    let an_hour_ago = SystemTime::now() - Duration::from_secs(3600);
    fs::File::options().write(true).open(&older).and_then(|file| file.set_modified(an_hour_ago)).expect("it is ours");
    play.click(pixel(&play, 2, 5));
    play.program.wait_for_line("painted cells=1");
    // The frame of the stroke has ended.
    play.settle();
    // Like a process that is still ending, this takes the lock in the moment in which the window is killed.
    let (end, ended) = mpsc::channel::<()>();
    let (lock, is_locked) = mpsc::channel();
    let ending = thread::spawn(move || {
        let locked = fs::File::open(recovery).expect("it is there");
        locked.lock().expect("the window ends");
        lock.send(()).expect("the test waits");
        // This returns when the other end is dropped.
        let _ = ended.recv();
    });
    play.program.kill();
    is_locked.recv().expect("the window has ended");
    play.program = Program::start(play.screen.name(), play.folder(), &[&file], Some(WITH_INVENTORY));
    // It tries again and again.
    (0..3).for_each(|_| drop(play.program.wait_for_line("recovery file locked")));
    drop(end);
    ending.join().expect("it waits");
    let offered = play.program.wait_for_line("recovery offered");
    assert!(offered.ends_with("strokes=2"), "{offered}");
}

fn pipes_and_huge_files_in_the_recovery_folder_hold_nothing_up() {
    let (file, mut play) = open();
    paint_walls(&mut play);
    let recovery = recovery_file(&play);
    let made = Command::new("mkfifo").arg(other_recovery(&recovery, 1)).status().expect("it is part of the system");
    assert!(made.success());
    fs::copy(&recovery, other_recovery(&recovery, 2)).expect("there is room");
    let huge = fs::File::options().write(true).open(other_recovery(&recovery, 2)).expect("it is there");
    huge.set_len(1 << 40).expect("a hole takes no room");
    assert_eq!(play.restart(&[&file]), Some(1));
}

fn a_new_map_that_is_not_saved_is_asked_about() {
    let mut play = Play::with(&["figures/road"]);
    play.letter('n');
    play.wait_for_focus("TextInput", "Name");
    play.type_text("isle");
    play.screen.key(Key::ENTER);
    play.program.wait_for_line("map loaded name=\"isle\"");
    wait("the star", || play.title().ends_with("isle *").then_some(()));
    let to_quit = [Key::ESCAPE; 2];
    // Esc cancels, then it ends painting.
    play.keys(&[Key::PAGE_UP, Key::ESCAPE, Key::ESCAPE]);
    play.keys(&to_quit);
    play.key(Key::ESCAPE);
    assert!(play.program.is_running());
    assert!(!play.program.unread_lines().iter().any(|line| line.contains("map loaded")));
    play.keys(&to_quit);
    // A digit takes a terrain, and answers nothing.
    play.letter('2');
    assert!(play.program.is_running());
    play.click(play.control("Button", "Do not save"));
    assert!(play.program.wait_for_exit().success());
    assert!(!play.folder().join("isle.ron").exists());
}

fn a_new_map_is_made_saved_and_opened_again() {
    let mut play = Play::with(&["figures/road"]);
    play.letter('n');
    play.wait_for_focus("TextInput", "Name");
    play.type_text("isle");
    // The keys of one frame all go to one field.
    play.key(Key::TAB);
    play.wait_for_focus("TextInput", "Columns");
    play.type_text("12");
    play.screen.key(Key::ENTER);
    play.program.wait_for_line("map loaded name=\"isle\" width=12 height=24");
    play.with_ctrl('s');
    play.program.wait_for_line("saved file=");
    wait("no star", || play.title().ends_with("isle").then_some(()));
    let file = play.folder().join("isle.ron");
    assert!(fs::read_to_string(&file).expect("it is in the current folder").contains("\"GGGGGGGGGGGG\""));
    play.screen.key(Key::PAGE_UP);
    // Saving may have loaded the map of the file once more.
    play.program.wait_for_line("map loaded name=\"The realm\"");
    play.with_ctrl('o');
    play.wait_for_focus("TextInput", "Find");
    play.type_text("isle");
    play.screen.key(Key::ENTER);
    play.program.wait_for_line("map loaded name=\"isle\" width=12 height=24");
}

/// A disk that takes only a few blocks of a file stands for a full disk.
fn a_full_disk_is_said_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("mine.ron");
    let long = format!("{}// {}\n", text(), "x".repeat(200_000));
    fs::write(&file, &long).expect("a file can be written");
    let mut play = Play::with(&[&file]);
    play.program.limit_file_size(Some(100_000));
    paint_walls(&mut play);
    play.with_ctrl('s');
    play.program.wait_for_line("not saved error=");
    assert!(play.title().ends_with(" *"));
    assert_eq!(fs::read_to_string(&file).expect("it can be read"), long, "the file is whole");
    let left = fs::read_dir(folder.path()).expect("it is there").count();
    assert_eq!(left, 1, "no half-written file is left");
    play.program.limit_file_size(None);
    play.with_ctrl('s');
    play.program.wait_for_line("saved file=");
    assert_eq!(fs::read_to_string(&file).expect("it can be read"), long.replace(&text(), &with_rows(&WALLS)));
}

fn losing_the_keyboard_in_a_stroke_ends_it() {
    let (file, mut play) = open();
    paint_walls(&mut play);
    play.screen.send(&[Input::Point(pixel(&play, 2, 5)), Input::Press(Button::Left), Input::Point(pixel(&play, 2, 7))]);
    play.settle();
    play.screen.take_keyboard();
    assert_eq!(play.program.wait_for_line("painted"), r#"painted cells=3 terrain="stone wall""#);
    play.screen.release(Button::Left);
    // The frame of the stroke has ended.
    play.settle();
    assert_eq!(play.restart(&[&file]), Some(2));
}

fn a_click_right_after_e_paints() {
    let (_, mut play) = open();
    // The brush has a terrain that is not there yet.
    take_walls(&play);
    play.letter('e');
    play.point(pixel(&play, 4, 4));
    play.program.unread_lines();
    // Mostly, both are in the same frame.
    for _ in 0..4 {
        play.screen.send(&[Input::key(Key::letter('e')), Input::click(Button::Left)].concat());
        play.settle();
        play.letter('e');
        play.with_ctrl('z');
    }
    let lines = play.program.unread_lines();
    assert_eq!(lines.iter().filter(|line| line.contains("painted")).count(), 4, "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains("goal set")), "{lines:?}");
}
