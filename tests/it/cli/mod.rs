//! The program itself, run as its own process.

mod ahead;
mod animate;
mod assets;
mod breach;
mod commands;
mod compare;
mod crowd;
mod export;
mod import;
mod judge;
mod outputs;
mod plan;
mod posthoc;
mod render;
mod replay;
mod route;
mod scenario;
mod solve;
mod streams;
mod through;
mod trace;
mod travellers;
mod usage;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The program with these arguments, in this folder, without the caller's settings for logs and colours.
fn program(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_emberwalk"));
    for variable in ["RUST_LOG", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command.args(args).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program in a folder.
fn run_in(folder: &Path, args: &[&str]) -> Output {
    program(folder, args).output().unwrap()
}

/// Runs the program in a folder, with `input` on its standard input.
fn run_with_input(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut child = program(folder, args).stdin(Stdio::piped()).spawn().unwrap();
    // A program that does not read its input may have closed it.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Runs `emberwalk route` in an empty folder, with `input` on its standard input. Returns status, standard output and
/// error.
fn route(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let output = run_with_input(folder.path(), &[&["route"], args].concat(), input.as_bytes());
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Parses text of one JSON object per line.
fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The number of files of the embedded tileset with an image.
fn image_count() -> usize {
    std::fs::read_dir(crate::support::file("assets/tiles")).unwrap().count()
}
