//! If no window can be opened, the program reports the reason and ends without a panic.

use std::fs;
use std::process::{Output, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::Test;
use crate::play::{FIRST_SIZE, Play, wait};
use crate::program::{EMBERWALK, Program, command, command_by};
use crate::screen::Screen;

/// The tests that run on every machine.
pub fn without_a_screen() -> Vec<Test> {
    tests![
        a_missing_display_is_reported,
        a_display_that_does_not_answer_is_reported,
        a_bad_map_is_reported_before_a_missing_display,
        #[cfg(unix)]
        a_map_that_is_read_late_is_reported_first_too,
        a_file_to_record_in_is_not_touched_without_a_window,
    ]
}

/// The tests that need a screen.
pub fn with_a_screen() -> Vec<Test> {
    tests![
        a_missing_graphics_adapter_is_reported,
        a_scale_that_makes_no_sense_is_reported,
        #[cfg(target_os = "linux")]
        a_limit_on_threads_is_reported_or_enough,
        a_still_window_of_a_bad_map_does_not_open,
        #[cfg(unix)]
        a_map_that_is_read_late_closes_the_window_that_cannot_show_it,
        a_file_to_record_in_is_always_a_new_one,
        a_display_that_is_lost_at_the_start_is_reported,
        a_display_that_is_lost_is_reported,
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

/// A pipe from which the program reads a map, once `give` is called.
#[cfg(unix)]
struct SlowMap {
    path: std::path::PathBuf,
    pipe: fs::File,
}

#[cfg(unix)]
impl SlowMap {
    fn new(folder: &TempDir) -> Self {
        let path = folder.path().join("slow.ron");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.is_ok_and(|status| status.success()), "the system has pipes");
        let pipe = fs::File::options().read(true).write(true).open(&path).expect("it is there");
        Self { path, pipe }
    }

    /// Writes a map with a wall in the north-west.
    fn give(mut self) {
        std::io::Write::write_all(&mut self.pipe, b"(name: \"Slow\", base: [\"GG\"], overlay: [\"W.\"])")
            .expect("it is read");
    }
}

#[cfg(unix)]
fn a_map_that_is_read_late_is_reported_first_too() {
    let folder = TempDir::new().expect("there is room for a folder");
    let map = SlowMap::new(&folder);
    let mut command = command(None, folder.path(), &[map.path.to_str().expect("it is text"), "--from", "0,0"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program can be started");
    // Longer than a map is waited for before a window opens.
    thread::sleep(Duration::from_secs(1));
    map.give();
    let output = child.wait_with_output().expect("the program ends");
    check(&output, &["error: ", "0,0"]);
    assert!(!String::from_utf8_lossy(&output.stderr).contains("display"), "{output:?}");
}

#[cfg(unix)]
fn a_map_that_is_read_late_closes_the_window_that_cannot_show_it() {
    let (folder, screen) = (TempDir::new().expect("there is room for a folder"), Screen::open());
    let map = SlowMap::new(&folder);
    let arguments = [map.path.to_str().expect("it is text"), "--from", "0,0"];
    let mut program = Program::start(screen.name(), folder.path(), &arguments, None);
    wait("a window", || screen.window("Emberwalk - "));
    map.give();
    assert_eq!(program.wait_for_exit().code(), Some(2), "{}", program.output());
    let said = program.output();
    assert!(said.contains("error: ") && said.contains("0,0") && !said.contains("panicked"), "{said}");
}

fn a_file_to_record_in_is_not_touched_without_a_window() {
    let folder = TempDir::new().expect("there is room for a folder");
    let map = "(name: \"Mine\", base: [\"GG\"], overlay: [\"1.\"])";
    fs::write(folder.path().join("mine.ron"), map).expect("it can be written");
    fs::write(folder.path().join("old.ron"), "old").expect("it can be written");
    let names = || fs::read_dir(folder.path()).expect("it is there").count();
    let before = names();
    for (record, words) in [
        ("mine.ron", "mine.ron is an input, and would be overwritten: choose another output"),
        ("./mine.ron", "./mine.ron is an input, and would be overwritten: choose another output"),
        ("no/new.ron", "no/new.ron cannot be written: its folder does not exist"),
        ("old.ron", "the window needs a display"),
        ("new.ron", "the window needs a display"),
    ] {
        let output = command(None, folder.path(), &["mine.ron", "--record", record]).output();
        check(&output.expect("the program can be started"), &[words]);
    }
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).expect("it is there");
    assert_eq!((text("mine.ron").as_str(), text("old.ron").as_str(), names()), (map, "old", before));
}

fn a_file_to_record_in_is_always_a_new_one() {
    let (folder, screen) = (TempDir::new().expect("there is room for a folder"), Screen::open());
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    for _ in 0..2 {
        let arguments = ["figures/road", "--record", "walk.emberplay.ron"];
        let mut program = Program::start(screen.name(), folder.path(), &arguments, Some("emberwalk=info"));
        program.wait_for_line("recording begun file=");
        program.kill();
        wait("no window", || screen.window("Emberwalk - ").is_none().then_some(()));
    }
    for name in ["walk.emberplay.ron", "walk-2.emberplay.ron"] {
        assert!(text(name).contains("order(open("), "{name}: {}", text(name));
    }
}
