//! Ctrl+C in the terminal of the window.

use std::process::Command;

use tempfile::TempDir;

use crate::Test;
use crate::play::wait;
use crate::program::{EMBERWALK, Program, Sleep, WITH_INVENTORY, command_by};
use crate::screen::Screen;

pub fn tests() -> Vec<Test> {
    tests![ctrl_c_closes_a_sleeping_window_without_an_error]
}

fn ctrl_c_closes_a_sleeping_window_without_an_error() {
    let (folder, screen) = (TempDir::new().expect("there is room for a folder"), Screen::open());
    // In the background of a script, these tests and all that they start ignore Ctrl+C.
    let starter = ["env", "--default-signal=INT", EMBERWALK];
    let mut command = command_by(&starter, Some(screen.name()), folder.path(), &["figures/road", "--still"]);
    let mut program = Program::run(command.env("RUST_LOG", WITH_INVENTORY));
    wait("sleep", || program.frame().filter(|frame| frame.sleep == Sleep::UntilWoken));
    program.unread_lines();
    let interrupted = Command::new("kill").args(["-INT", &program.id().to_string()]).status();
    assert!(interrupted.expect("every system has it").success());
    assert_eq!(program.wait_for_exit().code(), Some(130), "{}", program.output());
    assert_eq!(program.unread_lines(), [""; 0]);
}
