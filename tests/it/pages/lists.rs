//! Lists on the pages have everything that there is in the code: rooms, log lines, options and parameters.

#[cfg(feature = "cli")]
use std::process::Command;

use emberwalk::lessons::LESSONS;

#[cfg(feature = "cli")]
use super::links::resolve;
use super::{Page, assert_none, files, pages};
use crate::support::file;

const ARCHITECTURE: &str = "ARCHITECTURE.md";
const CONTRIBUTING: &str = "CONTRIBUTING.md";
const WINDOW: &str = "src/game/README.md";
const ADDRESS: &str = "docs/src/reference/address.md";
#[cfg(feature = "cli")]
const COMMANDS: &str = "docs/src/command-line/commands.md";
const LOG: &str = "docs/src/reference/log.md";

fn page(path: &str) -> Page {
    pages().into_iter().find(|page| page.path == path).unwrap_or_else(|| panic!("there is no {path}"))
}

/// The text of a file of the repository.
fn source(path: &str) -> String {
    std::fs::read_to_string(file(path)).unwrap().replace("\r\n", "\n")
}

/// The folders in a folder of the repository that have Rust files.
fn rooms(folder: &str) -> Vec<String> {
    let files = files(&["rs"]);
    let inside = files.iter().filter_map(|path| path.strip_prefix(folder));
    let mut rooms: Vec<_> = inside.filter_map(|path| Some(path.split_once('/')?.0.to_owned())).collect();
    rooms.dedup();
    rooms
}

/// The names of the crates, by their folders.
fn crates() -> Vec<String> {
    rooms("crates/")
}

#[test]
fn the_map_of_the_code_has_every_crate_and_every_room() {
    let has_row = |page: &Page, name: &str| page.text.lines().any(|line| line.starts_with(&format!("| `{name}`")));
    let (architecture, window) = (page(ARCHITECTURE), page(WINDOW));
    let mut missing = crates();
    missing.retain(|name| !has_row(&architecture, name));
    for name in crates() {
        let readme = page(&format!("crates/{name}/README.md"));
        let rooms = rooms(&format!("crates/{name}/src/")).into_iter();
        missing
            .extend(rooms.filter(|room| !has_row(&readme, &format!("{room}/"))).map(|room| format!("{name}: {room}")));
    }
    missing.extend(rooms("src/game/").into_iter().filter(|room| !has_row(&window, &format!("{room}/"))));
    assert_none(&missing);
}

#[test]
fn files_that_the_map_of_the_code_names_exist() {
    let (pages, files) = ([ARCHITECTURE, CONTRIBUTING, WINDOW].map(page), files(&["rs", "md", "ron"]));
    let spans = pages.iter().flat_map(|page| page.text.split('`').skip(1).step_by(2));
    let named = spans.filter(|span| [".rs", ".md", ".ron"].iter().any(|ending| span.ends_with(ending)));
    let exists = |name: &str| files.iter().any(|file| file == name || file.ends_with(&format!("/{name}")));
    let missing: Vec<_> = named.filter(|name| !exists(name)).map(str::to_owned).collect();
    assert_none(&missing);
}

#[test]
fn the_table_of_events_has_everybody_who_tells_that_terrain_has_changed() {
    let window = page(WINDOW).text;
    let row = window.lines().find(|line| line.starts_with("| `TerrainChanged` |")).unwrap_or_default();
    let files = files(&["rs"]);
    let rooms = files.iter().filter_map(|path| Some((path, path.strip_prefix("src/game/")?)));
    let tells = |path: &str| {
        let source = source(path);
        ["MessageWriter<TerrainChanged>", "MessageWriter<'w, TerrainChanged>"]
            .into_iter()
            .any(|writer| source.contains(&format!("changes: {writer}")))
    };
    let senders = rooms.filter(|(path, _)| tells(path)).map(|(_, room)| room.to_owned());
    let senders: Vec<_> = senders.collect();
    assert!(senders.len() > 5, "{senders:?}");
    let missing: Vec<_> = senders.into_iter().filter(|sender| !row.contains(&format!("`{sender}`"))).collect();
    assert_none(&missing);
}

#[test]
fn a_readme_names_every_example_of_its_crate() {
    let mut missing = Vec::new();
    for name in crates() {
        let readme = page(&format!("crates/{name}/README.md")).text;
        let folder = format!("crates/{name}/examples/");
        let names = files(&["rs"]).into_iter().filter_map(|path| Some(path.strip_prefix(&folder)?.to_owned()));
        let examples: Vec<_> = names.filter_map(|name| Some(name.strip_suffix(".rs")?.to_owned())).collect();
        missing.extend(examples.into_iter().filter(|example| !readme.contains(example)));
    }
    assert_none(&missing);
}

#[test]
fn the_readme_of_the_crowds_has_every_event() {
    let source = source("crates/emberwalk-crowd/src/event.rs");
    let (_, body) = source.split_once("pub enum CrowdEvent {\n").unwrap();
    let (body, _) = body.split_once("\n}\n").unwrap();
    let events = body.lines().filter_map(|line| line.strip_prefix("    ")?.strip_suffix(" {"));
    let readme = page("crates/emberwalk-crowd/README.md").text;
    let missing: Vec<_> = events.filter(|event| !readme.contains(&format!("`{event}`"))).map(str::to_owned).collect();
    assert_none(&missing);
}

/// The message of each line that a file logs, as far as it is always the same.
fn messages(source: &str) -> Vec<String> {
    let calls = ["info!(", "warn!(", "error!("].into_iter().flat_map(|call| source.split(call).skip(1));
    calls
        .filter_map(|rest| {
            let mut depth = 1;
            let end = rest.find(|letter| {
                depth += i32::from(letter == '(') - i32::from(letter == ')');
                depth == 0
            })?;
            let message = rest[..end].split('"').rev().nth(1)?;
            Some(message.split('{').next()?.trim().to_owned())
        })
        .filter(|message| message.contains(char::is_alphabetic))
        .collect()
}

#[test]
fn the_page_about_the_log_has_every_line_of_the_window() {
    let log = page(LOG).text;
    let mut missing = Vec::new();
    for path in files(&["rs"]).iter().filter(|path| path.starts_with("src/game/")) {
        for message in messages(&source(path)) {
            let start: Vec<_> = message.split(' ').take(5).collect();
            if !log.contains(&start.join(" ")) {
                missing.push(format!("{path}: {message}"));
            }
        }
    }
    assert_none(&missing);
    assert_eq!(messages("info!(%cell, \"goal set\"); warn!(\"no {} (or {})\", a(b), \"c\")"), ["goal set", "c"]);
}

#[test]
fn the_page_about_addresses_has_every_parameter() {
    let (link, address) = (source("src/link.rs"), page(ADDRESS).text);
    let (_, body) = link.split_once("            match name {\n").unwrap();
    let (body, _) = body.split_once("\n            }\n").unwrap();
    let arms = body.lines().filter_map(|line| line.strip_prefix("                \"")?.split_once("\" => "));
    let parameters: Vec<_> = arms.map(|(name, _)| name).collect();
    assert!(parameters.len() > 15, "{parameters:?}");
    let has = |name: &str| [format!("`{name}`"), format!("`{name}=")].iter().any(|span| address.contains(span));
    let mut missing: Vec<_> = parameters.into_iter().filter(|name| !has(name)).map(str::to_owned).collect();
    let (_, views) = link.split_once("const NAMES: [(&str, Self); 4] =").unwrap();
    let (views, _) = views.split_once(';').unwrap();
    let views = views.split("(\"").skip(1).filter_map(|view| view.split('"').next());
    missing.extend(views.map(|view| format!("view={view}")).filter(|view| !has(view)));
    missing.extend(Some(format!("lesson={}", LESSONS.len())).filter(|lesson| !has(lesson)));
    assert_none(&missing);
}

/// The names of the options that the help of a command lists.
#[cfg(feature = "cli")]
fn options(command: &[&str]) -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_emberwalk")).args(command).arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let words = help.lines().filter_map(|line| line.split_whitespace().find(|word| !word.ends_with(',')));
    words.filter(|word| word.starts_with("--")).map(|word| word.trim_end_matches('.').to_owned()).collect()
}

/// Commands and their pages: the table of commands, and the pages to which it links in the row of a command.
#[cfg(feature = "cli")]
#[test]
fn the_pages_of_a_command_have_every_option() {
    let commands = page(COMMANDS);
    let rows: Vec<_> = commands.text.lines().filter(|line| line.starts_with("| ")).collect();
    let help = Command::new(env!("CARGO_BIN_EXE_emberwalk")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let (_, listed) = help.split_once("\nCommands:\n").unwrap();
    let (listed, _) = listed.split_once("\n\n").unwrap();
    let names = listed.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names: Vec<_> = names.filter(|name| !name.is_empty() && *name != "help").collect();
    assert!(names.contains(&"route") && names.contains(&"man"), "{names:?}");
    let mut missing = Vec::new();
    for name in std::iter::once(None).chain(names.into_iter().map(Some)) {
        let is_row = |row: &&&str| {
            name.is_some_and(|name| {
                row.contains(&format!("`emberwalk {name} ")) || row.contains(&format!("`emberwalk {name}`"))
            })
        };
        let links = rows.iter().filter(is_row).flat_map(|row| row.split("](").skip(1));
        let linked = links.filter_map(|link| resolve(COMMANDS, link.split([')', '#']).next()?));
        let mut text = commands.text.clone();
        linked.for_each(|path| text += &page(&path).text);
        // As whole words. Those of all commands are on a page of their own, or called `-o`.
        let has = |option: &str| {
            let is_end = |rest: &str| !rest.starts_with(|letter: char| letter == '-' || letter.is_alphanumeric());
            text.split(option).skip(1).any(is_end) || ["--help", "--version", "--color", "--output"].contains(&option)
        };
        let command: Vec<_> = name.into_iter().collect();
        missing.extend(
            options(&command).into_iter().filter(|option| !has(option)).map(|option| format!("{name:?}: {option}")),
        );
    }
    assert_none(&missing);
}
