//! The first picture of the window.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use image::{Rgb, RgbImage};
use tempfile::TempDir;

use crate::Test;
use crate::play::FIRST_SIZE;
use crate::program::{EMBERWALK, PATIENCE, Program, command_by};
use crate::screen::{Screen, Server};

pub fn tests() -> Vec<Test> {
    tests![
        #[cfg(all(target_os = "linux", target_env = "gnu"))]
        the_dynamic_loader_can_start_the_window,
        the_first_picture_is_complete,
        a_server_that_restarts_without_clients_is_no_obstacle,
    ]
}

/// Whether the picture has more than one colour.
fn shows_something(picture: &RgbImage) -> bool {
    let first: Rgb<u8> = *picture.get_pixel(0, 0);
    picture.pixels().any(|pixel| *pixel != first)
}

fn the_first_picture_is_complete() {
    let (folder, screen) = (TempDir::new().expect("there is room for a folder"), Screen::open());
    let mut program = Program::start(screen.name(), folder.path(), &["valley", "--still"], None);
    let end = Instant::now() + PATIENCE;
    let first = loop {
        let picture = screen.pixels(FIRST_SIZE);
        if shows_something(&picture) {
            break picture;
        }
        assert!(Instant::now() < end && program.is_running(), "{}", program.output());
    };
    thread::sleep(Duration::from_secs(2));
    let different = first.pixels().zip(screen.pixels(FIRST_SIZE).pixels()).filter(|(one, other)| one != other).count();
    assert_eq!(different, 0, "pixels were added later");
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn the_dynamic_loader_can_start_the_window() {
    let (folder, screen) = (TempDir::new().expect("there is room for a folder"), Screen::open());
    let maps = fs::read_to_string("/proc/self/maps").expect("the system tells what is loaded");
    let loader = maps.split_whitespace().find(|word| word.contains("/ld-")).expect("a loader has started this test");
    let mut command = command_by(&[loader, EMBERWALK], Some(screen.name()), folder.path(), &["valley"]);
    Program::run(&mut command).wait_for_line("map loaded");
}

fn a_server_that_restarts_without_clients_is_no_obstacle() {
    let (folder, server) = (TempDir::new().expect("there is room for a folder"), Server::start(&[]));
    Program::start(server.name(), folder.path(), &["valley"], None).wait_for_line("map loaded");
}
