//! Runs the commands of the pages and compares what they print with what the pages show.
//!
//! - A `console` block has lines `$ COMMAND`, each followed by what it prints; `...` stands for any lines. Only times and
//!   random seeds may differ. Commands that open the window or compile are in `sh` blocks, which are not run.
//! - The comment `<!-- $ COMMAND -->` is run too. It has the block that follows it as its standard input, so that
//!   `<!-- $ cat > my.ron -->` saves a map which the reader is told to save.
//! - Blocks that run `python3` are compared only where it is installed.
//! - All commands of a page run in one empty folder, with links to `assets`, `docs` and `maps`.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{Block, HTML, Page, assert_none, pages};
use crate::support::file;

#[test]
fn the_commands_of_the_pages_print_what_the_pages_show() {
    let failures: Vec<_> = pages().iter().flat_map(failures).collect();
    assert_none(&failures);
}

/// Runs all commands of a page, and describes those that print something else.
fn failures(page: &Page) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for name in ["assets", "docs", "maps"] {
        std::os::unix::fs::symlink(file(name).canonicalize().unwrap(), folder.path().join(name)).unwrap();
    }
    let mut failures = Vec::new();
    let blocks = page.blocks();
    for (index, block) in blocks.iter().enumerate() {
        if let Some(command) = hidden_command(block) {
            let input = blocks.get(index + 1).map_or("", |block| &block.text);
            let (succeeded, output) = run(folder.path(), command, input);
            if !succeeded {
                failures.push(format!("\n{}: `{command}` fails:\n{output}", block.place));
            }
        }
        if block.language == "console" && block.text.contains("python3") && !has_python() {
            eprintln!("{}: not run, as python3 is not installed", block.place);
        } else if block.language == "console" {
            failures.extend(differences(folder.path(), block));
        } else if block.text.starts_with("$ ") {
            failures.push(format!("\n{}: commands with their output are in a `console` block", block.place));
        }
    }
    failures
}

/// Whether Python is installed.
fn has_python() -> bool {
    Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The command of a comment `<!-- $ COMMAND -->`.
fn hidden_command(block: &Block) -> Option<&str> {
    if block.language != HTML {
        return None;
    }
    block.text.trim().strip_prefix("<!-- $ ")?.strip_suffix("-->").map(str::trim)
}

/// Runs the commands of a `console` block, and describes those that print something else.
fn differences(folder: &Path, block: &Block) -> Vec<String> {
    let Some(text) = block.text.strip_prefix("$ ") else {
        return vec![format!("\n{}: a `console` block begins with `$ ` and a command", block.place)];
    };
    let mut differences = Vec::new();
    for entry in text.split("\n$ ") {
        let (command, expected) = entry.split_once('\n').unwrap_or((entry, ""));
        let (_, printed) = run(folder, command, "");
        if !matches(&comparable(expected), &comparable(&printed)) {
            let expected = expected.trim_end();
            differences
                .push(format!("\n{}: $ {command}\nthe page shows\n{expected}\nbut it prints\n{printed}", block.place));
        }
    }
    differences
}

/// Runs a command in a shell that finds the program. Returns whether it succeeded, and all that it printed.
fn run(folder: &Path, command: &str, input: &str) -> (bool, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_emberwalk")).parent().unwrap();
    let others = std::env::var("PATH").unwrap_or_default();
    let input_file = folder.join(".input");
    std::fs::write(&input_file, input).unwrap();
    let output = Command::new("sh")
        .args(["-ec", &format!("exec 2>&1; {command}")])
        .current_dir(folder)
        .env("PATH", format!("{}:{others}", program.display()))
        .env("RUST_LOG", "off")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .stdin(File::open(input_file).unwrap())
        .stderr(Stdio::null())
        .output()
        .unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether these lines were printed, where a line `...` of the page stands for any lines.
fn matches(expected: &[String], printed: &[String]) -> bool {
    match (expected, printed) {
        ([], []) => true,
        ([dots, rest @ ..], _) if dots == "..." => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        ([first, expected @ ..], [line, printed @ ..]) => first == line && matches(expected, printed),
        _ => false,
    }
}

/// The lines without times and random seeds. The words of a line with one are compared without their distances.
fn comparable(text: &str) -> Vec<String> {
    let mut times_column = None;
    text.trim_end().lines().map(|line| without_times(line, &mut times_column)).collect()
}

/// `times_column` is where a table's column of times ends, in letters from the left.
fn without_times(line: &str, times_column: &mut Option<usize>) -> String {
    let mut words: Vec<_> = line.split_whitespace().collect();
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    let mut times: Vec<_> = (1..words.len())
        .filter(|&index| {
            is_number(words[index - 1]) && ["µs", "ms", "s"].contains(&words[index].trim_end_matches([',', ';', '.']))
        })
        .flat_map(|index| [index - 1, index])
        .collect();
    if words.is_empty() {
        *times_column = None;
    } else if let Some(column) = times_column {
        times.extend(word_ends(line).iter().position(|end| end == column));
    } else if times.is_empty()
        && let Some(index) = words.iter().position(|&word| word == "µs")
    {
        *times_column = Some(word_ends(line)[index]);
        times.push(index);
    }
    if let ["seed", _] = words[..] {
        times.push(1);
    }
    if times.is_empty() {
        return without_micros(line);
    }
    for time in times {
        words[time] = "*";
    }
    words.join(" ")
}

/// The ends of the words of a line, in letters from the left.
fn word_ends(line: &str) -> Vec<usize> {
    let letters: Vec<char> = line.chars().collect();
    let is_space = |letter: &char| letter.is_whitespace();
    (1..=letters.len()).filter(|&end| !is_space(&letters[end - 1]) && letters.get(end).is_none_or(is_space)).collect()
}

/// The line without the times in JSON.
fn without_micros(line: &str) -> String {
    let mut parts = line.split("\"micros\":");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + "\"micros\":*" + part.trim_start_matches(|letter: char| letter.is_ascii_digit())
    })
}
