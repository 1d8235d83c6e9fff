//! Ctrl+C in the terminal of the window.

use std::process::Command;

use crate::play::{Play, wait};
use crate::program::Sleep;
use crate::{Test, test};

pub fn tests() -> Vec<Test> {
    vec![test("ctrl_c_closes_a_sleeping_window_without_an_error", ctrl_c_closes_a_sleeping_window_without_an_error)]
}

fn ctrl_c_closes_a_sleeping_window_without_an_error() {
    let mut play = Play::with(&["figures/road", "--still"]);
    wait("sleep", || play.program.frame().filter(|frame| frame.sleep == Sleep::UntilWoken));
    play.program.unread_lines();
    let interrupted = Command::new("kill").args(["-INT", &play.program.id().to_string()]).status();
    assert!(interrupted.expect("every system has it").success());
    assert_eq!(play.program.wait_for_exit().code(), Some(130), "{}", play.program.output());
    assert_eq!(play.program.unread_lines(), [""; 0]);
}
