//! Mistakes in the name and the place of a command.

use super::{Folder, Run};

/// Checks the beginning of the only thing that a run prints that is refused, in a folder with a file `mine`.
fn check(cases: &[(&str, &str)]) {
    let folder = Folder::with(&[("mine", "no map")]);
    for (command, expected) in cases {
        folder.refuses(command, expected);
        assert!(folder.run(command).errors.starts_with(expected), "{command}: {expected}");
    }
}

#[test]
fn a_misspelt_command_gets_a_suggestion() {
    check(&[
        ("rout", "error: there is no command `rout`; did you mean `route`?\n"),
        ("rout valley --json", "error: there is no command `rout`; did you mean `route`?\n"),
        ("Check mine", "error: there is no command `Check`; did you mean `check`?\n"),
        ("help solv", "error: there is no command `solv`; did you mean `solve`?\n"),
        ("man solv", "error: there is no command `solv`; did you mean `solve`?\n"),
        ("fly valley", "error: there is no command `fly`; `emberwalk --help` lists the commands\n"),
        ("\u{1b}[31m valley", "error: there is no command `\\u{1b}[31m`; `emberwalk --help` lists the commands\n"),
    ]);
}

/// Checks that a terminal would not interpret what a run prints.
#[track_caller]
fn check_printable(command: &str, text: &str) {
    let is_printable = |char: char| char == '\n' || !char.is_control() && char != '\u{202e}';
    assert!(text.chars().all(is_printable), "{command}: {text:?}");
}

#[test]
fn control_characters_in_arguments_are_escaped() {
    let odd = "'a\u{1b}[31m\r\u{9b}\u{202e}\nb'";
    for command in [
        format!("route valley {odd}"),
        format!("route valley {}", odd.replacen('\'', "'--", 1)),
        format!("route valley --moves {odd}"),
        format!("route valley --from {odd}"),
        format!("scenario a b --cost {odd}"),
        format!("import a -o b.ron --tile {odd}"),
        format!("solve a -o b.png --threshold {odd}"),
        format!("valley {odd}"),
        format!("{odd} valley"),
        format!("--moves {odd}"),
        format!("help {odd}"),
        format!("crowd {odd} {odd}"),
        format!("check {odd}"),
    ] {
        let Run { status, out, errors } = super::run(&command);
        let text = out + &errors;
        assert!(status == 2 && text.contains("a\\u{1b}[31m\\r\\u{9b}\\u{202e}\\nb"), "{command}: {text}");
        check_printable(&command, &text);
    }
}

#[cfg(unix)]
#[test]
fn control_characters_in_names_of_files_are_escaped() {
    let odd = "a\u{1b}[31m\r\u{9b}\u{202e}b";
    let folder = Folder::new();
    folder.write(&format!("{odd}.map"), crate::support::foreign::MAP);
    folder.write(&format!("{odd}.scen"), "0 a 5 4 0 0 0 2 2\n");
    std::fs::create_dir(folder.path(odd)).unwrap();
    folder.write(&format!("{odd}/odd\r.png"), "");
    for (command, names_it) in [
        (format!("crowd '{odd}.map' '{odd}.scen'"), true),
        (format!("scenario '{odd}.map' '{odd}.scen'"), true),
        (format!("check valley --assets '{odd}'"), true),
        (format!("route valley --assets '{odd}'"), true),
        (format!("import '{odd}.map' -o '{odd}.ron'"), false),
        (format!("check '{odd}.ron'"), true),
        (format!("route '{odd}.ron'"), true),
        (format!("render '{odd}.ron' -o '{odd}.png'"), false),
    ] {
        let Run { out, errors, .. } = folder.run(&command);
        let text = out + &errors;
        assert_eq!(text.contains("[31m"), names_it, "{command}: {text}");
        check_printable(&command, &text);
    }
}

#[test]
fn a_word_that_can_be_a_map_is_not_taken_for_a_command() {
    let one_map =
        "error: unexpected argument 'mine': one map is opened at a time; `emberwalk --help` lists the commands\n";
    check(&[
        ("vally", "  × vally: there is no such file\n"),
        ("route.ron", "  × route.ron: there is no such file\n"),
        ("./rout", "  × ./rout: there is no such file\n"),
        ("road", "  × road: there is no such file\n"),
        ("vally mine", one_map),
        ("valley mine", one_map),
        // The file is read.
        ("mine", "  × "),
    ]);
}

#[test]
fn options_before_the_command_are_put_in_their_place() {
    check(&[
        ("--json route valley", "error: options go after the command: `emberwalk route --json valley`\n"),
        ("--erupting route valley", "error: options go after the command: `emberwalk route --erupting valley`\n"),
        ("--from 1,2 route", "error: options go after the command: `emberwalk route --from 1,2`\n"),
        ("-o x.png render mine", "error: options go after the command: `emberwalk render -o x.png mine`\n"),
        ("--plain maps", "error: options go after the command: `emberwalk maps --plain`\n"),
        ("valley route", "error: the command goes first: `emberwalk route valley`\n"),
        // The parser's own words are better here.
        ("--erupting --dormant valley", "error: the argument '--erupting' cannot be used with '--dormant'"),
        ("route valley valley", "error: unexpected argument 'valley' found"),
    ]);
}
