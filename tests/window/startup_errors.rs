//! If no window can be opened, the program reports the reason and ends without a panic.

use std::fs;
use std::process::{Output, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::play::{FIRST_SIZE, Play, wait};
use crate::program::{EMBERWALK, Program, command, command_by};
use crate::screen::Screen;
use crate::{Test, test};

/// The tests that run on every machine.
pub fn without_a_screen() -> Vec<Test> {
    vec![
        test("a_missing_display_is_reported", a_missing_display_is_reported),
        test("a_display_that_does_not_answer_is_reported", a_display_that_does_not_answer_is_reported),
        test("a_bad_map_is_reported_before_a_missing_display", a_bad_map_is_reported_before_a_missing_display),
    ]
}

/// The tests that need a screen.
pub fn with_a_screen() -> Vec<Test> {
    vec![
        test("a_missing_graphics_adapter_is_reported", a_missing_graphics_adapter_is_reported),
        test("a_scale_that_makes_no_sense_is_reported", a_scale_that_makes_no_sense_is_reported),
        #[cfg(target_os = "linux")]
        test("a_limit_on_threads_is_reported_or_enough", a_limit_on_threads_is_reported_or_enough),
        test("a_still_window_of_a_bad_map_does_not_open", a_still_window_of_a_bad_map_does_not_open),
        test("a_display_that_is_lost_at_the_start_is_reported", a_display_that_is_lost_at_the_start_is_reported),
        test("a_display_that_is_lost_is_reported", a_display_that_is_lost_is_reported),
    ]
}

/// Checks that the program ended with exit status 2 and these words.
fn check(output: &Output, words: &[&str]) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    for words in words {
        assert!(said.contains(words), "`{words}` is missing:\n{said}");
    }
    assert!(!said.contains("panicked") && !said.contains("RUST_BACKTRACE"), "{said}");
    assert!(output.stdout.is_empty());
}

fn a_missing_display_is_reported() {
    let folder = TempDir::new().expect("there is room for a folder");
    let output = command(None, folder.path(), &[] as &[&str]).output().expect("the program can be started");
    check(&output, &["display", "`emberwalk render`", "`emberwalk route`"]);
}

fn a_display_that_does_not_answer_is_reported() {
    let folder = TempDir::new().expect("there is room for a folder");
    let output = command(Some(":4242"), folder.path(), &["valley"]).output().expect("the program can be started");
    check(&output, &["display", "`emberwalk render`"]);
}

fn a_missing_graphics_adapter_is_reported() {
    let (folder, screen) = (TempDir::new().expect("there is room for a folder"), Screen::open());
    let mut command = command(Some(screen.name()), folder.path(), &["valley"]);
    command.env("VK_DRIVER_FILES", "/nowhere.json").env("VK_ICD_FILENAMES", "/nowhere.json");
    let output = command.output().expect("the program can be started");
    check(&output, &["graphics adapter", "`emberwalk render`", "`emberwalk route`"]);
}

fn a_scale_that_makes_no_sense_is_reported() {
    let (folder, screen) = (TempDir::new().expect("there is room for a folder"), Screen::open());
    for scale in ["0", "-1", "NaN", "abc", "100"] {
        let mut command = command(Some(screen.name()), folder.path(), &["valley"]);
        let output = command.env("WINIT_X11_SCALE_FACTOR", scale).output().expect("the program can be started");
        check(&output, &["WINIT_X11_SCALE_FACTOR", scale, "`emberwalk render`"]);
    }
}

#[cfg(target_os = "linux")]
fn a_limit_on_threads_is_reported_or_enough() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    let (folder, screen) = (TempDir::new().expect("there is room for a folder"), Screen::open());
    // The system sets no limit for root, so another user runs a copy that it can reach.
    let program = folder.path().join("emberwalk");
    fs::copy(EMBERWALK, &program).expect("there is room");
    fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).expect("it is ours");
    let is_root = fs::metadata(&program).expect("it is there").uid() == 0;
    let as_nobody = ["setpriv", "--reuid=65534", "--clear-groups"];
    for limit in [1, 6, 12, 18, 24, 30, 36, 48, 60] {
        let limit = format!("--nproc={limit}");
        let mut starter = vec!["prlimit", &limit];
        starter.extend(as_nobody.iter().filter(|_| is_root));
        starter.push(program.to_str().expect("it is text"));
        let mut command = command_by(&starter, Some(screen.name()), folder.path(), &["valley"]);
        let mut program = Program::run(&mut command);
        let shows_a_map = || screen.pixels(FIRST_SIZE)[(640, 360)].0.iter().max() > Some(&40);
        let opened = wait("a picture or an error", || match program.is_running() {
            true => shows_a_map().then_some(true),
            false => Some(false),
        });
        if !opened {
            assert_eq!(program.wait_for_exit().code(), Some(2), "{limit}: {}", program.output());
            assert!(program.output().contains("error: the window needs about"), "{limit}: {}", program.output());
        }
        println!("{limit} {opened} {}", program.output());
    }
}

fn a_still_window_of_a_bad_map_does_not_open() {
    let (folder, screen) = (TempDir::new().expect("there is room for a folder"), Screen::open());
    fs::write(folder.path().join("bad.ron"), "(name: \"Bad\", base: [\"dG\"], overlay: [\"..\"])")
        .expect("it can be written");
    let mut command = command(Some(screen.name()), folder.path(), &["bad.ron", "--still"]);
    check(&command.output().expect("the program can be started"), &["bad.ron", "unknown terrain 'd' at 0,0"]);
}

fn a_display_that_is_lost_at_the_start_is_reported() {
    for milliseconds in (0..600).step_by(75) {
        let (folder, mut screen) = (TempDir::new().expect("there is room for a folder"), Screen::open());
        let mut command = command(Some(screen.name()), folder.path(), &["valley"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().expect("the program can be started");
        thread::sleep(Duration::from_millis(milliseconds));
        screen.kill();
        check(&child.wait_with_output().expect("the program ends"), &["display"]);
    }
}

fn a_display_that_is_lost_is_reported() {
    // With animation, and without: the window then waits for events.
    for arguments in [&["valley"][..], &["valley", "--still"]] {
        let mut play = Play::with(arguments);
        play.screen.kill();
        assert_eq!(play.program.wait_for_exit().code(), Some(2), "{}", play.program.output());
        let said = play.program.output();
        assert!(said.contains("error: the connection to the display is lost") && !said.contains("panicked"), "{said}");
    }
}

fn a_bad_map_is_reported_before_a_missing_display() {
    let folder = TempDir::new().expect("there is room for a folder");
    fs::write(folder.path().join("bad.ron"), "(name: \"Bad\", base: [\"dG\"], overlay: [\"..\"])")
        .expect("it can be written");
    let output = command(None, folder.path(), &["bad.ron"]).output().expect("the program can be started");
    check(&output, &["bad.ron", "unknown terrain 'd' at 0,0"]);
}
